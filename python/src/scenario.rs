//! Runs scenario files, with the same records and digests as the command.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use acrasin_amoebot::start::Drawing;
use acrasin_output::OutputFile;
use acrasin_report::record::record_cells;
use acrasin_report::value::{TextStyle, Value};
use acrasin_runtime::Digest;
use acrasin_runtime::choice::derived_seed;
use acrasin_scenario::film::{ObservingControl, TraceRecorder, facts};
use acrasin_scenario::plan::arrange;
use acrasin_scenario::{DocumentError, Finished, Job, Runnable, ScenarioFile};
use acrasin_verify::replay::sink;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::catalogue::catalogue;
use crate::output::output_error;
use crate::table::value_error;
use crate::threads;
use crate::trials::{Deadline, Stopped, watch};

/// Paths of fields in a scenario, each with its value as text.
type FieldValues = Vec<(String, String)>;

/// A parsed and validated scenario.
#[pyclass(frozen, module = "acrasin._acrasin", name = "Scenario")]
pub(crate) struct PyScenario {
    plan: Arc<dyn Runnable + Send>,
    text: String,
    files: Vec<String>,
}

/// The result of a run.
#[pyclass(frozen, module = "acrasin._acrasin", name = "Run")]
pub(crate) struct PyRun {
    finished: Finished,
}

/// Calls `make` in a pool with this number of threads, `None` for one per core, and asks it to stop on Ctrl-C.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    make: impl FnOnce(&AtomicBool) -> PyResult<T> + Send,
) -> PyResult<T> {
    let pool = match threads {
        None => None,
        Some(0) => {
            return Err(PyValueError::new_err("threads 0 (accepted: 1 or more, or None for one per core)"));
        }
        Some(threads) => {
            let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            Some(built.map_err(|error| PyRuntimeError::new_err(error.to_string()))?)
        }
    };
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| match &pool {
            Some(pool) => pool.install(|| make(&stop)),
            None => threads::run(|| make(&stop)),
        });
        let seen = watch(py, &worker, &stop, &Deadline::of(None));
        let made = py.detach(|| worker.join());
        seen?;
        made.map_err(|_| PyRuntimeError::new_err("a bug in acrasin, not an error in the scenario"))?
    })
}

impl PyScenario {
    fn seed_of(&self, seed: Option<u64>) -> u64 {
        seed.or(self.plan.header().seed).unwrap_or(1)
    }
}

#[pymethods]
impl PyScenario {
    /// Reads a scenario. Paths in it are relative to `base`; `sets` are overrides.
    #[new]
    fn new(text: &str, name: &str, base: PathBuf, sets: FieldValues, memory: u64) -> PyResult<Self> {
        let refused = |error: DocumentError| PyValueError::new_err(error.to_string());
        let file = ScenarioFile::parse(text, name, &sets).map_err(refused)?;
        let plan = file.plan(catalogue(), &base, memory).map_err(refused)?;
        let files = file.files().into_iter().map(|(_, path)| path).collect();
        Ok(Self { plan, text: file.text().to_owned(), files })
    }

    /// The paths of the data files, as written in the scenario.
    #[getter]
    fn files(&self) -> Vec<String> {
        self.files.clone()
    }

    /// The text of the scenario with the overrides applied.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    #[getter]
    fn title(&self) -> &str {
        self.plan.header().title.as_str()
    }

    #[getter]
    fn seed(&self) -> Option<u64> {
        self.plan.header().seed
    }

    /// The resolved parameters of the scenario, as names and values.
    #[getter]
    fn parameters(&self) -> Vec<(String, String)> {
        self.plan.header().parameters.clone()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.plan.header().notes.as_slice().to_vec()
    }

    /// The transition table of the protocol as text; `None` if it has none.
    #[getter]
    fn protocol_table(&self) -> Option<String> {
        self.plan.header().protocol_table.clone()
    }

    /// An upper bound on the memory of a run, in bytes.
    #[getter]
    fn bytes(&self) -> u128 {
        self.plan.header().bytes
    }

    /// Runs the scenario once.
    #[pyo3(signature = (seed = None, repetition = 0, threads = None))]
    fn run(
        &self,
        py: Python<'_>,
        seed: Option<u64>,
        repetition: u32,
        threads: Option<usize>,
    ) -> PyResult<PyRun> {
        let seed = self.seed_of(seed);
        let finished = watched(py, threads, |stop| {
            let watch = Stopped(stop);
            let job = Job { seed, repetition, watch: &watch, record: None };
            self.plan.run(job).map_err(value_error)
        })?;
        Ok(PyRun { finished })
    }

