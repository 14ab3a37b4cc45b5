//! The page that plays a film of a run, in one file that needs no server and no network.
//!
//! The modules, style and template of the page are in `page/`. `page/README.md` describes how they are assembled,
//! `FILM.md` the format of films.

mod page;

pub use page::{page, playground};
