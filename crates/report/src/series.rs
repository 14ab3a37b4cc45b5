//! [`Series`]: counts over time, in bounded memory.

use std::fmt;

use crate::curves::Curves;

/// Maximum rows that a series keeps: several for each pixel of a wide plot.
pub const MAX_ROWS: usize = 4096;
/// Maximum columns of a series. Protocols with more states are observed by output, or by selected states.
pub const MAX_COLUMNS: usize = 4096;
/// Maximum product of rows and columns: 32 MiB of counts. A series with many columns keeps fewer rows, but at least
/// 1024.
pub const MAX_CELLS: usize = 1 << 22;

/// Maximum rows pushed to a saved series: more than a run pushes in a century, and a quarter of the range of the
/// counter.
const PUSHED_MAX: u64 = 1 << 62;

/// The latest time, which leaves room for axes and sums within the range of `f64`.
pub const MAX_TIME: f64 = 1e300;

/// The counts at one time.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Row {
    /// The time, from 0 to [`MAX_TIME`], and at least that of the previous row.
    pub time: f64,
    /// One count for each column.
    pub counts: Vec<u64>,
}

/// Counts over time.
///
/// Any number of rows may be pushed, of which at most [`row_limit`](Self::row_limit) are kept. At the limit, every
/// second kept row is dropped, and the interval between kept rows doubles. The kept rows depend only on the number of
/// pushed rows. The first and the last pushed row are always kept.
///
/// ```
/// use acrasin_report::series::Series;
///
/// let mut series = Series::with_row_limit("parallel time", ["A", "B"], 4)?;
/// for step in 0..=10_u32 {
///     series.push(f64::from(step), &[10 - u64::from(step), u64::from(step)])?;
/// }
/// let times: Vec<f64> = series.rows().map(|row| row.time).collect();
/// assert_eq!(times, [0.0, 4.0, 8.0, 10.0]);
/// assert!(series.to_csv().starts_with("parallel time,A,B\n0.0,10,0\n4.0,6,4\n"));
/// # Ok::<(), acrasin_report::series::SeriesError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    time_label: String,
    columns: Vec<String>,
    /// Every `interval`-th pushed row; at most `row_limit - 1`.
    kept: Vec<Row>,
    /// The last pushed row, if it is not in `kept`.
    last: Option<Row>,
    interval: u64,
    pushed: u64,
    row_limit: usize,
    curves: Option<Curves>,
}

impl Series {
    /// An empty series with the default row limit.
    ///
    /// `time_label` is the name of the time with its unit, such as `parallel time` or `time (s)`.
    ///
    /// # Errors
    ///
    /// [`SeriesError::TooManyColumns`] for more than [`MAX_COLUMNS`] columns.
    pub fn new<C: Into<String>>(
        time_label: impl Into<String>,
        columns: impl IntoIterator<Item = C>,
    ) -> Result<Self, SeriesError> {
        Self::with_row_limit(time_label, columns, MAX_ROWS)
    }

    /// An empty series that keeps at most `row_limit` rows.
    ///
    /// The limit is raised to 2 (first and last row), or lowered so that [`MAX_ROWS`] and [`MAX_CELLS`] hold.
    ///
    /// # Errors
    ///
    /// [`SeriesError::TooManyColumns`] for more than [`MAX_COLUMNS`] columns.
    pub fn with_row_limit<C: Into<String>>(
        time_label: impl Into<String>,
        columns: impl IntoIterator<Item = C>,
        row_limit: usize,
    ) -> Result<Self, SeriesError> {
        // Reads at most one more than allowed, however long the iterator is.
        let columns: Vec<String> = columns.into_iter().take(MAX_COLUMNS + 1).map(Into::into).collect();
        if columns.len() > MAX_COLUMNS {
            return Err(SeriesError::TooManyColumns);
        }
        let most = MAX_ROWS.min(MAX_CELLS / columns.len().max(1));
        Ok(Self {
            time_label: time_label.into(),
            row_limit: row_limit.clamp(2, most),
            columns,
            kept: Vec::new(),
            last: None,
            interval: 1,
            pushed: 0,
            curves: None,
        })
    }