    /// Runs the scenario and writes every step to a file that `acrasin replay` reads.
    #[pyo3(signature = (path, seed = None))]
    fn record(&self, py: Python<'_>, path: PathBuf, seed: Option<u64>) -> PyResult<PyRun> {
        if let Some((why, accepted)) = self.plan.header().unrecorded {
            return Err(PyValueError::new_err(format!("{why} (accepted: {accepted})")));
        }
        let seed = self.seed_of(seed);
        let output = OutputFile::new(&path, true).map_err(|error| output_error(&error))?;
        let failed = |error: &io::Error| output_error(&output.failure(error));
        let mut steps = sink(output.file().try_clone().map_err(|error| failed(&error))?, &path);
        let finished = watched(py, None, |stop| {
            let watch = Stopped(stop);
            let job = Job { seed, repetition: 0, watch: &watch, record: Some(Box::new(&mut steps)) };
            self.plan.run(job).map_err(value_error)
        })?;
        steps.finish().map_err(|error| failed(&error))?;
        output.publish().map_err(|error| output_error(&error))?;
        Ok(PyRun { finished })
    }

    /// The page of a run as HTML, which shows every `every`-th step. Without `every`, the page of a long run leaves out
    /// steps, and says so.
    #[pyo3(signature = (seed = None, every = None, playground = false))]
    fn page(
        &self,
        py: Python<'_>,
        seed: Option<u64>,
        every: Option<u64>,
        playground: bool,
    ) -> PyResult<String> {
        const FRAMES_MAX: u64 = 1_000_001;
        const BYTES_MAX: usize = 19_000_000;
        if every == Some(0) {
            return Err(PyValueError::new_err("every=0 (accepted: 1 or more)"));
        }
        let seed = self.seed_of(seed);
        let (camera, finished) = watched(py, None, |stop| {
            let watch = Stopped(stop);
            let camera =
                every.map_or_else(|| TraceRecorder::within(FRAMES_MAX, BYTES_MAX), TraceRecorder::every);
            let filming = ObservingControl::new(&watch, camera);
            let job = Job { seed, repetition: 0, watch: &filming, record: None };
            let finished = self.plan.run_seen(job).map_err(value_error)?;
            Ok((filming.into_eye(), finished))
        })?;
        let Some(mut film) = camera.develop() else {
            return Err(PyValueError::new_err(
                "no film: nothing of the run can be shown (accepted: another scenario)",
            ));
        };
        self.plan.header().title.as_str().clone_into(&mut film.head.title);
        film.head.facts = facts(&finished.record, seed, None);
        Ok(if playground { acrasin_view::playground(Some(&film)) } else { acrasin_view::page(&film) })
    }

    /// The seed of one run of a sweep, the same as in `acrasin sweep`.
    #[staticmethod]
    fn sweep_seed(seed: u64, over: FieldValues, repetition: u64) -> u64 {
        // If seeds are varied, repetition 0 has the seed itself.
        let varied = over.iter().find(|(key, _)| key == "seed").and_then(|(_, value)| value.parse().ok());
        if let Some(seed) = varied {
            return if repetition == 0 { seed } else { derived_seed(seed, repetition) };
        }
        let Digest(digest) = Digest::of(&over);
        derived_seed(derived_seed(seed, digest as u64), repetition)
    }
}

/// Runs scenarios on all cores, each on one thread, with these seeds and numbers of repetitions. Returns the runs in
/// the same order. `memory`, in bytes, limits the number of simultaneous runs.
#[pyfunction]
pub(crate) fn run_all(
    py: Python<'_>,
    jobs: Vec<(Py<PyScenario>, u64, u32)>,
    memory: u64,
    threads: Option<usize>,
) -> PyResult<Vec<PyRun>> {
    let largest =
        jobs.iter().map(|(scenario, ..)| scenario.get().plan.header().bytes).max().unwrap_or(0).max(1);
    let fitting = usize::try_from(u128::from(memory) / largest).unwrap_or(usize::MAX);
    let cores = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let workers = if cores == 0 { 0 } else { cores.min(fitting).min(jobs.len()).max(1) };
    let next = AtomicUsize::new(0);
    let finished: Vec<Mutex<Option<PyResult<Finished>>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
    let work = |stop: &AtomicBool| {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some((scenario, seed, repetition)) = jobs.get(number) else { break };
            let watch = Stopped(stop);
            let job = Job { seed: *seed, repetition: *repetition, watch: &watch, record: None };
            let run = scenario.get().plan.run(job).map_err(value_error);
            *finished[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(run);
        }
    };
    if workers == 0 {
        return Err(PyValueError::new_err("threads 0 (accepted: 1 or more, or None for one per core)"));
    }
    watched(py, None, |stop| {
        // Each worker has its own pool of one thread: in a common pool a waiting run would start another one.
        let pools = (0..workers).map(|_| rayon::ThreadPoolBuilder::new().num_threads(1).build());
        let pools: Vec<_> =
            pools.collect::<Result<_, _>>().map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        std::thread::scope(|scope| {
            for pool in &pools {
                scope.spawn(|| pool.install(|| work(stop)));
            }
        });
        Ok(())
    })?;
    let runs = finished.into_iter().map(|run| {
        let run = run.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(PyRun { finished: run.expect("every run was begun")? })
    });
    runs.collect()
}

