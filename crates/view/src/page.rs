//! Builds the page in one file.

use acrasin_report::escape::visible;
use acrasin_report::film::Film;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The modules, in the order of `order.txt`.
const MODULES: [(&str, &str); 41] = [
    ("bytes.js", include_str!("../page/bytes.js")),
    ("archive.js", include_str!("../page/archive.js")),
    ("head.js", include_str!("../page/head.js")),
    ("chunk.js", include_str!("../page/chunk.js")),
    ("configuration.js", include_str!("../page/configuration.js")),
    ("film.js", include_str!("../page/film.js")),
    ("palette.js", include_str!("../page/palette.js")),
    ("words.js", include_str!("../page/words.js")),
    ("variable.js", include_str!("../page/variable.js")),
    ("camera.js", include_str!("../page/camera.js")),
    ("scene.js", include_str!("../page/scene.js")),
    ("draw/outline.js", include_str!("../page/draw/outline.js")),
    ("draw/canvas.js", include_str!("../page/draw/canvas.js")),
    ("draw/svg.js", include_str!("../page/draw/svg.js")),
    ("places.js", include_str!("../page/places.js")),
    ("graph.js", include_str!("../page/graph.js")),
    ("lattice.js", include_str!("../page/lattice.js")),
    ("circuits.js", include_str!("../page/circuits.js")),
    ("hull.js", include_str!("../page/hull.js")),
    ("locks.js", include_str!("../page/locks.js")),
    ("messages.js", include_str!("../page/messages.js")),
    ("legend.js", include_str!("../page/legend.js")),
    ("bars.js", include_str!("../page/bars.js")),
    ("picture.js", include_str!("../page/picture.js")),
    ("export.js", include_str!("../page/export.js")),
    ("webm.js", include_str!("../page/webm.js")),
    ("gif.js", include_str!("../page/gif.js")),
    ("video.js", include_str!("../page/video.js")),
    ("player.js", include_str!("../page/player.js")),
    ("link.js", include_str!("../page/link.js")),
    ("counts.js", include_str!("../page/counts.js")),
    ("inspector.js", include_str!("../page/inspector.js")),
    ("shown.js", include_str!("../page/shown.js")),
    ("events.js", include_str!("../page/events.js")),
    ("pointers.js", include_str!("../page/pointers.js")),
    ("keys.js", include_str!("../page/keys.js")),
    ("announcer.js", include_str!("../page/announcer.js")),
    ("page.js", include_str!("../page/page.js")),
    ("simulator.js", include_str!("../page/simulator.js")),
    ("playground.js", include_str!("../page/playground.js")),
    ("main.js", include_str!("../page/main.js")),
];
const TEMPLATE: &str = include_str!("../page/page.html");
const STYLE: &str = include_str!("../page/page.css");
/// The compressed simulator, written by `crates/playground/build`.
const SIMULATOR: &[u8] = include_bytes!("../page/acrasin.wasm.gz");
const EXAMPLES: &str = include_str!("../page/examples.json");

/// The page that plays a film. Contents of the film are inserted as text, never as markup.
///
/// ```
/// use acrasin_report::film::{FrameConfiguration, FilmWriter, Head};
///
/// let mut head = Head::new("population", 0, Vec::new());
/// head.title = "</title><script>alert(1)</script>".to_owned();
/// let page = acrasin_view::page(&FilmWriter::new(head, FrameConfiguration::default()).finish(0));
/// assert!(page.starts_with("<!doctype html>") && !page.contains("<script>alert"));
/// ```
#[must_use]
pub fn page(film: &Film) -> String {
    filled(&film.head.title, &film.to_html())
}

/// The page with the simulator, in which scenarios can be edited and run, optionally with a film.
#[must_use]
pub fn playground(film: Option<&Film>) -> String {
    let examples = EXAMPLES.replace('<', "\\u003c");
    let mut inside = film.map_or_else(String::new, Film::to_html);
    inside += "<script type=\"application/octet-stream\" id=\"simulator\">";
    STANDARD.encode_string(SIMULATOR, &mut inside);
    inside += "</script>\n<script type=\"application/json\" id=\"examples\">";
    inside += &examples;
    inside += "</script>\n";
    filled(film.map_or("Playground", |film| &film.head.title), &inside)
}

fn filled(title: &str, film: &str) -> String {
    let mut page = String::new();
    // A single pass, so that inserted text is not searched for marks.
    let mut rest = TEMPLATE;
    while let Some((before, after)) = rest.split_once("{{") {
        let (mark, after) = after.split_once("}}").expect("a mark of the template is closed");
        page += before;
        match mark {
            "title" => page += &escaped(title),
            "style" => page += STYLE,
            "film" => page += film,
            "script" => page += &script(),
            other => unreachable!("the template has no mark {other}"),
        }
        rest = after;
    }
    page + rest
}

/// All modules, concatenated to one script.
fn script() -> String {
    let mut script = String::new();
    for (_, module) in MODULES {
        for line in module.lines().filter(|line| !line.starts_with("import ")) {
            script += line.strip_prefix("export ").unwrap_or(line);
            script.push('\n');
        }
    }
    script
}

/// Escapes text for the page: markup, and control characters, which HTML forbids and a terminal would interpret.
fn escaped(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use acrasin_report::film::{FilmWriter, FrameConfiguration, Head};

    #[test]
    fn all_modules_are_there_in_their_order() {
        let names: Vec<&str> = include_str!("../page/order.txt").lines().collect();
        assert_eq!(names, MODULES.map(|(name, _)| name));
    }

    #[test]
    fn a_playground_has_the_simulator_and_its_examples() {
        let page = playground(None);
        let within = |id: &str| {
            let (_, after) = page.split_once(&format!("id=\"{id}\">")).expect("the element");
            after.split_once("</script>").expect("its end").0
        };
        assert_eq!(STANDARD.decode(within("simulator")).unwrap(), SIMULATOR);
        let examples: serde_json::Value = serde_json::from_str(within("examples")).unwrap();
        assert!(examples.as_array().unwrap().len() >= 5 && !within("examples").contains('<'));
        assert!(
            page.contains("<title>Playground</title>")
                && !["title", "style", "film", "script"]
                    .iter()
                    .any(|mark| page.contains(&format!("{{{{{mark}}}}}")))
        );
    }

    #[test]
    fn a_title_is_text_and_marks_in_it_are_left_alone() {
        let mut head = Head::new("population", 0, Vec::new());
        head.title = "</script><script>alert(1)</script> \u{1b}[31m{{script}}".to_owned();
        let film = FilmWriter::new(head, FrameConfiguration::default()).finish(0);
        let page = page(&film);
        assert!(!page.contains("<script>alert"), "it is no markup");
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; \\u{1b}[31m{{script}}</title>"));
        assert!(!page.contains('\u{1b}'), "no control character is written");
        assert_eq!(Film::from_html(&page).unwrap(), film);
        // No line remains that is only valid in a module.
        assert!(!script().lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
    }
}
