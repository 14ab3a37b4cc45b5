//! The file of `--record`, while it is written.

use std::path::{Path, PathBuf};

use acrasin_verify::replay::{Sink, create};

use crate::unfinished::Unfinished;
use crate::{Failure, leftovers};

/// The file of `--record`, while it is written.
#[derive(Debug)]
pub(crate) struct Recording {
    target: PathBuf,
    /// A pipe or a device has none: it is written as it is, and must not be replaced by a file.
    unfinished: Option<Unfinished>,
    pub(crate) sink: Sink,
}

impl Recording {
    /// Makes it, under a temporary name.
    pub(crate) fn new(target: &Path) -> Result<Self, Failure> {
        // A link stays a link: what it leads to is replaced.
        let target = std::fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        if target.is_dir() || target.file_name().is_none() {
            return Err(Failure::usage(format_args!("{} is a folder", target.display()))
                .accepting("the path of a file to write"));
        }
        let is_special = target.exists() && !target.is_file();
        let mut unfinished = (!is_special).then(|| {
            leftovers::clear_beside(&target);
            Unfinished::beside(&target)
        });
        let path = unfinished.as_ref().map_or(&*target, Unfinished::path);
        let sink = create(path).map_err(|error| Failure::of_path(&target, "written", &error))?;
        if let Some(unfinished) = &mut unfinished {
            unfinished.hold();
        }
        Ok(Self { target, unfinished, sink })
    }

    /// Gives it its name.
    pub(crate) fn publish(self) -> Result<(), Failure> {
        let Self { target, unfinished, sink } = self;
        let finished = sink.finish().and_then(|()| match unfinished {
            Some(unfinished) => unfinished.publish(&target),
            None => Ok(()),
        });
        finished.map_err(|error| {
            Failure::of_machine(format_args!("{} cannot be written: {error}", target.display()))
        })
    }
}