    /// Adds curves that a plot draws next to the counts.
    #[must_use]
    pub fn with_curves(self, curves: Curves) -> Self {
        Self { curves: Some(curves), ..self }
    }

    /// The curves that a plot draws next to the counts.
    #[must_use]
    pub fn curves(&self) -> Option<&Curves> {
        self.curves.as_ref()
    }

    /// Adds a row. Amortised cost: O(columns).
    ///
    /// # Errors
    ///
    /// [`SeriesError`] if there is not one count for each column, or the time is not between that of the previous row
    /// (or 0) and [`MAX_TIME`]. The series is then unchanged.
    pub fn push(&mut self, time: f64, counts: &[u64]) -> Result<(), SeriesError> {
        if counts.len() != self.columns.len() {
            return Err(SeriesError::WrongLength { given: counts.len(), columns: self.columns.len() });
        }
        let before = self.last_row().map_or(0.0, |row| row.time);
        if !(before..=MAX_TIME).contains(&time) {
            return Err(SeriesError::BadTime { given: time, before });
        }
        let row = Row { time, counts: counts.to_vec() };
        if self.pushed.is_multiple_of(self.interval) {
            self.keep(row);
        } else {
            self.last = Some(row);
        }
        self.pushed += 1;
        Ok(())
    }

    /// Keeps a row whose number is a multiple of the interval. At the limit, the interval doubles first.
    fn keep(&mut self, row: Row) {
        while self.kept.len() + 1 >= self.row_limit && self.kept.len() > 1 {
            self.interval *= 2;
            let mut index = 0;
            self.kept.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            if !self.pushed.is_multiple_of(self.interval) {
                self.last = Some(row);
                return;
            }
        }
        if self.kept.len() + 1 >= self.row_limit && !self.kept.is_empty() {
            // With a limit of two only the first and the last row are kept.
            self.last = Some(row);
            return;
        }
        self.last = None;
        self.kept.push(row);
    }

    /// The number of rows that can be pushed before the next row that is kept.
    pub fn not_kept(&self) -> u64 {
        self.pushed.next_multiple_of(self.interval) - self.pushed
    }

    /// Counts rows as pushed without creating them.
    ///
    /// # Panics
    ///
    /// Panics if `rows` is above [`not_kept`](Self::not_kept), since one of the rows would be kept.
    pub fn pass_over(&mut self, rows: u64) {
        assert!(rows <= self.not_kept(), "{rows} rows, of which one would be kept");
        self.pushed += rows;
    }

    /// Encodes the rows so far as numbers, for [`restore`](Self::restore). Cost: O(rows times columns).
    #[must_use]
    pub fn save(&self) -> Vec<u64> {
        let mut numbers =
            vec![self.pushed, self.interval, self.kept.len() as u64, u64::from(self.last.is_some())];
        for row in self.rows() {
            numbers.push(row.time.to_bits());
            numbers.extend(&row.counts);
        }
        numbers
    }

    /// Replaces the rows by those that a series with the same columns and limit saved. Returns false, and changes
    /// nothing, if the numbers do not come from such a series.
    #[must_use]
    pub fn restore(&mut self, numbers: &[u64]) -> bool {
        let &[pushed, interval, kept, has_last, ref cells @ ..] = numbers else { return false };
        let width = self.columns.len() + 1;
        let rows: Vec<Row> = cells
            .chunks_exact(width)
            .map(|row| Row { time: f64::from_bits(row[0]), counts: row[1..].to_vec() })
            .collect();
        let is_whole = has_last <= 1
            && cells.len().is_multiple_of(width)
            && kept.checked_add(has_last) == Some(rows.len() as u64)
            && rows.len() <= self.row_limit
            && rows.len() as u64 <= pushed
            && pushed <= PUSHED_MAX
            && interval.is_power_of_two()
            && interval <= PUSHED_MAX;
        let times: Vec<f64> = rows.iter().map(|row| row.time).collect();
        if !is_whole || !times.is_sorted() || !times.iter().all(|time| (0.0..=MAX_TIME).contains(time)) {
            return false;
        }
        (self.pushed, self.interval, self.kept) = (pushed, interval, rows);
        self.last = if has_last == 1 { self.kept.pop() } else { None };
        true
    }

