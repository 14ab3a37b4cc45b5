//! Refused parameters and starts.

use acrasin_amoebot::library::energy_distribution::EnergyDistributionError;
use acrasin_amoebot::library::erosion;
use acrasin_amoebot::{
    Amoebot, Body, Cell, Direction, EnergyDistribution, Erosion, Orientation, System, start,
};

use super::Still;

#[test]
fn capacities_and_demands_out_of_range() {
    let refused = |capacity, demand: u32| {
        EnergyDistribution::new(Erosion, capacity, |_| demand).map(|_| ()).map_err(|error| error.to_string())
    };
    let because = |message: &str| Err(message.to_owned());
    assert_eq!(refused(0, 1), because("capacity 0 (accepted: 1 to 1048576)"));
    assert_eq!(refused((1 << 20) + 1, 1), because("capacity 1048577 (accepted: 1 to 1048576)"));
    let takes = "action BecomeCandidate takes";
    assert_eq!(
        refused(9, 0),
        because(&format!("{takes} 0 units of energy (accepted: 1 to 9, the capacity)"))
    );
    assert_eq!(
        refused(9, 10),
        because(&format!("{takes} 10 units of energy (accepted: 1 to 9, the capacity)"))
    );
    assert_eq!((refused(9, 9), refused(1, 1), refused(1 << 20, 1 << 20)), (Ok(()), Ok(()), Ok(())));
    let last = EnergyDistribution::new(Erosion, 9, |action| match action {
        erosion::Action::BecomeCandidate | erosion::Action::Erode => 1,
        erosion::Action::Declare => 10,
    });
    let declare = EnergyDistributionError::Demand { action: "Declare".to_owned(), demand: 10, capacity: 9 };
    assert_eq!(last.map(|_| ()), Err(declare));
}

#[test]
fn sources_that_are_missing_or_out_of_reach() {
    let distribution = EnergyDistribution::new(Still, 1, |()| 1).expect("in range");
    let amoebot = |x| Amoebot {
        body: Body::contracted(Cell::new(x, 0).expect("near")),
        orientation: Orientation::COMMON,
        memory: (),
    };
    let parted = System::new([0, 1, 3, 4].map(amoebot).to_vec()).expect("different cells");
    let refused = |sources: &[usize]| {
        distribution.start(&parted, sources).map(|_| ()).map_err(|error| error.to_string())
    };
    let because = |message: &str| Err(message.to_owned());
    let lost = "cannot be reached from a source: every connected part needs one";
    assert_eq!(refused(&[]), because(&format!("cell (0, 0) {lost}")));
    assert_eq!(refused(&[0, 4]), because("source 4 of 4 cells (accepted: below 4, counted from 0)"));
    assert_eq!(refused(&[1]), because(&format!("cell (3, 0) {lost}")));
    assert_eq!(refused(&[3, 3]), because(&format!("cell (0, 0) {lost}")));
    assert_eq!(refused(&[3, 0]), Ok(()));
}

#[test]
fn a_start_keeps_the_amoebots_and_begins_without_energy() {
    let distribution = EnergyDistribution::new(Erosion, 1, |_| 1).expect("in range");
    let orientations: Vec<Orientation> = Orientation::all().collect();
    let cells = start::spiral(Cell::ORIGIN, Direction::East, 12).expect("a spiral");
    let erosion = Erosion::start(&cells, &orientations).expect("no hole");
    let start = distribution.start(&erosion, &[3]).expect("connected");
    assert_eq!(distribution.inner(&start), erosion);
    assert_eq!(distribution.stored(&start), 0);
}
