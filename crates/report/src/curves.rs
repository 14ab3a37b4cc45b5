//! [`Curves`]: smooth theoretical curves next to counts.

/// Curves over the same time axis and columns as a [`Series`](crate::series::Series).
///
/// ```
/// use acrasin_report::curves::Curves;
/// use acrasin_report::plot::{PlotOptions, plot_svg};
/// use acrasin_report::series::Series;
///
/// let mut series = Series::new("time", ["A"])?;
/// series.push(0.0, &[100])?;
/// series.push(1.0, &[35])?;
/// let decay = (0..=10).map(|tenth| f64::from(tenth) / 10.0).map(|time| (time, vec![100.0 * (-time).exp()]));
/// let series = series.with_curves(Curves::new("mean field", decay.collect()));
/// assert!(plot_svg(&series, &PlotOptions::new("Decay"))?.contains("mean field"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    name: String,
    points: Vec<(f64, Vec<f64>)>,
}

impl Curves {
    /// Creates curves; `name` is shown in the legend. Each point is a time with a value for each column; times must
    /// increase.
    #[must_use]
    pub fn new(name: impl Into<String>, points: Vec<(f64, Vec<f64>)>) -> Self {
        Self { name: name.into(), points }
    }

    /// The name in the legend.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The points: times, each with a value for each column.
    #[must_use]
    pub fn points(&self) -> &[(f64, Vec<f64>)] {
        &self.points
    }
}