    fn last_row(&self) -> Option<&Row> {
        self.last.as_ref().or(self.kept.last())
    }

    /// The kept rows, by time.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.kept.iter().chain(&self.last)
    }

    /// The name of the time, with its unit.
    pub fn time_label(&self) -> &str {
        &self.time_label
    }

    /// The names of the counts.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The number of rows pushed.
    pub fn pushed(&self) -> u64 {
        self.pushed
    }

    /// Every `interval`-th pushed row is kept, and the last one. The interval is 1 as long as all rows are kept.
    pub fn interval(&self) -> u64 {
        self.interval
    }

    /// The maximum number of rows kept.
    pub fn row_limit(&self) -> usize {
        self.row_limit
    }

    /// One line for each row: the time as the shortest text that parses to the same number, then the counts.
    ///
    /// The header has the names unchanged (quoted if needed). They come from users and may be equal.
    pub fn to_csv(&self) -> String {
        self.csv_header(None) + &self.csv_rows(None)
    }

    /// The header of [`to_csv`](Self::to_csv). If `first` is given, a column of this name comes first.
    pub fn csv_header(&self, first: Option<&str>) -> String {
        let mut text = String::new();
        let names = [self.time_label.as_str()].into_iter().chain(self.columns.iter().map(String::as_str));
        crate::table::push_csv_line(&mut text, first.into_iter().chain(names).map(crate::table::csv_quoted));
        text
    }

    /// The rows of [`to_csv`](Self::to_csv). If `first` is given, each row starts with this value.
    pub fn csv_rows(&self, first: Option<&str>) -> String {
        let mut text = String::new();
        for row in self.rows() {
            let numbers =
                std::iter::once(format!("{:?}", row.time)).chain(row.counts.iter().map(u64::to_string));
            let first = first.map(crate::table::csv_quoted);
            crate::table::push_csv_line(&mut text, first.into_iter().chain(numbers));
        }
        text
    }
}

/// The error for a row or a list of columns that a [`Series`] does not accept.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SeriesError {
    /// More than [`MAX_COLUMNS`] columns.
    TooManyColumns,
    /// A row without one count for each column.
    WrongLength {
        /// Counts in the row.
        given: usize,
        /// Columns of the series.
        columns: usize,
    },
    /// A time that is not a number, before that of the previous row (or 0), or after [`MAX_TIME`].
    BadTime {
        /// The time of the row.
        given: f64,
        /// The time of the previous row, or 0.
        before: f64,
    },
}

impl fmt::Display for SeriesError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyColumns => write!(formatter, "a series has at most {MAX_COLUMNS} columns"),
            Self::WrongLength { given, columns } => {
                write!(formatter, "a row of {given} counts in a series of {columns} columns")
            }
            Self::BadTime { given, before } => {
                write!(formatter, "time {given} in a series; accepted: times from {before} to {MAX_TIME:e}")
            }
        }
    }
}

impl std::error::Error for SeriesError {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pushed(rows: u32, row_limit: usize) -> Series {
        let mut series = Series::with_row_limit("t", ["x"], row_limit).expect("one column");
        for time in 0..rows {
            series.push(f64::from(time), &[u64::from(time)]).expect("times ascend");
        }
        series
    }

    fn times(series: &Series) -> Vec<f64> {
        series.rows().map(|row| row.time).collect()
    }

