//! Rows as a Parquet file, with the feature `parquet`.
//!
//! Such a file is written as a whole, because the type of a column is only known when all rows exist. Until then, rows
//! are kept as CSV in a file next to it, `rows.parquet.csv`, from which an interrupted sweep continues. When all rows
//! exist, the Parquet file replaces the CSV file. To extend a Parquet file, its rows are first converted to such a CSV
//! file. The old Parquet file remains until the new one is complete.

use std::path::{Path, PathBuf};

use crate::Failure;

/// Whether a file of this name is a Parquet file.
pub(super) fn is_meant(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "parquet")
}

/// The path of the CSV file that keeps the rows while the sweep is incomplete.
pub(super) fn beside(path: &Path) -> PathBuf {
    let mut beside = path.to_owned().into_os_string();
    beside.push(".csv");
    beside.into()
}

#[cfg(feature = "parquet")]
pub(super) use self::with_library::{rows, write};

/// Checks that this program can write Parquet files.
///
/// # Errors
///
/// [`Failure`] if the program was built without the feature.
#[cfg(feature = "parquet")]
#[allow(clippy::unnecessary_wraps)]
pub(super) fn is_possible(_: &Path) -> Result<(), Failure> {
    Ok(())
}

/// Checks that this program can write Parquet files.
///
/// # Errors
///
/// [`Failure`] if the program was built without the feature.
#[cfg(not(feature = "parquet"))]
pub(super) fn is_possible(path: &Path) -> Result<(), Failure> {
    let message = format!("{}: this program was built without the feature `parquet`", path.display());
    Err(Failure::usage(message).accepting(
        "a name that ends in .csv or .jsonl, or a program built with `cargo build --release -p acrasin-cli --features parquet`",
    ))
}

/// Never called, because [`is_possible`] has refused the file before.
#[cfg(not(feature = "parquet"))]
pub(super) fn rows(path: &Path) -> Result<Option<String>, Failure> {
    is_possible(path).map(|()| None)
}

/// Never called, because [`is_possible`] has refused the file before.
#[cfg(not(feature = "parquet"))]
pub(super) fn write(path: &Path, _header: &str, _replaces: bool) -> Result<(), Failure> {
    is_possible(path)
}

#[cfg(feature = "parquet")]
mod with_library {
    use std::error::Error;
    use std::fs::{self, File};
    use std::path::Path;
    use std::sync::Arc;

    use acrasin_output::{OutputFile, standing};
    use acrasin_report::table::{csv_line, literal};
    use acrasin_report::value::Value;
    use parquet::basic::{LogicalType, Repetition, Type as Physical};
    use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
    use parquet::file::metadata::KeyValue;
    use parquet::file::properties::WriterProperties;
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
    use parquet::record::Field;
    use parquet::schema::types::{Type, TypePtr};

    use crate::Failure;

    /// The metadata key under which a Parquet file names its sweep.
    const SWEEP: &str = "acrasin.sweep";

    /// The number of rows that are written together, column by column.
    const GROUP: usize = 1 << 16;

    /// The rows of the file as CSV with a header; `None` if there is no file.
    ///
    /// # Errors
    ///
    /// [`Failure`] if the file was not written by a sweep, or cannot be read.
    pub(in super::super) fn rows(path: &Path) -> Result<Option<String>, Failure> {
        let Some(there) = standing(path)? else { return Ok(None) };
        if there.is_dir() {
            return Err(Failure::usage(format_args!("{} is a folder", path.display()))
                .accepting("a new file, or the rows of this sweep"));
        }
        let file = File::open(path).map_err(|error| Failure::of_path(path, "read", &error))?;
        let reader = SerializedFileReader::new(file).ok().filter(is_of_a_sweep).ok_or_else(|| {
            Failure::usage(format_args!("{} does not contain the rows of this sweep", path.display()))
                .accepting("another file, or one that a sweep has written")
        })?;
        as_csv(&reader).map(Some).ok_or_else(|| {
            Failure::usage(format_args!(
                "{} cannot be read: it is damaged, or another program has written it",
                path.display()
            ))
            .accepting("another file; without this file, all runs are repeated")
        })
    }

    fn is_of_a_sweep(reader: &SerializedFileReader<File>) -> bool {
        let words = reader.metadata().file_metadata().key_value_metadata();
        words.is_some_and(|words| words.iter().any(|word| word.key == SWEEP))
    }

    /// The rows as CSV, equal to the CSV file from which the Parquet file was written, except for the notation of real
    /// numbers.
    fn as_csv(reader: &SerializedFileReader<File>) -> Option<String> {
        let columns = reader.metadata().file_metadata().schema_descr().columns();
        let mut text = csv_line(columns.iter().map(|column| Value::from(column.name())));
        for row in reader.get_row_iter(None).ok()? {
            let row = row.ok()?;
            let cells = row.get_column_iter().map(|(_, field)| {
                Some(match field {
                    Field::Null => Value::Missing,
                    Field::Bool(flag) => (*flag).into(),
                    Field::ULong(number) => (*number).into(),
                    Field::Long(number) => Value::Signed(*number),
                    Field::Double(real) => (*real).into(),
                    Field::Str(field) => field.as_str().into(),
                    _ => return None,
                })
            });
            text.push_str(&csv_line(cells.collect::<Option<Vec<Value>>>()?));
        }
        Some(text)
    }

