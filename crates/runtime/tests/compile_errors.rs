//! Compiler errors of a program that uses the lock layer wrongly: one error, at the place of the mistake.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A correct program: its state can neither be cloned nor compared nor printed, and the layer is sent to a
/// thread.
const RIGHT: &str = "
use acrasin_runtime::{lock::LockLayer, NodeId, Topology};

struct Heat(f64);

pub fn main() {
    let edge = Topology::from_edges(2, 1, &[(0, 1)]).unwrap();
    let mut layer = LockLayer::new(edge, vec![Heat(0.0), Heat(1.5)], 1);
    let grant = layer.lock(NodeId(0)).unwrap();
    layer.held(&grant).own_mut().0 = 1.0;
    layer.unlock(grant).unwrap();
    std::thread::spawn(move || drop(layer)).join().unwrap();
}
";

/// The first lines of the errors of a program; `None` if the compiler or this crate's library is not found.
fn errors(program: &str, library: &Path) -> Option<Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder for a test");
    let source = folder.path().join("program.rs");
    std::fs::write(&source, program).expect("a file of a test");
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "-A", "warnings", "-o"])
        .arg(folder.path().join("program.rmeta"))
        .arg("-L")
        .arg(format!("dependency={}", library.parent()?.display()))
        .arg("--extern")
        .arg(format!("acrasin_runtime={}", library.display()))
        .arg(&source)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let errors = said.lines().filter(|line| line.starts_with("error") && !line.contains("aborting due to"));
    Some(errors.map(str::to_owned).collect())
}

/// This crate's library as compiled for the tests: the newest one against which the correct program compiles.
fn library() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let mut found: Vec<PathBuf> = std::fs::read_dir(program.parent()?)
        .ok()?
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name.starts_with("libacrasin_runtime-") && name.ends_with(".rlib")
        })
        .collect();
    found.sort_by_key(|path| std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok());
    found.into_iter().rev().find(|library| errors(RIGHT, library).is_some_and(|errors| errors.is_empty()))
}

/// Regression: a state that cannot be sent to another thread was reported at every call, 35 times.
#[test]
fn a_missing_bound_of_a_state_is_one_error() {
    let Some(library) = library() else {
        // Written directly, because output of tests is captured.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED a_missing_bound_of_a_state_is_one_error: rustc or the compiled crate is not found"
        );
        return;
    };
    let with = |state: &str, value: &str| {
        RIGHT.replace("struct Heat(f64);", state).replace("Heat(0.0)", value).replace("Heat(1.5)", value)
    };
    let sent = with("struct Heat(f64, std::rc::Rc<()>);", "Heat(1.0, std::rc::Rc::new(()))");
    let errors_of = |program: &str| errors(program, &library).expect("it was there a moment ago");
    assert_eq!(errors_of(&sent), ["error[E0277]: `Rc<()>` cannot be sent between threads safely"]);
    // A layer that stays on its thread compiles.
    let stays = sent.replace("std::thread::spawn(move || drop(layer)).join().unwrap();", "drop(layer);");
    assert_eq!(errors_of(&stays), [""; 0]);
    // Behind a mutex, with several calls in each of several threads, it is also one error.
    let shared = sent.replace(
        "std::thread::spawn(move || drop(layer)).join().unwrap();",
        "let shared = std::sync::Mutex::new(layer);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let grant = shared.lock().unwrap().lock(NodeId(0)).unwrap();
            shared.lock().unwrap().held(&grant).own_mut().0 += 1.0;
            shared.lock().unwrap().unlock(grant).unwrap();
        });
    });",
    );
    assert_eq!(errors_of(&shared), ["error[E0277]: `Rc<()>` cannot be sent between threads safely"]);
    // A value of another type than the state is a separate error.
    assert_eq!(errors_of(&with("struct Heat(f64);", "1")).len(), 1);
}
