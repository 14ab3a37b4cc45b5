//! The algorithms, one file or folder each, beginning with its table of actions and ending with its entry of the catalogue.
//!
//! To add one: a file with an [`ENTRY`](hexagon::ENTRY), a line in [`catalogue`].
//!
//! | module | what |
//! |---|---|
//! | [`hexagon`] | hexagon formation |
//! | [`basic_shape`] | line, hexagon, triangles, square |
//! | [`hole_elimination`] | amoebots gather round a seed without holes |
//! | [`erosion`] | leader election by erosion |
//! | [`token_election`] | leader election by tokens that travel round the boundaries, and by coins alone |
//! | [`forest`] | spanning forest |
//! | [`forest_walk`] | a spanning forest that moves: the root walks a path, and may swap roles with who is in its way |
//! | [`forest_repair`] | after crashes the cut off join other trees |
//! | [`maximal_independent_set`] | maximal independent set, a pure test of locks |
//! | [`chirality`] | a seed spreads its way round |
//! | [`boundary`] | outer boundary or hole, by the sum of turns |
//! | [`binary_counter`] | a chain counts up and down, and knows zero |
//! | [`energy_sharing`] | a few harvest energy, and all get to spend it |
//! | [`energy_distribution`] | any algorithm, paid for with energy that a few harvest |
//! | [`coating`] | every amoebot comes to stand beside an object |
//! | [`convex_hull`] | amoebots go round an object along its convex hull |
//! | [`universal_coating`] | every amoebot comes to stand round an object in full layers |
//! | [`local_compression`] | algorithm A of compression: chain M by amoebots that act on their own |
//! | [`markov_chains`] | the entries of compression, bridging, separation, phototaxis and foraging |
//! | [`table`] | an algorithm as a table of actions, which a file can hold |
//! | [`catalogue`], [`entry`], [`parameter`] | all of them by name; what is said of one; what can be written for it |

pub mod basic_shape;
pub mod binary_counter;
pub mod boundary;
pub mod catalogue;
pub mod chirality;
pub mod coating;
pub mod convex_hull;
pub mod energy_distribution;
pub mod energy_sharing;
pub mod entry;
pub mod erosion;
pub mod forest;
pub mod forest_repair;
pub mod forest_walk;
pub mod hexagon;
pub mod hole_elimination;
pub mod local_compression;
pub mod markov_chains;
pub mod maximal_independent_set;
/// What can be written for an algorithm.
pub use acrasin_catalogue::parameter;
pub mod table;
pub mod token_election;
pub mod universal_coating;
