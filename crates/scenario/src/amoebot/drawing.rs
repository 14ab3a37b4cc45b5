//! Starts that are drawn in a file, with objects, colours and gaps; and landscapes of bridging.

use std::path::Path;

use acrasin_amoebot::Cell;
use acrasin_amoebot::chain::bridging::landscape::{Landscape, Slope, n_shape, v_shape};
use acrasin_amoebot::library::catalogue::AlgorithmCatalogue;
use acrasin_amoebot::library::entry::ChosenAlgorithm;
use acrasin_amoebot::start::{self, DrawingError, Mark};

use super::AmoebotDocument;
use super::object::uses_object;
use super::scenario::AmoebotStart;
use crate::DocumentError;
use crate::document::quantity::Count;
use crate::limits::AMOEBOT_DRAWING_BYTES;

/// The parts of a drawing that the algorithm uses.
#[derive(Clone, Debug)]
pub(super) struct DrawnStart {
    pub(super) cells: Vec<Cell>,
    pub(super) object: Vec<Cell>,
    /// The index of the cell marked '@'.
    pub(super) seed: Option<usize>,
    /// The colours of the cells, if they are letters.
    pub(super) colours: Option<Vec<u8>>,
    /// The cells of land and of the gap, for bridging.
    pub(super) landscape: Option<Landscape>,
}

impl DrawnStart {
    /// Reads the drawing or makes the landscape of the start; `None` for other starts. Paths are relative to `base`.
    pub(super) fn of(
        document: &AmoebotDocument,
        base: &Path,
        algorithm: &ChosenAlgorithm,
        catalogue: &AlgorithmCatalogue,
    ) -> Result<Option<Self>, DocumentError> {
        let written = &document.scenario().amoebots;
        let bridges = algorithm.needs().landscape;
        let number = |count: &Count| u32::try_from(**count).unwrap_or(u32::MAX);
        let landscape = match &written.start {
            AmoebotStart::VShape { rows, across, up } => {
                let slope =
                    Slope { across: across.as_ref().map_or(1, number), up: up.as_ref().map_or(1, number) };
                Some(v_shape(number(rows), slope))
            }
            AmoebotStart::NShape { side } => Some(n_shape(number(side))),
            _ => None,
        };
        if landscape.is_some() != bridges {
            let (what, accepted) = if bridges {
                ("bridging needs a start in a landscape".to_owned(), "VShape, NShape".to_owned())
            } else {
                let bridging = catalogue.names_of(|entry| entry.needs.landscape);
                (
                    format!("{} does not use a landscape", algorithm.title()),
                    format!("another start; or {bridging} as the algorithm"),
                )
            };
            return Err(document.error("amoebots.start", what).accepting(accepted));
        }
        if let Some(landscape) = landscape {
            let landscape = landscape.map_err(|error| document.error("amoebots.start", error.to_string()))?;
            return Ok(Some(Self {
                cells: landscape.cells().to_vec(),
                object: landscape.objects().to_vec(),
                seed: None,
                colours: None,
                landscape: Some(landscape),
            }));
        }
        let AmoebotStart::Drawing { path } = &written.start else { return Ok(None) };
        let path = base.join(path);
        let drawn = read(&path)
            .and_then(|text| Self::from_text(&text, algorithm, catalogue))
            .map_err(|fault| document.error("amoebots.start.path", fault.in_file(&path)));
        drawn.map(Some)
    }

    fn from_text(
        text: &str,
        algorithm: &ChosenAlgorithm,
        catalogue: &AlgorithmCatalogue,
    ) -> Result<Self, DrawingFault> {
        let drawing = start::drawing(text)?;
        let cells = drawing.contracted()?;
        let needs = algorithm.needs();
        if let (Some(cell), false) = (drawing.object().first(), uses_object(algorithm)) {
            let (name, coats) = (algorithm.title(), catalogue.names_of(|entry| entry.needs.object));
            let message = format!("'#' at cell {cell}: {name} does not use an object (accepted: {coats})");
            return Err(message.into());
        }
        let seeds: Vec<usize> = drawing.seeds().collect();
        if let (Some(seed), false) = (seeds.first(), needs.seed) {
            let (cell, name) = (cells[*seed], algorithm.title());
            let message =
                format!("'@' at cell {cell}: {name} has no seed, all amoebots are alike (accepted: '*')");
            return Err(message.into());
        }
        if let [first, second, ..] = seeds[..] {
            let (first, second) = (cells[first], cells[second]);
            return Err(format!("'@' at cells {first} and {second} (accepted: one seed)").into());
        }
        let marks: Vec<Mark> = drawing.amoebots().iter().map(|amoebot| amoebot.mark).collect();
        let colours = colours(&cells, &marks, algorithm, catalogue)?;
        let object = drawing.object().to_vec();
        Ok(Self { object, seed: seeds.first().copied(), colours, cells, landscape: None })
    }
}

/// A fault of a drawing, with its line and column if they are known.
#[derive(Debug)]
struct DrawingFault {
    place: (Option<u64>, Option<u64>),
    message: String,
}

impl From<String> for DrawingFault {
    fn from(message: String) -> Self {
        Self { place: (None, None), message }
    }
}

impl From<DrawingError> for DrawingFault {
    fn from(error: DrawingError) -> Self {
        let (line, column) = error.place();
        let number = |at: usize| at as u64;
        Self { place: (line.map(number), column.map(number)), message: error.fault() }
    }
}

