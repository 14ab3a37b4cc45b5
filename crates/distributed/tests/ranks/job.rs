//! [`Job`]: a command on several ranks, in a folder.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The time after which a job is taken for a hang.
const PATIENCE: Duration = Duration::from_secs(120);

/// A job that runs.
pub(crate) struct Job {
    mpirun: Child,
    is_over: bool,
}

/// The end of a job.
#[derive(Debug)]
pub(crate) struct EndedJob {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Job {
    /// Starts `mpirun -n RANKS acrasin-mpi ARGUMENTS` in a folder.
    pub(crate) fn start(folder: &Path, ranks: usize, arguments: &[&str]) -> Self {
        let mpirun = Command::new("mpirun")
            .args(["-n", &ranks.to_string(), env!("CARGO_BIN_EXE_acrasin-mpi")])
            .args(arguments)
            .current_dir(folder)
            // As flags these differ between Open MPI and MPICH.
            .envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")])
            .envs([
                ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
                ("OMPI_MCA_hwloc_base_binding_policy", "none"),
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("mpirun");
        Self { mpirun, is_over: false }
    }

    /// The process of a rank, once it runs.
    pub(crate) fn process(&self, rank: usize) -> u32 {
        let parent = format!("PPid:\t{}\n", self.mpirun.id());
        let number = format!("OMPI_COMM_WORLD_RANK={rank}");
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            for entry in fs::read_dir("/proc").expect("/proc").flatten() {
                let read = |name: &str| fs::read(entry.path().join(name)).unwrap_or_default();
                let status = String::from_utf8_lossy(&read("status")).into_owned();
                let environment = read("environ");
                if status.contains(&parent)
                    && status.starts_with("Name:\tacrasin-mpi\n")
                    && environment.split(|&byte| byte == 0).any(|one| one == number.as_bytes())
                {
                    return entry.file_name().to_string_lossy().parse().expect("a process");
                }
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("rank {rank} does not start");
    }

    /// Sends a signal to a rank.
    pub(crate) fn signal(&self, rank: usize, signal: &str) {
        let process = self.process(rank).to_string();
        let sent = Command::new("kill").args([signal, &process]).status().expect("kill");
        assert!(sent.success(), "{signal} to rank {rank}");
    }

    /// Sends a signal to `mpirun`.
    pub(crate) fn signal_all(&self, signal: &str) {
        let process = self.mpirun.id().to_string();
        assert!(Command::new("kill").args([signal, &process]).status().expect("kill").success());
    }

    /// Waits for the end. Panics if the job hangs.
    pub(crate) fn end(mut self) -> EndedJob {
        let since = Instant::now();
        // Output is read by threads, so that a full pipe stops nothing.
        let read = |pipe: Box<dyn std::io::Read + Send>| {
            std::thread::spawn(move || std::io::read_to_string(pipe).expect("text"))
        };
        let out = read(Box::new(self.mpirun.stdout.take().expect("a pipe")));
        let err = read(Box::new(self.mpirun.stderr.take().expect("a pipe")));
        while self.mpirun.try_wait().expect("mpirun").is_none() {
            assert!(since.elapsed() < PATIENCE, "the job hangs");
            std::thread::sleep(Duration::from_millis(5));
        }
        self.is_over = true;
        let code = self.mpirun.wait().expect("mpirun").code();
        EndedJob { code, out: out.join().expect("text"), err: err.join().expect("text") }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if !self.is_over {
            let _ = self.mpirun.kill();
            let _ = self.mpirun.wait();
        }
    }
}

/// Runs a job to its end.
pub(crate) fn ran(folder: &Path, ranks: usize, arguments: &[&str]) -> EndedJob {
    Job::start(folder, ranks, arguments).end()
}

/// Runs the command without `mpirun`, as one process.
pub(crate) fn alone(folder: &Path, arguments: &[&str]) -> EndedJob {
    let mut command = Command::new(env!("CARGO_BIN_EXE_acrasin-mpi"));
    let Output { status, stdout, stderr } =
        command.args(arguments).current_dir(folder).output().expect("the command");
    let [out, err] = [stdout, stderr].map(|text| String::from_utf8(text).expect("text"));
    EndedJob { code: status.code(), out, err }
}
