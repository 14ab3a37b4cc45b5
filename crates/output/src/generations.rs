//! [`Generations`]: the newest checkpoint file and the previous one.
//!
//! `FILE` is the newest checkpoint, `FILE.previous` the previous one. A new checkpoint is written completely and synced
//! under a temporary name. Then `FILE` becomes `FILE.previous`, the new checkpoint becomes `FILE`, and the folder is
//! synced. After a failure or a kill at any moment, at least one of the two files is complete.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::error::OutputError;
use crate::file::standing;
use crate::stale_files::{self, folder_of};
use crate::unfinished::Unfinished;

/// The number of bytes by which a checkpoint is recognised.
const BEGINNING: u64 = 64;

/// The file operations that store a checkpoint. Tests let each of them fail.
trait FileOperations: Send {
    fn write(&mut self, mut file: &File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    fn sync(&mut self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn publish(&mut self, unfinished: Unfinished, target: &Path, may_replace: bool) -> io::Result<()> {
        unfinished.publish_file(target, may_replace)
    }

    fn sync_folder(&mut self, folder: &Path) -> io::Result<()> {
        // Other systems cannot open a folder as a file.
        if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
    }
}

/// The file operations of the operating system.
struct SystemFiles;

impl FileOperations for SystemFiles {}

/// The newest checkpoint file and the previous one. While this value exists, no other process writes them.
///
/// ```
/// use acrasin_output::{Generations, newest_generation};
///
/// let folder = tempfile::tempdir()?;
/// let target = folder.path().join("run.checkpoint");
/// let mut generations = Generations::new(&target, false, |beginning| beginning.starts_with(b"step"))?;
/// generations.keep([&b"step 1"[..]])?;
/// generations.keep([&b"step "[..], b"2"])?;
/// let text = |file: &mut std::fs::File, _| std::io::read_to_string(file).map_err(|error| error.to_string());
/// assert_eq!(newest_generation(&target, text)?.value, "step 2");
/// assert_eq!(std::fs::read_to_string(folder.path().join("run.checkpoint.previous"))?, "step 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Generations {
    target: PathBuf,
    /// A temporary file that marks the target as being written by this process.
    guard: Unfinished,
    /// Whether the file at the target is a complete checkpoint, to be kept as the previous one.
    is_newest_sound: bool,
    files: Box<dyn FileOperations>,
}

impl std::fmt::Debug for Generations {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generations").field("target", &self.target).finish_non_exhaustive()
    }
}

impl Generations {
    /// Reserves the file at `target` and the previous one, without changing them. `is_ours` recognises a checkpoint by
    /// its first 64 bytes. Other files are only replaced if `is_forced` is true; empty files always are.
    ///
    /// # Errors
    ///
    /// The path is not that of a file, an existing file is not a checkpoint, another process is writing the file, or no
    /// file can be created there.
    pub fn new(target: &Path, is_forced: bool, is_ours: fn(&[u8]) -> bool) -> Result<Self, OutputError> {
        let is_folder = |path: &Path| {
            OutputError::refusal(ErrorKind::IsADirectory, format_args!("{} is a folder", path.display()))
                .accepting("the path of a file to write")
        };
        if target.file_name().is_none() || crate::file::ends_in_a_slash(target) {
            return Err(is_folder(target));
        }
        for path in [target.to_owned(), previous(target)] {
            let Some(metadata) = standing(&path)? else { continue };
            if metadata.is_dir() {
                return Err(is_folder(&path));
            }
            let beginning = beginning(&path).map_err(|error| OutputError::of_path(&path, &error))?;
            if !is_forced && !beginning.is_empty() && !is_ours(&beginning) {
                let message = format!("{} is not a checkpoint, and is not replaced", path.display());
                return Err(OutputError::refusal(ErrorKind::AlreadyExists, message).accepting("another file"));
            }
        }
        stale_files::clear_beside(target);
        let (guard, _) = Unfinished::file(target).map_err(|error| OutputError::of_path(target, &error))?;
        let files = Box::new(SystemFiles);
        Ok(Self { target: target.to_owned(), guard, is_newest_sound: true, files })
    }

