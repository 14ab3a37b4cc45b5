//! [`CountsFile`]: the counts of all repetitions in one file.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::PathBuf;

use acrasin_report::series::Series;

/// Writes the counts over time of all repetitions, in the order of the repetitions. Callers may add repetitions in any
/// order.
#[derive(Debug)]
pub(crate) struct CountsFile {
    path: PathBuf,
    is_begun: bool,
    next: u32,
    /// Counts that wait for a repetition with a smaller number; `None` for a repetition whose nodes have no states.
    waiting: BTreeMap<u32, Option<Series>>,
}

impl CountsFile {
    /// Names the file, which is created when the first counts are written.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, is_begun: false, next: 0, waiting: BTreeMap::new() }
    }

    /// Adds the counts of a repetition, and writes all counts that no longer wait for an earlier repetition.
    pub(crate) fn add(&mut self, repetition: u32, series: Option<&Series>) -> io::Result<()> {
        self.waiting.insert(repetition, series.cloned());
        while let Some(series) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.write(self.next - 1, series)?;
        }
        Ok(())
    }

    /// Writes the counts that are still waiting because an earlier repetition never began.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        std::mem::take(&mut self.waiting)
            .into_iter()
            .try_for_each(|(number, series)| self.write(number, series))
    }

    fn write(&mut self, repetition: u32, series: Option<Series>) -> io::Result<()> {
        let Some(series) = series else { return Ok(()) };
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path)?;
        if !self.is_begun {
            file.write_all(series.csv_header(Some("repetition")).as_bytes())?;
        }
        self.is_begun = true;
        file.write_all(series.csv_rows(Some(&repetition.to_string())).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_stand_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("counts.csv");
        let mut counts = CountsFile::new(path.clone());
        let series = |count| {
            let mut series = Series::new("rounds", ["A, a"]).unwrap();
            series.push(0.0, &[count]).unwrap();
            series
        };
        counts.add(2, Some(&series(12))).unwrap();
        assert!(!path.exists());
        counts.add(0, None).unwrap();
        counts.add(1, Some(&series(11))).unwrap();
        // The fourth repetition never begins.
        counts.add(4, Some(&series(14))).unwrap();
        counts.finish().unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        assert_eq!(text, "repetition,rounds,\"A, a\"\n1,0.0,11\n2,0.0,12\n4,0.0,14\n");
    }
}
