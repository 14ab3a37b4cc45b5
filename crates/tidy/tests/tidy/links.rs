//! Relative links in documents lead to files, and their anchors to headings.

use crate::repository::{File, assert_none, files, find};

/// The lines outside of code blocks, with their numbers.
pub(crate) fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        !in_code && !fence
    })
}

/// The link targets in a line: `[text](target)`.
fn targets(line: &str) -> Vec<&str> {
    let ends = line.match_indices("](").map(|(at, _)| &line[at + 2..]);
    ends.filter_map(|rest| rest.split_once(')').map(|(target, _)| target)).collect()
}

/// The anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

fn anchors(text: &str) -> Vec<String> {
    let headings = prose(text).filter(|(_, line)| line.starts_with('#'));
    headings.map(|(_, line)| anchor(line.trim_start_matches('#'))).collect()
}

/// `target` relative to `folder`, without `.` and `..`; `None` if it leaves the repository.
fn resolve(folder: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn complaints(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.has_extension("md")) {
        for (number, line) in prose(&file.text) {
            for target in targets(line) {
                if target.contains("://") || target.starts_with("mailto:") {
                    continue;
                }
                let (path, wanted) = target.split_once('#').unwrap_or((target, ""));
                let here = format!("{}:{number}: {target}", file.path);
                let resolved =
                    if path.is_empty() { Some(file.path.clone()) } else { resolve(file.folder(), path) };
                let Some(resolved) = resolved else {
                    complaints.push(format!("{here}: leads out of the repository"));
                    continue;
                };
                let found = find(files, &resolved);
                let folder = format!("{resolved}/");
                if found.is_none() && !files.iter().any(|other| other.path.starts_with(&folder)) {
                    complaints.push(format!("{here}: no such file"));
                }
                if let Some(found) = found
                    && !wanted.is_empty()
                    && !anchors(&found.text).contains(&wanted.to_owned())
                {
                    complaints.push(format!("{here}: no such heading"));
                }
            }
        }
    }
    complaints
}

#[test]
fn links_lead_somewhere() {
    let files = files();
    let documents = files.iter().filter(|file| file.has_extension("md"));
    let links: usize =
        documents.flat_map(|file| prose(&file.text)).map(|(_, line)| targets(line).len()).sum();
    assert!(links > 10, "{links} links");
    assert_none(&complaints(&files));
}

#[test]
fn broken_links_are_noticed() {
    let with = |text: &str| {
        complaints(&[
            File::new("docs/a.md", text),
            File::new("docs/sub/b.md", "# One, two: `three`\n\n```sh\n# no heading\n```\n"),
            File::new("c.rs", ""),
        ])
    };
    for good in [
        "[b](sub/b.md)",
        "[b](sub/b.md#one-two-three) and [c](../c.rs)",
        "[folder](sub)",
        "[self](#a-heading)\n\n## A heading",
        "[far](https://example.org/x)",
        "```\n[code](nowhere.md)\n```",
    ] {
        assert!(with(good).is_empty(), "{good}: {:?}", with(good));
    }
    for (bad, end) in [
        ("[b](b.md)", "no such file"),
        ("[b](sub/b.md#one)", "no such heading"),
        ("[b](sub/b.md#no-heading)", "no such heading"),
        ("[self](#nowhere)", "no such heading"),
        ("[out](../../x.md)", "leads out of the repository"),
    ] {
        let found = with(bad);
        assert!(found.len() == 1 && found[0].ends_with(end), "{bad}: {found:?}");
    }
}