    /// Marks the file at the target as damaged: the next checkpoint replaces it, and the previous one stays.
    #[must_use]
    pub fn with_damaged_newest(self) -> Self {
        Self { is_newest_sound: false, ..self }
    }

    /// Writes a checkpoint, given in pieces. The newest one becomes the previous one.
    ///
    /// # Errors
    ///
    /// An I/O error. The newest or the previous checkpoint is still complete.
    pub fn keep<'a>(&mut self, pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<(), OutputError> {
        let Self { target, guard, is_newest_sound, files } = self;
        let keep = || {
            let (unfinished, file) = guard.another(target)?;
            pieces.into_iter().try_for_each(|piece| files.write(&file, piece))?;
            files.sync(&file)?;
            drop(file);
            // An empty file has no content that would be lost.
            let there = fs::symlink_metadata(&*target).ok();
            let is_rotated =
                *is_newest_sound && there.is_some_and(|there| there.is_file() && there.len() > 0);
            if is_rotated {
                files.rename(target, &previous(target))?;
            }
            files.publish(unfinished, target, !is_rotated)?;
            *is_newest_sound = true;
            files.sync_folder(folder_of(target))
        };
        keep().map_err(|error| OutputError::of_machine(target, &error))
    }
}

/// The path of the previous checkpoint of the one at `target`: `FILE.previous`.
#[must_use]
pub fn previous(target: &Path) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(".previous");
    target.with_file_name(name)
}

fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut beginning = Vec::new();
    File::open(path)?.take(BEGINNING).read_to_end(&mut beginning)?;
    Ok(beginning)
}

/// The newest usable checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generation<T> {
    /// The decoded checkpoint.
    pub value: T,
    /// A sentence that says why the newest file cannot be used; `None` if it is used.
    pub passed_over: Option<String>,
}

