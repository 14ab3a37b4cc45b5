//! A folder of results that is about to be replaced: what others have put into it moves on.

use std::fs;
use std::io;
use std::path::Path;

/// Gives `new` everything of `old` that it does not have, by links where the file system has them. Only results of the
/// earlier run stay behind: with the new ones they would be a folder of two runs. (Its drawings do not: a scenario may
/// start from one.)
pub(crate) fn carry_over(old: &Path, new: &Path) -> io::Result<()> {
    let is_of_a_run = old.join("record.jsonl").is_file();
    fs::set_permissions(new, fs::metadata(old)?.permissions())?;
    for entry in fs::read_dir(old)? {
        let entry = entry?;
        let target = new.join(entry.file_name());
        let is_result = is_of_a_run && entry.file_name().to_str().is_some_and(is_result);
        if !is_result && fs::symlink_metadata(&target).is_err() {
            carry(&entry, &target)?;
        }
    }
    Ok(())
}

fn carry(entry: &fs::DirEntry, target: &Path) -> io::Result<()> {
    if entry.file_type()?.is_dir() {
        fs::create_dir(target)?;
        for inner in fs::read_dir(entry.path())? {
            let inner = inner?;
            carry(&inner, &target.join(inner.file_name()))?;
        }
        return fs::set_permissions(target, entry.metadata()?.permissions());
    }
    fs::hard_link(entry.path(), target).or_else(|_| fs::copy(entry.path(), target).map(|_| ()))
}

/// Whether a run writes a file of this name: `counts.csv`, `counts-3.svg`, `step-100-3.tex`.
fn is_result(name: &str) -> bool {
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let mut parts = stem.split('-');
    let word = parts.next().unwrap_or_default();
    let extensions: &[&str] = match word {
        "record" => &["txt", "csv", "jsonl"],
        "counts" => &["csv", "svg"],
        "configuration" => &["txt"],
        "start" | "step" | "end" => &["svg", "tex"],
        _ => &[],
    };
    let numbers = parts.map(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    extensions.contains(&extension)
        && numbers.fold(0, |count, is_number| if is_number { count + 1 } else { 9 }) <= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_known_by_their_names() {
        for name in
            ["record.txt", "counts.csv", "counts-3.svg", "configuration-12.txt", "step-100-3.tex", "end.svg"]
        {
            assert!(is_result(name), "{name}");
        }
        for name in
            ["mine.txt", "counts.txt", "counts-x.csv", "counts-.csv", "counts-1-2-3.csv", "end.txt", "record"]
        {
            assert!(!is_result(name), "{name}");
        }
    }

    #[test]
    fn what_others_wrote_moves_on_and_nothing_new_is_replaced() {
        let place = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "new"].map(|name| place.path().join(name));
        fs::create_dir_all(old.join("deep/er")).unwrap();
        fs::create_dir(&new).unwrap();
        for name in ["mine.txt", "deep/er/x", "counts-1.csv", "scenario.ron"] {
            fs::write(old.join(name), "old").unwrap();
        }
        fs::write(new.join("scenario.ron"), "new").unwrap();
        carry_over(&old, &new).unwrap();
        let read = |name: &str| fs::read_to_string(new.join(name)).unwrap();
        assert_eq!(
            (read("mine.txt"), read("deep/er/x"), read("scenario.ron")),
            ("old".into(), "old".into(), "new".into())
        );
        // Without a record nothing says that the folder is one of a run.
        assert_eq!(read("counts-1.csv"), "old");
        fs::write(old.join("record.jsonl"), "old").unwrap();
        fs::remove_file(new.join("counts-1.csv")).unwrap();
        carry_over(&old, &new).unwrap();
        assert!(!new.join("counts-1.csv").exists() && !new.join("record.jsonl").exists());
    }
}
