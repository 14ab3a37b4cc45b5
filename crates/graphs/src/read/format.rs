//! File formats, and reading by format.

use std::path::Path;

use super::{
    ListedGraph, Loaded, ReadError, bytes_of, dot, edge_list, graph6, matrix_market, metis, text_of,
};

/// A format of graph files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FileFormat {
    /// One edge per line: [`edge_list`].
    EdgeList,
    /// One node per line: [`metis`].
    Metis,
    /// One matrix entry per line: [`matrix_market`].
    MatrixMarket,
    /// The matrix in printable characters, graph6 or digraph6: [`graph6`].
    Graph6,
    /// Graphviz: [`dot`].
    Dot,
}

impl FileFormat {
    /// All formats with their names and extensions.
    pub const ALL: [(Self, &'static str, &'static [&'static str]); 5] = [
        (Self::EdgeList, "edge list", &["txt", "edges", "edgelist", "el", "csv", "tsv"]),
        (Self::Metis, "METIS", &["graph", "metis"]),
        (Self::MatrixMarket, "Matrix Market", &["mtx"]),
        (Self::Graph6, "graph6", &["g6", "d6"]),
        (Self::Dot, "DOT", &["dot", "gv"]),
    ];

    /// The format for the extension of a file name; a final `.gz` is ignored. `None` for an unknown extension.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        if extension.eq_ignore_ascii_case("gz") {
            return Self::of_path(Path::new(path.file_stem()?));
        }
        let known =
            |extensions: &[&str]| extensions.iter().any(|known| extension.eq_ignore_ascii_case(known));
        Self::ALL.into_iter().find(|(_, _, extensions)| known(extensions)).map(|(format, _, _)| format)
    }

    /// Reads a text in this format, with weights of edges if `has_weights`.
    ///
    /// # Errors
    ///
    /// As for the module of the format.
    pub fn list(self, text: &str, name: &str, has_weights: bool) -> Result<ListedGraph, ReadError> {
        match self {
            Self::EdgeList => edge_list::list(text, name, has_weights),
            Self::Metis => metis::list(text, name, has_weights),
            Self::MatrixMarket => matrix_market::list(text, name, has_weights),
            Self::Graph6 => graph6::list(text, name, has_weights),
            Self::Dot => dot::list(text, name, has_weights),
        }
    }
}

/// Reads bytes in a format. Errors call the file `name`.
///
/// # Errors
///
/// Refuses an empty file and one that is not UTF-8 text; otherwise as for [`FileFormat::list`].
pub fn from_bytes(bytes: &[u8], name: &str, format: FileFormat) -> Result<Loaded, ReadError> {
    format.list(text_of(bytes, name)?, name, false)?.simple(name)
}

/// Reads a file in the given format, or in that of its extension. Gzip is decompressed.
///
/// # Errors
///
/// Refuses a file that is missing, a directory, truncated, or larger than
/// [`TEXT_BYTES_MAX`](crate::limits::TEXT_BYTES_MAX) after decompression. Without a given format, refuses an unknown
/// extension. Otherwise as for [`from_bytes`].
pub fn from_path(path: &Path, format: Option<FileFormat>) -> Result<Loaded, ReadError> {
    listed_from_path(path, format, false)?.simple(&path.display().to_string())
}

/// Reads the edges of a file as they are listed there, with their weights if `has_weights`.
///
/// # Errors
///
/// As for [`from_path`], and [`FileFormat::list`] with weights.
pub fn listed_from_path(
    path: &Path,
    format: Option<FileFormat>,
    has_weights: bool,
) -> Result<ListedGraph, ReadError> {
    let name = path.display().to_string();
    let bytes = bytes_of(path)?;
    let format = format.or_else(|| FileFormat::of_path(path)).ok_or_else(|| {
        let known: Vec<String> = FileFormat::ALL
            .iter()
            .flat_map(|(_, _, known)| known.iter().map(|known| format!(".{known}")))
            .collect();
        let accepted = format!("format: EdgeList, Metis, MatrixMarket, Graph6 or Dot in a scenario, or a name that ends in one of {} (also with .gz)", known.join(" "));
        ReadError::of_file(&name, "the extension does not belong to a graph format", accepted)
    })?;
    format.list(text_of(&bytes, &name)?, &name, has_weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_names_the_format() {
        let of = |name: &str| FileFormat::of_path(Path::new(name));
        assert_eq!(of("a/b.mtx"), Some(FileFormat::MatrixMarket));
        assert_eq!(of("a/b.GV.gz"), Some(FileFormat::Dot));
        assert_eq!(of("soc-Epinions1.txt.gz"), Some(FileFormat::EdgeList));
        assert_eq!(of("b.gz"), None);
        assert_eq!(of("b"), None);
        assert_eq!(of("b.exe"), None);
        for (format, _, extensions) in FileFormat::ALL {
            assert!(extensions.iter().all(|extension| of(&format!("x.{extension}")) == Some(format)));
        }
    }
}