#[pymethods]
impl PyRun {
    /// The record as `acrasin run --format jsonl` prints it.
    fn json(&self) -> String {
        self.finished.record.to_json_line()
    }

    /// The record as readable text.
    fn text(&self) -> String {
        self.finished.record.to_text(TextStyle::default())
    }

    /// The exit code that `acrasin run` would have for this run.
    #[getter]
    fn exit(&self) -> u8 {
        self.finished.record.outcome().exit.code()
    }

    /// The record as a row of a table: column names and values.
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let cells = PyDict::new(py);
        for (name, value) in record_cells(&self.finished.record) {
            match value {
                Value::Text(text) => cells.set_item(name, text)?,
                Value::Flag(flag) => cells.set_item(name, flag)?,
                Value::Integer(number) => cells.set_item(name, number)?,
                Value::Signed(number) => cells.set_item(name, number)?,
                Value::Real(number) | Value::Share(number) => cells.set_item(name, number)?,
                // Missing values, and kinds that may be added later.
                _ => cells.set_item(name, py.None())?,
            }
        }
        Ok(cells)
    }

    /// The number of agents in each state over time: the name of the time axis, the times, the names of the counts, and
    /// one row of counts per time. `None` if the run has no counts.
    #[allow(clippy::type_complexity)]
    fn series<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Option<(String, Bound<'py, PyArray1<f64>>, Vec<String>, Bound<'py, PyArray2<u64>>)>> {
        let Some(series) = &self.finished.series else { return Ok(None) };
        let times = PyArray1::from_iter(py, series.rows().map(|row| row.time));
        let rows: Vec<Vec<u64>> = series.rows().map(|row| row.counts.to_vec()).collect();
        let counts = PyArray2::from_vec2(py, &rows)?;
        Ok(Some((series.time_label().to_owned(), times, series.columns().to_vec(), counts)))
    }

    /// The mean-field limit: times, and one row of numbers per time; `None` if it was not requested.
    #[allow(clippy::type_complexity)]
    fn mean_field<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Option<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>)>> {
        let Some(curves) = self.finished.series.as_ref().and_then(|series| series.curves()) else {
            return Ok(None);
        };
        let times = PyArray1::from_iter(py, curves.points().iter().map(|&(time, _)| time));
        let rows: Vec<Vec<f64>> = curves.points().iter().map(|(_, row)| row.clone()).collect();
        Ok(Some((times, PyArray2::from_vec2(py, &rows)?)))
    }

    /// For amoebots: the names of the recorded moments.
    fn moments(&self) -> Vec<String> {
        let reached = self.finished.snapshots.iter().filter(|snapshot| snapshot.is_reached);
        reached.map(|snapshot| snapshot.name.clone()).collect()
    }

    /// For amoebots: x and y of head and tail at a recorded moment, one row per amoebot; `None` if the area is too
    /// large.
    fn positions<'py>(&self, py: Python<'py>, moment: usize) -> PyResult<Option<Bound<'py, PyArray2<i32>>>> {
        let Some(drawing) =
            self.finished.snapshots.get(moment).and_then(|snapshot| snapshot.drawing.as_ref())
        else {
            return Ok(None);
        };
        Ok(Some(PyArray2::from_vec2(py, &rows(drawing))?))
    }

    /// For amoebots: the picture at a recorded moment as SVG; `None` if there are so many amoebots that they would not
    /// be visible.
    fn picture(&self, moment: usize) -> Option<String> {
        Some(self.finished.snapshots.get(moment)?.picture.as_ref()?.to_svg())
    }
}

fn rows(drawing: &Drawing) -> Vec<Vec<i32>> {
    let of = |drawn: &acrasin_amoebot::start::DrawnAmoebot| {
        let (head, tail) = (drawn.body.head(), drawn.body.tail());
        vec![head.x(), head.y(), tail.x(), tail.y()]
    };
    drawing.amoebots().iter().map(of).collect()
}

/// A list with `numbers[s]` copies of each state s, shuffled as a run of uniform pairs with this seed places them on
/// the nodes of a graph.
#[pyfunction]
pub(crate) fn arranged<'py>(
    py: Python<'py>,
    numbers: PyReadonlyArray1<'py, u32>,
    seed: u64,
) -> Bound<'py, PyArray1<u32>> {
    let mut numbers: Vec<u32> = numbers.as_array().iter().copied().collect();
    py.detach(|| arrange(&mut numbers, seed));
    PyArray1::from_vec(py, numbers)
}

/// The HTML page with the simulator.
#[pyfunction]
pub(crate) fn playground() -> String {
    acrasin_view::playground(None)
}