    proptest! {
        #[test]
        fn rows_stay_within_the_limit_with_first_and_last(rows in 1..3000_u32, limit in 0..70_usize) {
            let series = pushed(rows, limit);
            let times = times(&series);
            prop_assert!(times.len() <= limit.max(2));
            prop_assert_eq!(times[0], 0.0);
            prop_assert_eq!(times[times.len() - 1], f64::from(rows - 1));
            prop_assert_eq!(series.pushed(), u64::from(rows));
            prop_assert!(times.is_sorted_by(|a, b| a < b));
            // All steps but the last have the same length, a power of two.
            let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
            if steps.len() > 1 {
                prop_assert!(steps[..steps.len() - 1].iter().all(|&step| step == steps[0]));
                prop_assert!((steps[0] as u64).is_power_of_two());
            }
            // Rows are only dropped at the limit, and at most half of them (and the last row) at a time.
            if (rows as usize) < limit {
                prop_assert_eq!(times.len(), rows as usize);
            } else if limit >= 4 {
                prop_assert!(times.len() >= limit / 2, "{} of {}", times.len(), limit);
            }
        }
    }

    #[test]
    fn few_rows_are_all_kept() {
        assert_eq!(times(&pushed(4, 5)), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(times(&pushed(0, 5)), [0.0; 0]);
        assert_eq!(times(&pushed(100, 2)), [0.0, 99.0]);
    }

    #[test]
    fn cells_are_limited_too() {
        let names = (0..MAX_COLUMNS).map(|index| index.to_string());
        let series = Series::new("t", names).expect("exactly the limit");
        assert_eq!(series.row_limit(), 1024);
        assert_eq!(Series::new("t", ["x"]).expect("one column").row_limit(), MAX_ROWS);
    }

    #[test]
    fn one_column_too_many() {
        let names = std::iter::repeat("x");
        assert_eq!(Series::new("t", names), Err(SeriesError::TooManyColumns));
    }

    #[test]
    fn bad_rows_change_nothing() {
        let mut series = pushed(3, 10);
        let before = series.clone();
        let wrong = series.push(5.0, &[1, 2]).expect_err("two counts");
        assert_eq!(wrong.to_string(), "a row of 2 counts in a series of 1 columns");
        let early = series.push(1.5, &[1]).expect_err("before the last row");
        assert_eq!(early.to_string(), "time 1.5 in a series; accepted: times from 2 to 1e300");
        assert!(series.push(f64::NAN, &[1]).is_err());
        assert!(series.push(f64::INFINITY, &[1]).is_err());
        assert!(series.push(MAX_TIME.next_up(), &[1]).is_err());
        assert!(Series::new("t", ["x"]).expect("one column").push(-1.0, &[1]).is_err());
        assert_eq!(series, before);
        series.push(2.0, &[7]).expect("equal times are accepted");
        series.push(MAX_TIME, &[7]).expect("exactly the limit");
    }

    #[test]
    fn a_restored_series_continues_as_the_saved_one() {
        for limit in [2, 3, 4, 7, 64] {
            for at in 0..40 {
                let mut restored = pushed(0, limit);
                assert!(restored.restore(&pushed(at, limit).save()), "{limit} {at}");
                for time in at..60 {
                    restored.push(f64::from(time), &[u64::from(time)]).unwrap();
                }
                assert_eq!(restored, pushed(60, limit), "{limit} {at}");
            }
        }
    }

    #[test]
    fn numbers_of_another_series_are_refused() {
        let mut series = pushed(9, 16);
        let (before, saved) = (series.clone(), series.save());
        let mut two = Series::new("t", ["x", "y"]).unwrap();
        assert!(!two.restore(&saved) && two.rows().count() == 0);
        for length in 0..saved.len() {
            assert!(!series.restore(&saved[..length]), "{length}");
        }
        for (at, number) in [(0, 3), (1, 0), (1, 3), (2, 8), (2, u64::MAX), (3, 1), (3, 2), (4, u64::MAX)] {
            let mut wrong = saved.clone();
            wrong[at] = number;
            assert!(!series.restore(&wrong), "{at} {number}");
        }
        assert_eq!(series, before);
        assert!(!pushed(0, 4).restore(&saved), "more rows than the limit");
    }

    #[test]
    fn names_are_quoted_in_csv() {
        let mut series = Series::new("time, s", ["a\"b", ""]).expect("two columns");
        series.push(0.1, &[1, u64::MAX]).expect("first row");
        assert_eq!(series.to_csv(), "\"time, s\",\"a\"\"b\",\"\"\n0.1,1,18446744073709551615\n");
    }
}
