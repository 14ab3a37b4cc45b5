//! The algorithms, one file or folder each. Each file begins with the table of actions and ends with the catalogue
//! entry.
//!
//! To add an algorithm, write a file with an [`ENTRY`](hexagon::ENTRY), and add a line to [`catalogue`].
//!
//! | module | contents |
//! |---|---|
//! | [`hexagon`] | hexagon formation |
//! | [`basic_shape`] | formation of a line, hexagon, triangle or square |
//! | [`hole_elimination`] | amoebots gather around a seed without holes |
//! | [`erosion`] | leader election by erosion |
//! | [`token_election`] | leader election by tokens that travel around the boundaries, and by coins alone |
//! | [`forest`] | spanning forest |
//! | [`forest_walk`] | a moving spanning forest: the root walks a path, and may swap roles with an amoebot that blocks it |
//! | [`forest_repair`] | amoebots that crashes cut off from their tree join other trees |
//! | [`maximal_independent_set`] | maximal independent set, which only tests locks |
//! | [`chirality`] | a seed spreads its sense of rotation |
//! | [`boundary`] | amoebots determine whether a boundary is the outer one or that of a hole |
//! | [`binary_counter`] | a chain counts up and down, and detects zero |
//! | [`energy_sharing`] | a few amoebots harvest energy, and all spend it |
//! | [`energy_distribution`] | an algorithm whose actions cost energy that a few amoebots harvest |
//! | [`coating`] | amoebots move along an object that counts as infinite, until each is next to it |
//! | [`convex_hull`] | amoebots surround an object along its convex hull |
//! | [`universal_coating`] | amoebots surround an object in full layers |
//! | [`local_compression`] | algorithm A of compression: chain M by amoebots that act independently |
//! | [`markov_chains`] | the entries of compression, bridging, separation, phototaxis and foraging |
//! | [`table`] | algorithms as tables of actions, for scenario files |
//! | [`catalogue`], [`entry`], [`parameter`] | all algorithms by name; their entries; their parameters |

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
/// Parameters of algorithms, and their values.
pub use acrasin_catalogue::parameter;
pub mod table;
pub mod token_election;
pub mod universal_coating;
