//! The file of a plot: SVG, and with the feature `figures` PDF and PNG.

use std::path::Path;

use acrasin_output::is_stream;

use crate::Failure;

/// The format of the picture of a plot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PictureFormat {
    Svg,
    Pdf,
    Png,
}

impl PictureFormat {
    /// The format that the ending of a file name selects. A pipe or terminal without an ending receives SVG.
    ///
    /// # Errors
    ///
    /// [`Failure`] for another ending, or for one that needs the feature `figures` if this program lacks it.
    pub(super) fn of(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let format = match &*ending.to_lowercase() {
            "svg" => return Ok(Self::Svg),
            "pdf" => Self::Pdf,
            "png" => Self::Png,
            _ if is_stream(path) => return Ok(Self::Svg),
            "" => return Err(refused(path, "the name has no ending")),
            other => {
                return Err(refused(path, &format!("plots cannot be written as {}", other.to_uppercase())));
            }
        };
        if cfg!(feature = "figures") {
            return Ok(format);
        }
        Err(refused(path, "this program was built without the feature `figures`, which writes PDF and PNG"))
    }

    /// Converts a plot to the bytes of a file of this format.
    ///
    /// # Errors
    ///
    /// [`Failure`] if there is no font for the labels, or not enough memory for the pixels.
    pub(super) fn encode(self, svg: String) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Svg => Ok(svg.into_bytes()),
            #[cfg(feature = "figures")]
            Self::Pdf => converted::pdf(&svg),
            #[cfg(feature = "figures")]
            Self::Png => converted::png(&svg),
            #[cfg(not(feature = "figures"))]
            Self::Pdf | Self::Png => unreachable!("refused by PictureFormat::of"),
        }
    }
}

fn refused(path: &Path, problem: &str) -> Failure {
    let accepted = if cfg!(feature = "figures") {
        "a name that ends in .svg, .pdf or .png"
    } else {
        "a name that ends in .svg; or in .pdf or .png after `cargo install --locked --path crates/cli --features figures`"
    };
    Failure::usage(format_args!("-o {}: {problem}", path.display())).accepting(accepted)
}

#[cfg(feature = "figures")]
mod converted {
    use acrasin_scenario::plan::readable;
    use resvg::tiny_skia::{Pixmap, Transform};
    use svg2pdf::usvg::fontdb::{Database, Family, Query};
    use svg2pdf::usvg::{Options, Tree};
    use svg2pdf::{ConversionOptions, PageOptions};

    use crate::{Failure, memory};

    /// The number of pixels per inch of a PDF, as in a browser. PDF measures in points, 72 per inch.
    const PIXELS_AN_INCH: f32 = 96.0;

    /// Fonts for the labels, in order of preference, used if the system does not name its sans-serif font.
    const SANS_SERIF: [&str; 6] =
        ["Helvetica", "Arial", "DejaVu Sans", "Liberation Sans", "Noto Sans", "Segoe UI"];

    pub(super) fn pdf(svg: &str) -> Result<Vec<u8>, Failure> {
        let page = PageOptions { dpi: PIXELS_AN_INCH };
        svg2pdf::to_pdf(&tree(svg)?, ConversionOptions::default(), page)
            .map_err(|error| Failure::of_machine(format_args!("the PDF cannot be made: {error}")))
    }

    pub(super) fn png(svg: &str) -> Result<Vec<u8>, Failure> {
        let tree = tree(svg)?;
        let size = tree.size().to_int_size();
        // Four bytes per pixel, and about as much again for the file.
        let needed = 8 * u64::from(size.width()) * u64::from(size.height());
        let most = memory::budget(memory::bytes(), 1);
        if needed > most {
            let needed = readable(needed.into());
            let message =
                format!("a PNG of {} by {} pixels needs {needed} of memory", size.width(), size.height());
            return Err(Failure::usage(message)
                .accepting(format_args!("a --size whose pixels fit into {}", readable(most.into()))));
        }
        let mut pixels = Pixmap::new(size.width(), size.height()).expect("a plot has a size");
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        pixels
            .encode_png()
            .map_err(|error| Failure::of_machine(format_args!("the PNG cannot be made: {error}")))
    }

    /// Converts the SVG text of a plot to shapes. Labels get the sans-serif font of this machine.
    fn tree(svg: &str) -> Result<Tree, Failure> {
        let mut options = Options::default();
        let fonts = options.fontdb_mut();
        fonts.load_system_fonts();
        if !is_there(fonts, Family::SansSerif) {
            let family = SANS_SERIF.into_iter().find(|name| is_there(fonts, Family::Name(name)));
            let first = || fonts.faces().next().and_then(|face| Some(face.families.first()?.0.clone()));
            // Without any font the labels would be omitted without a message.
            let Some(family) = family.map(str::to_owned).or_else(first) else {
                return Err(Failure::usage(
                    "a PDF or PNG needs a font for its labels, and this machine has none",
                )
                .accepting("a name that ends in .svg, or an installed font"));
            };
            fonts.set_sans_serif_family(family);
        }
        Tree::from_str(svg, &options)
            .map_err(|error| Failure::of_machine(format_args!("the plot cannot be converted: {error}")))
    }

    fn is_there(fonts: &Database, family: Family<'_>) -> bool {
        fonts.query(&Query { families: &[family], ..Query::default() }).is_some()
    }
}