/// Decodes the checkpoint at `target`, or the previous one if that is missing or damaged. `decode` gets the file and
/// its length. An error of `decode` is text that continues a sentence whose subject is the path.
///
/// # Errors
///
/// Neither file can be used. The message is one sentence that names both.
pub fn newest_generation<T>(
    target: &Path,
    decode: impl Fn(&mut File, u64) -> Result<T, String>,
) -> Result<Generation<T>, OutputError> {
    let open = |path: &Path| -> Result<Result<T, String>, OutputError> {
        match standing(path)? {
            None => return Ok(Err("it does not exist".to_owned())),
            Some(metadata) if metadata.is_dir() => return Ok(Err("it is a folder".to_owned())),
            Some(_) => {}
        }
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        Ok(match opened {
            Ok((length, mut file)) => decode(&mut file, length),
            Err(error) => Err(format!("it cannot be read: {error}")),
        })
    };
    let why = match open(target)? {
        Ok(value) => return Ok(Generation { value, passed_over: None }),
        Err(why) => why,
    };
    let before = previous(target);
    let refused = |message: String| OutputError::refusal(ErrorKind::InvalidData, message);
    let (target, name) = (target.display(), before.display());
    if matches!(standing(&before), Ok(None)) {
        return Err(refused(format!("{target} cannot be used: {why}")));
    }
    match open(&before)? {
        Ok(value) => {
            let sentence = format!("{target} cannot be used: {why}; {name} is used instead");
            Ok(Generation { value, passed_over: Some(sentence) })
        }
        Err(also) => Err(refused(format!("{target} cannot be used: {why}; neither can {name}: {also}"))),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// Files of which the operation with this number fails, as on a full disk or after a kill.
    struct Failing {
        done: Arc<AtomicU32>,
        failing: u32,
        /// Whether a failing operation is nevertheless executed; a failing write is then executed in part.
        is_executed: bool,
    }

    impl Failing {
        /// Counts an operation. Returns whether it is executed, and its result.
        fn step(&self) -> (bool, io::Result<()>) {
            if self.done.fetch_add(1, Ordering::Relaxed) == self.failing {
                (self.is_executed, Err(io::Error::other("planted")))
            } else {
                (true, Ok(()))
            }
        }

        fn then(&self, execute: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
            let (is_executed, result) = self.step();
            if is_executed {
                execute()?;
            }
            result
        }
    }

    impl FileOperations for Failing {
        fn write(&mut self, mut file: &File, bytes: &[u8]) -> io::Result<()> {
            match self.step() {
                (_, Ok(())) => file.write_all(bytes),
                (is_executed, error) => {
                    let length = if is_executed { bytes.len() / 2 } else { 0 };
                    file.write_all(&bytes[..length]).and(error)
                }
            }
        }

        fn sync(&mut self, file: &File) -> io::Result<()> {
            self.then(|| file.sync_all())
        }

        fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
            self.then(|| fs::rename(from, to))
        }

        fn publish(&mut self, unfinished: Unfinished, target: &Path, may_replace: bool) -> io::Result<()> {
            self.then(|| unfinished.publish_file(target, may_replace))
        }

        fn sync_folder(&mut self, folder: &Path) -> io::Result<()> {
            self.then(|| SystemFiles.sync_folder(folder))
        }
    }

    fn is_ours(beginning: &[u8]) -> bool {
        beginning.starts_with(b"step ")
    }

    /// The number of a checkpoint that is `step N.`
    fn step(file: &mut File, _: u64) -> Result<u32, String> {
        let text = io::read_to_string(file).map_err(|error| error.to_string())?;
        let number = text.strip_prefix("step ").and_then(|text| text.strip_suffix('.'));
        number.and_then(|number| number.parse().ok()).ok_or("it is damaged".to_owned())
    }

    fn keep(generations: &mut Generations, number: u32) -> Result<(), OutputError> {
        let number = number.to_string();
        generations.keep([b"step ", number.as_bytes(), b"."])
    }

    /// After a failure at any operation, the last or the previous checkpoint is read; the next attempt succeeds, and
    /// nothing is left behind.
    #[test]
    fn after_each_failing_operation_a_checkpoint_is_usable() {
        // Of each checkpoint: three writes, sync, publish, sync of the folder; from the second on also a rename.
        let operations = 6 + 7 + 7;
        for is_executed in [false, true] {
            for failing in 0..=operations {
                let folder = tempfile::tempdir().unwrap();
                let target = folder.path().join("run.checkpoint");
                let mut generations = Generations::new(&target, false, is_ours).unwrap();
                let done = Arc::new(AtomicU32::new(0));
                generations.files = Box::new(Failing { done: Arc::clone(&done), failing, is_executed });
                let failed = (1..=3).find_map(|number| Some((number, keep(&mut generations, number).err()?)));
                let Some((number, error)) = failed else {
                    assert_eq!((failing, done.load(Ordering::Relaxed)), (operations, operations));
                    continue;
                };
                assert!(!error.is_refusal());
                let expected = format!("{} cannot be written: planted", target.display());
                assert_eq!(error.to_string(), expected);
                let found = newest_generation(&target, step);
                match found {
                    Ok(found) => assert!([number, number - 1].contains(&found.value), "{failing}: {found:?}"),
                    Err(error) => assert_eq!(number, 1, "{failing}: {error}"),
                }
                // The same process tries again, and after a kill another one.
                keep(&mut generations, 8).unwrap();
                assert_eq!(newest_generation(&target, step).unwrap().value, 8);
                drop(generations);
                let mut again = Generations::new(&target, false, is_ours).unwrap();
                keep(&mut again, 9).unwrap();
                drop(again);
                assert_eq!(newest_generation(&target, step).unwrap().value, 9);
                assert_eq!(newest_generation(&previous(&target), step).unwrap().value, 8);
                assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "{failing}");
            }
        }
    }

    #[test]
    fn a_damaged_newest_one_is_passed_over_and_does_not_replace_the_previous_one() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("run.checkpoint");
        let (name, before) = (target.display(), previous(&target));
        let refusal = || newest_generation(&target, step).unwrap_err().to_string();
        assert_eq!(refusal(), format!("{name} cannot be used: it does not exist"));
        let mut generations = Generations::new(&target, false, is_ours).unwrap();
        keep(&mut generations, 1).unwrap();
        keep(&mut generations, 2).unwrap();
        drop(generations);
        fs::write(&target, "step").unwrap();
        let found = newest_generation(&target, step).unwrap();
        let sentence = format!("{name} cannot be used: it is damaged; {} is used instead", before.display());
        assert_eq!((found.value, found.passed_over), (1, Some(sentence)));
        let generations = Generations::new(&target, true, is_ours).unwrap();
        let mut generations = generations.with_damaged_newest();
        keep(&mut generations, 3).unwrap();
        assert_eq!(newest_generation(&before, step).unwrap().value, 1);
        keep(&mut generations, 4).unwrap();
        assert_eq!(newest_generation(&before, step).unwrap().value, 3);
        drop(generations);
        // Between the two renames only the previous checkpoint exists.
        fs::remove_file(&target).unwrap();
        assert_eq!(newest_generation(&target, step).unwrap().value, 3);
        fs::write(&target, "x").unwrap();
        fs::write(&before, "y").unwrap();
        let both = format!("it is damaged; neither can {}: it is damaged", before.display());
        assert_eq!(refusal(), format!("{name} cannot be used: {both}"));
    }

    #[test]
    fn only_checkpoints_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("notes.txt");
        let refused = || Generations::new(&target, false, is_ours).unwrap_err();
        for path in [target.clone(), previous(&target)] {
            fs::write(&path, "mine").unwrap();
            let error = refused();
            assert!(
                error.is_refusal() && error.message().ends_with("is not a checkpoint, and is not replaced")
            );
            assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
            drop(Generations::new(&target, true, is_ours).unwrap());
            assert_eq!(fs::read_to_string(&path).unwrap(), "mine", "until a checkpoint is written");
            fs::remove_file(&path).unwrap();
            fs::create_dir(&path).unwrap();
            assert_eq!(refused().kind(), ErrorKind::IsADirectory);
            assert!(Generations::new(&target, true, is_ours).is_err());
            fs::remove_dir(&path).unwrap();
        }
        // A file that appears between two checkpoints is not replaced.
        let mut generations = Generations::new(&target, false, is_ours).unwrap();
        fs::create_dir(&target).unwrap();
        assert!(keep(&mut generations, 1).is_err() && target.is_dir());
    }

    #[test]
    #[cfg(unix)]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (target, victim) = (folder.path().join("run.checkpoint"), folder.path().join("victim"));
        fs::write(&victim, "step 1.").unwrap();
        for path in [target.clone(), previous(&target)] {
            std::os::unix::fs::symlink(&victim, &path).unwrap();
            assert!(Generations::new(&target, true, is_ours).unwrap_err().message().contains("is a link"));
            assert!(newest_generation(&path, step).unwrap_err().message().contains("is a link"));
            fs::remove_file(&path).unwrap();
        }
        assert_eq!(fs::read_to_string(&victim).unwrap(), "step 1.");
    }

    #[test]
    #[cfg(unix)]
    fn one_process_at_a_time_writes_a_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("run.checkpoint");
        let mut generations = Generations::new(&target, false, is_ours).unwrap();
        for number in 1..3 {
            assert_eq!(Generations::new(&target, true, is_ours).unwrap_err().kind(), ErrorKind::ResourceBusy);
            keep(&mut generations, number).unwrap();
        }
        drop(generations);
        Generations::new(&target, false, is_ours).unwrap();
    }
}