impl DrawingFault {
    /// The message in the form `FILE:LINE:COLUMN: fault`.
    fn in_file(&self, path: &Path) -> String {
        let place: String = self.place.0.iter().chain(&self.place.1).map(|at| format!(":{at}")).collect();
        format!("{}{place}: {}", path.display(), self.message)
    }
}

/// Converts letters to colours: `a` is colour 0.
fn colours(
    cells: &[Cell],
    marks: &[Mark],
    algorithm: &ChosenAlgorithm,
    catalogue: &AlgorithmCatalogue,
) -> Result<Option<Vec<u8>>, String> {
    let letter = |mark: &Mark| if let Mark::Letter(letter) = mark { Some(*letter) } else { None };
    let lettered = cells.iter().zip(marks).find_map(|(cell, mark)| Some((cell, letter(mark)?)));
    let Some((first, found)) = lettered else { return Ok(None) };
    let Some(among) = algorithm.needs().colours else {
        let coloured = catalogue.names_of(|entry| entry.needs.colours.is_some());
        return Err(format!(
            "{found:?} at cell {first}: {} does not use colours (accepted: '*', or an algorithm with colours: {coloured})",
            algorithm.title()
        ));
    };
    let colour = |(cell, mark): (&Cell, &Mark)| match letter(mark).map(|letter| letter as u8 - b'a') {
        Some(colour) if u64::from(colour) < among => Ok(colour),
        Some(colour) => Err(format!(
            "{:?} at cell {cell}: colour {colour} of {among} colours (accepted: 0 to {}, 'a' is 0)",
            char::from(b'a' + colour),
            among - 1
        )),
        None => {
            Err(format!("the amoebot at cell {cell} has no colour (accepted: letters for all, or for none)"))
        }
    };
    cells.iter().zip(marks).map(colour).collect::<Result<_, _>>().map(Some)
}

fn read(path: &Path) -> Result<String, DrawingFault> {
    use std::io::Read as _;
    let words = |error: std::io::Error| format!("{error} (accepted: a text file with a drawing)");
    let file = acrasin_graphs::read::open(path).map_err(words)?;
    let mut bytes = Vec::new();
    file.take(AMOEBOT_DRAWING_BYTES + 1).read_to_end(&mut bytes).map_err(words)?;
    if bytes.len() as u64 > AMOEBOT_DRAWING_BYTES {
        return Err(format!("more than {AMOEBOT_DRAWING_BYTES} bytes (accepted: a shorter file)").into());
    }
    let text = acrasin_graphs::read::utf8(&bytes);
    text.map(str::to_owned).map_err(|error| DrawingFault {
        place: (Some(error.line()), None),
        message: format!("{} (accepted: {})", error.problem(), error.accepted()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ScenarioFile;

    fn algorithm(written: &str) -> ChosenAlgorithm {
        let text = format!("(amoebots: (algorithm: {written}, start: Line(count: 2)))");
        let Ok(ScenarioFile::Amoebots(document)) = ScenarioFile::parse(&text, "x.ron", &[]) else {
            panic!("{written} is an algorithm")
        };
        crate::amoebot::algorithm::chosen(&document, &AlgorithmCatalogue::shipped(), Path::new("")).unwrap().0
    }

    #[test]
    fn marks_mean_what_the_algorithm_knows() {
        let separation = algorithm("Separation(lambda: 4.0, gamma: 4.0)");
        let [hexagon, erosion, coating] = ["Hexagon", "Erosion", "Coating"].map(algorithm);
        let library = AlgorithmCatalogue::shipped();
        let drawn = DrawnStart::from_text("a b b\n", &separation, &library).unwrap();
        assert_eq!(drawn.colours, Some(vec![0, 1, 1]));
        assert_eq!(DrawnStart::from_text("* *\n", &separation, &library).unwrap().colours, None);
        let drawn = DrawnStart::from_text("* @ *\n", &hexagon, &library).unwrap();
        assert_eq!((drawn.seed, drawn.cells.len()), (Some(1), 3));
        let drawn = DrawnStart::from_text("* *\n # #\n", &coating, &library).unwrap();
        assert_eq!((drawn.object.len(), drawn.seed), (2, None));
        for (text, algorithm, snippets) in [
            ("a c\n", &separation, ["colour 2 of 2", "(1, 0)", "0 to 1"]),
            ("a *\n", &separation, ["(1, 0)", "no colour", "letters for all"]),
            ("* a\n", &erosion, ["'a' at cell (1, 0)", "does not use colours", "Separation"]),
            ("@ *\n", &erosion, ["'@' at cell (0, 0)", "no seed", "'*'"]),
            ("@ @\n", &hexagon, ["(0, 0)", "(1, 0)", "one seed"]),
            ("* *\n # #\n", &hexagon, ["'#' at cell", "an object", "Coating"]),
            ("* ?\n", &hexagon, ["x:1", ":3: ", "'?'"]),
            ("1 *\n", &hexagon, ["(1, 0)", "expanded", "contracted"]),
        ] {
            let message =
                DrawnStart::from_text(text, algorithm, &library).unwrap_err().in_file(Path::new("x"));
            assert!(snippets.iter().all(|snippet| message.contains(snippet)), "{text:?}: {message}");
        }
    }
}