    /// Converts the CSV rows to the Parquet file and removes the CSV file. An earlier file is replaced if `replaces` is
    /// true.
    ///
    /// # Errors
    ///
    /// [`Failure`] if the file cannot be written; the CSV rows stay.
    pub(in super::super) fn write(path: &Path, header: &str, replaces: bool) -> Result<(), Failure> {
        let rows = super::beside(path);
        let output = OutputFile::new(path, replaces)?;
        let written = output.file().try_clone().map_err(Into::into);
        let written = written.and_then(|file| converted(&rows, file, header));
        written.map_err(|error| Failure::of_machine(format_args!("{}: {error}", path.display())))?;
        output.publish()?;
        fs::remove_file(&rows)
            .map_err(|error| Failure::of_machine(format_args!("{}: {error}", rows.display())))
    }

    /// The type of a column, which is inferred from its fields.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum ColumnType {
        /// Only empty fields so far.
        Nothing,
        Flag,
        /// Integers, some of them negative.
        Signed,
        /// Non-negative integers.
        Whole,
        Real,
        Text,
    }

    impl ColumnType {
        fn of(field: &str) -> Self {
            if field.is_empty() {
                return Self::Nothing;
            }
            // A number must be in normal notation: `007` is a text.
            let is_whole = |text: &str| text.parse::<u64>().is_ok_and(|number| number.to_string() == text);
            let is_signed = || field.parse::<i64>().is_ok_and(|number| number.to_string() == field);
            match field {
                "true" | "false" => Self::Flag,
                _ if is_whole(field) => Self::Whole,
                _ if is_signed() => Self::Signed,
                _ if !starts_like_a_number(field) => Self::Text,
                _ if field.parse::<f64>().is_ok_and(f64::is_finite) => Self::Real,
                _ => Self::Text,
            }
        }

        /// The narrowest type for the values of both types.
        fn and(self, other: Self) -> Self {
            match (self, other) {
                (one, same) if one == same => one,
                (Self::Nothing, kind) | (kind, Self::Nothing) => kind,
                (Self::Signed, Self::Whole) | (Self::Whole, Self::Signed) => Self::Signed,
                (Self::Real, Self::Signed | Self::Whole) | (Self::Signed | Self::Whole, Self::Real) => {
                    Self::Real
                }
                _ => Self::Text,
            }
        }

        /// Whether the type stores a field without loss. For instance, an integer may be too large for a column of
        /// reals.
        fn holds(self, field: &str) -> bool {
            match self {
                Self::Signed => field.is_empty() || field.parse::<i64>().is_ok(),
                Self::Real => match field.parse::<i128>() {
                    Ok(number) => number.unsigned_abs() <= 1 << 53,
                    // A digest of digits and one `e` looks like a real, and would lose most of its digits.
                    Err(_) => significant_figures(field) <= 17,
                },
                _ => true,
            }
        }

        fn column(self, name: &str) -> Result<TypePtr, Box<dyn Error>> {
            let physical = match self {
                Self::Flag => Physical::BOOLEAN,
                Self::Signed | Self::Whole => Physical::INT64,
                Self::Real => Physical::DOUBLE,
                Self::Nothing | Self::Text => Physical::BYTE_ARRAY,
            };
            let logical = match self {
                Self::Whole => Some(LogicalType::integer(64, false)),
                Self::Signed => Some(LogicalType::integer(64, true)),
                Self::Nothing | Self::Text => Some(LogicalType::String),
                Self::Flag | Self::Real => None,
            };
            let column = Type::primitive_type_builder(name, physical)
                .with_repetition(Repetition::OPTIONAL)
                .with_logical_type(logical)
                .build()?;
            Ok(Arc::new(column))
        }
    }

    /// Whether a field starts like a number in normal notation: `2.5` and `-1e9` do, but `nan`, `inf`, `+1` and `00ff`
    /// do not.
    fn starts_like_a_number(field: &str) -> bool {
        let digits = field.strip_prefix('-').unwrap_or(field);
        let [first, second] = [0, 1].map(|place| digits.as_bytes().get(place));
        first.is_some_and(u8::is_ascii_digit)
            && !(first == Some(&b'0') && second.is_some_and(u8::is_ascii_digit))
    }

    /// The number of significant digits: those of the mantissa without leading zeros.
    fn significant_figures(field: &str) -> usize {
        let mantissa = field.split(['e', 'E']).next().unwrap_or_default();
        let figures = mantissa.bytes().filter(u8::is_ascii_digit);
        figures.skip_while(|figure| *figure == b'0').count()
    }

    fn converted(rows: &Path, new: File, header: &str) -> Result<(), Box<dyn Error>> {
        let names: Vec<String> =
            csv::Reader::from_path(rows)?.headers()?.iter().map(|name| literal(name).to_owned()).collect();
        let kinds = kinds(rows, names.len())?;
        let columns =
            names.iter().zip(&kinds).map(|(name, kind)| kind.column(name)).collect::<Result<_, _>>()?;
        let schema = Arc::new(Type::group_type_builder("rows").with_fields(columns).build()?);
        let properties = WriterProperties::builder()
            .set_created_by(format!("acrasin {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(vec![KeyValue::new(SWEEP.to_owned(), header.to_owned())]))
            .build();
        let mut writer = SerializedFileWriter::new(new, schema, Arc::new(properties))?;
        let mut group = Vec::new();
        let mut reader = csv::Reader::from_path(rows)?;
        let mut records = reader.records();
        loop {
            let record = records.next().transpose()?;
            let is_last = record.is_none();
            group.extend(record);
            if group.len() == GROUP || (is_last && !group.is_empty()) {
                let mut columns = writer.next_row_group()?;
                for (place, &kind) in kinds.iter().enumerate() {
                    let fields: Vec<&str> = group.iter().map(|record| literal(&record[place])).collect();
                    if let Some(mut column) = columns.next_column()? {
                        fill(&mut column, kind, &fields)?;
                        column.close()?;
                    }
                }
                columns.close()?;
                group.clear();
            }
            if is_last {
                break;
            }
        }
        writer.close()?;
        Ok(())
    }

    /// The type of each column, from all its fields.
    fn kinds(rows: &Path, columns: usize) -> Result<Vec<ColumnType>, Box<dyn Error>> {
        let mut kinds = vec![ColumnType::Nothing; columns];
        for record in csv::Reader::from_path(rows)?.records() {
            for (kind, field) in kinds.iter_mut().zip(&record?) {
                *kind = kind.and(ColumnType::of(field));
            }
        }
        for record in csv::Reader::from_path(rows)?.records() {
            for (kind, field) in kinds.iter_mut().zip(&record?) {
                if !kind.holds(field) {
                    *kind = ColumnType::Text;
                }
            }
        }
        Ok(kinds)
    }

    /// Writes the fields of a column; empty ones are missing values.
    fn fill(
        column: &mut SerializedColumnWriter<'_>,
        kind: ColumnType,
        fields: &[&str],
    ) -> Result<(), Box<dyn Error>> {
        let levels: Vec<i16> = fields.iter().map(|field| i16::from(!field.is_empty())).collect();
        let there = fields.iter().filter(|field| !field.is_empty());
        match kind {
            ColumnType::Flag => {
                let values: Vec<bool> = there.map(|&field| field == "true").collect();
                column.typed::<BoolType>().write_batch(&values, Some(&levels), None)?;
            }
            ColumnType::Signed => {
                let values = there.map(|field| field.parse()).collect::<Result<Vec<i64>, _>>()?;
                column.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
            }
            ColumnType::Whole => {
                let values = there.map(|field| field.parse()).collect::<Result<Vec<u64>, _>>()?;
                // The column type says that the highest bit is not a sign.
                let values: Vec<i64> = values.into_iter().map(u64::cast_signed).collect();
                column.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
            }
            ColumnType::Real => {
                let values = there.map(|field| field.parse()).collect::<Result<Vec<f64>, _>>()?;
                column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
            }
            ColumnType::Nothing | ColumnType::Text => {
                let values: Vec<ByteArray> = there.map(|&field| field.into()).collect();
                column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
            }
        }
        Ok(())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// Tests that a column gets the narrowest type that stores all its fields as written.
        #[test]
        fn the_kind_of_a_column_is_that_of_all_its_fields() {
            for (fields, expected) in [
                (&["1", "", "18446744073709551615"][..], ColumnType::Whole),
                (&["1", "-2"], ColumnType::Signed),
                (&["1", "-2", "18446744073709551615"], ColumnType::Text),
                (&["1", "2.5", "-1e-9"], ColumnType::Real),
                (&["2.5", "18446744073709551615"], ColumnType::Text),
                (&["1234567890123456789012345678e123"], ColumnType::Text),
                (&["0.00000000000000000000012345"], ColumnType::Real),
                (&["true", "", "false"], ColumnType::Flag),
                (&["true", "1"], ColumnType::Text),
                (&["007"], ColumnType::Text),
                (&["00000123e4", "2"], ColumnType::Text),
                (&["nan"], ColumnType::Text),
                (&["+1"], ColumnType::Text),
                (&["", ""], ColumnType::Nothing),
            ] {
                let place = tempfile::tempdir().unwrap();
                let rows = place.path().join("rows.csv");
                let text: String = fields.iter().map(|field| format!("x,{field}\n")).collect();
                fs::write(&rows, format!("a,b\n{text}")).unwrap();
                assert_eq!(kinds(&rows, 2).unwrap(), [ColumnType::Text, expected], "{fields:?}");
            }
        }
    }
}
