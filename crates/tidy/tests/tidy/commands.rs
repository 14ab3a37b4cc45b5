//! The commands in README.md are those that `.ci/run` runs.

use crate::repository::{assert_none, files, find};

/// The lines of the shell blocks, without comments and prompts.
fn shell_lines(markdown: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut shell = false;
    let mut code = false;
    for line in markdown.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            code = !code;
            shell = code && matches!(language.trim(), "sh" | "bash" | "console" | "shell");
        } else if shell {
            let line = line.trim().trim_start_matches("$ ").split(" #").next().unwrap_or("").trim();
            if !line.is_empty() && !line.starts_with('#') {
                lines.push(line);
            }
        }
    }
    lines
}

/// Complains if the first command that begins with `start` is not in the script.
fn complaints(readme: &str, script: &str) -> Vec<String> {
    let commands = shell_lines(readme);
    let mut complaints = Vec::new();
    for (what, start) in [("the tests", "cargo test"), ("the main job", "cargo run")] {
        match commands.iter().find(|command| command.starts_with(start)) {
            None => complaints.push(format!("README.md has no shell block with {what}: `{start} ...`")),
            Some(command) => {
                // The script announces each command: `timed cargo test ...`.
                let runs = |line: &str| {
                    line.trim() == *command || line.trim().strip_prefix("timed ") == Some(*command)
                };
                if !script.lines().any(runs) {
                    complaints.push(format!(".ci/run does not run {what} of README.md: `{command}`"));
                }
            }
        }
    }
    complaints
}

#[test]
fn the_commands_of_the_readme_are_run() {
    let files = files();
    let script = &find(&files, ".ci/run").expect(".ci/run").text;
    let readme =
        find(&files, "README.md").expect("README.md, with the commands for the main job and the tests");
    assert_none(&complaints(&readme.text, script));
}

#[test]
fn commands_that_are_not_run_are_noticed() {
    let readme = "# A\n\n```sh\n# all\n$ cargo test --workspace\ncargo run --release -- run  # the job\n```\n\n\
                  ```text\ncargo test --nothing\n```\n";
    let good = "timed cargo test --workspace\ntimed cargo run --release -- run\n";
    assert!(complaints(readme, good).is_empty());
    assert_eq!(complaints(readme, "cargo test --workspace --release\n").len(), 2);
    assert_eq!(complaints(readme, "# cargo test --workspace\ntimed cargo run --release -- run\n").len(), 1);
    assert_eq!(complaints("```rust\ncargo test\n```", good).len(), 2);
}
