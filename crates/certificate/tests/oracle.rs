//! The checker in Python next to the project, as an oracle: other people wrote it from the same description.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// Reads one case per line, and prints one verdict per line.
const DRIVER: &str = r#"
import json, sys
sys.path.insert(0, sys.argv[1])
sys.setrecursionlimit(20000)
from pp import Protocol, Claim
from check_certificate import check
claim = None
for line in sys.stdin:
    case = json.loads(line)
    if 'protocol' in case:
        claim = Claim(Protocol(case['protocol']), case['predicate'], case['given'], case['eventually'], case['answers'])
        continue
    try: check(claim, case['certificate']); print('accepted')
    except Exception as why: print('refused', repr(why)[:200])
"#;

/// The path of a file next to the project, if the file exists. Otherwise prints that the test is skipped.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: {} is not there", path.display());
    None
}

/// The verdicts of the oracle on certificates of one claim: the reason of each refusal. `None` if the oracle is
/// missing. The claim has the fields `protocol`, `predicate`, `given`, `eventually` and `answers`.
pub(crate) fn verdicts(claim: &Value, certificates: &[String]) -> Option<Vec<Result<(), String>>> {
    let tools = shared("tools/check_certificate.py")?;
    let python = Command::new("python3")
        .args(["-c", DRIVER])
        .arg(tools.parent()?)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut python) = python else {
        eprintln!("SKIPPED: there is no python3");
        return None;
    };
    let mut input = claim.to_string();
    for certificate in certificates {
        // On one line, as it is.
        input += &format!("\n{{\"certificate\":{}}}", certificate.replace('\n', " "));
    }
    input.push('\n');
    let mut stdin = python.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    let output = python.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let verdict = |line: &str| match line.strip_prefix("refused ") {
        Some(reason) => Err(reason.to_owned()),
        None => Ok(()),
    };
    let verdicts: Vec<Result<(), String>> = text.lines().map(verdict).collect();
    assert_eq!(verdicts.len(), certificates.len(), "the oracle stopped early");
    Some(verdicts)
}
