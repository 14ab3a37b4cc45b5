//! `acrasin check-certificate`: checks a proof for every population size.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use acrasin_catalogue::counted;
use acrasin_certificate::limits::CERTIFICATE_BYTES_MAX;
use acrasin_certificate::{Certificate, CertificateSummary, check, explain};
use acrasin_prover::{ProofLimits, SizedClaim, covers_an_input};
use acrasin_report::escape::visible;
use acrasin_report::record::Exit;
use acrasin_scenario::{Catalogue, FileKind, InputFile};
use clap::Args;

use super::arguments::ClaimArguments;
use super::check_target::{heading, subject};
use super::every_size::{draw, going, no_input, refuse_constants};
use crate::arguments::setting;
use crate::output::Verbosity;
use crate::progress::ProgressLine;
use crate::supervisor::Supervisor;
use crate::{Failure, duration, interrupt, output};

/// The maximum work of the search for an input that satisfies `--given`, in tableau entries: about 0.1 s.
const GIVEN_ENTRIES: u64 = 20_000_000;

/// The arguments of `acrasin check-certificate`.
#[derive(Args, Debug)]
pub(crate) struct CheckCertificateArguments {
    /// The certificate: a JSON file.
    #[arg(value_name = "FILE")]
    certificate: PathBuf,
    /// The protocol that the certificate is about: a protocol alone, a scenario, or the name of a protocol of the
    /// library.
    #[arg(value_name = "PROTOCOL")]
    protocol: PathBuf,
    /// Replace one value of the protocol's file. May be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    #[command(flatten)]
    claim: ClaimArguments,
    /// Also print the proof in words.
    #[arg(long)]
    explain: bool,
    /// Write the tree of stages as SVG to this file.
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
    /// Stop after this time on the clock, such as 10s, 5m, 1h30m.
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    max_time: Option<Duration>,
}

/// Checks that a certificate proves a claim, independently of the prover. The prover is only used to refuse claims that
/// concern no input, which would hold trivially.
pub(crate) fn check_certificate(
    arguments: &CheckCertificateArguments,
    catalogue: &Catalogue,
    verbosity: Verbosity,
) -> Result<Exit, Failure> {
    let CheckCertificateArguments { certificate: path, protocol, set, claim: wanted, max_time, .. } =
        arguments;
    let supervisor = Supervisor::new(*max_time, ProgressLine::new(1, verbosity));
    let input = protocol.exists().then(|| InputFile::read(protocol, set)).transpose()?;
    let other = match input.as_ref().map(InputFile::kind) {
        Some(FileKind::Amoebots) => Some("amoebots"),
        Some(FileKind::Reactions) => Some("reactions"),
        _ => None,
    };
    if let Some(other) = other {
        return Err(Failure::usage(format_args!("{} is a scenario of {other}", protocol.display()))
            .accepting("a population protocol"));
    }
    let target = subject((protocol, set), wanted, input, catalogue, verbosity)?;
    let Some(claim) = &target.claim else {
        return Err(
            Failure::usage("check-certificate without a claim").accepting("--predicate or --eventually")
        );
    };
    let sized = SizedClaim::of(&target.table, &target.inputs, claim);
    refuse_constants(wanted, &target.table, &sized)?;
    if let Some(given) = &wanted.given {
        let limits = ProofLimits { entries: GIVEN_ENTRIES, ..ProofLimits::default() };
        if !covers_an_input(&sized, &limits) {
            return Err(no_input(given));
        }
    }
    let text = read(path)?;
    let certificate = Certificate::parse(&text).map_err(|error| {
        let message = visible(&format!("{}: {}: {}", path.display(), error.place(), error.message()));
        match error.accepted() {
            "" => Failure::usage(message),
            accepted => Failure::usage(message).accepting(visible(accepted)),
        }
    })?;
    interrupt::a_run_begins();
    let mut keep_going = || going(&supervisor);
    let checked = if arguments.explain || arguments.picture.is_some() {
        explain(&certificate, &target.table, &target.inputs, claim, &mut keep_going)
            .map(|explanation| (*explanation.summary(), Some(explanation)))
    } else {
        check(&certificate, &target.table, &target.inputs, claim, &mut keep_going)
            .map(|summary| (summary, None))
    };
    supervisor.progress().finish();
    match checked {
        Ok((summary, explanation)) => {
            if let (Some(path), Some(explanation)) = (&arguments.picture, &explanation) {
                draw(path, explanation)?;
            }
            let words = explanation.filter(|_| arguments.explain);
            let words = words.map_or_else(String::new, |explanation| format!("\n{}", explanation.text()));
            output::print(&(heading(&target) + &accepted(&summary) + &words))?;
            Ok(Exit::Done)
        }
        Err(refusal) if refusal.is_interrupted() => {
            verbosity.say("stopped before the certificate was checked: it may be right or wrong");
            Ok(if interrupt::is_asked_to_stop() { Exit::Interrupted } else { Exit::BudgetExhausted })
        }
        Err(refusal) => {
            let line = format!("refused: {}: {}: {}", path.display(), refusal.place(), refusal.reason());
            output::print(&format!("{}{}\n", heading(&target), visible(&line)))?;
            Ok(Exit::Failed)
        }
    }
}

/// Reads the text of a file. Fails if the file is larger than a certificate may be.
fn read(path: &Path) -> Result<String, Failure> {
    let failed = |error| Failure::of_path(path, "read", &error);
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    // Reads one byte more than allowed, to detect longer files: devices have no size.
    file.take(CERTIFICATE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    let path = path.display();
    if bytes.len() > CERTIFICATE_BYTES_MAX {
        return Err(Failure::usage(format_args!("{path} has more than {CERTIFICATE_BYTES_MAX} bytes"))
            .accepting(format_args!("certificates of at most {CERTIFICATE_BYTES_MAX} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::usage(format_args!("{path}: byte {at} is not UTF-8")).accepting("JSON in UTF-8")
    })
}

/// The output for an accepted certificate.
fn accepted(summary: &CertificateSummary) -> String {
    let steps: Vec<String> = summary
        .steps()
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(word, count)| format!("{count} {word}"))
        .collect();
    let mut text = "accepted: the claim holds for every population of two or more agents\n".to_owned();
    let [nodes, inferences] = [counted(summary.nodes(), "node"), counted(summary.inferences(), "inference")];
    let steps = if steps.is_empty() { "none".to_owned() } else { steps.join(", ") };
    let _ = writeln!(text, "{nodes}, steps: {steps}; {inferences}");
    match summary.live_at_end() {
        0 => text += "every fair execution becomes silent\n",
        live => {
            let live = counted(live, "transition");
            let _ = writeln!(text, "silence is not proved: up to {live} may occur forever");
        }
    }
    text
}
