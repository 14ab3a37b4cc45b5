//! `acrasin completions` and `acrasin man`: pages generated from the definition of the command.

use acrasin_report::record::Exit;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{Failure, output};

pub(crate) fn completions(shell: Shell, whole: &mut Command) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, whole, "acrasin", &mut script);
    print(&script)
}

/// Prints the manual page of one command, or of the whole program.
pub(crate) fn manual(name: Option<&str>, mut whole: Command) -> Result<Exit, Failure> {
    // Gives subcommands their full names and the global flags.
    whole.build();
    let page = match name {
        None => whole,
        Some(name) => match whole.find_subcommand(name) {
            Some(found) => found.clone().display_name(format!("acrasin-{name}")),
            None => {
                let names: Vec<&str> = whole.get_subcommands().map(Command::get_name).collect();
                return Err(Failure::usage(format_args!("there is no command `{}`", name.escape_debug()))
                    .accepting(names.join(", ")));
            }
        },
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text).expect("memory can be written");
    print(&text)
}

fn print(page: &[u8]) -> Result<Exit, Failure> {
    output::print(&String::from_utf8_lossy(page))?;
    Ok(Exit::Done)
}
