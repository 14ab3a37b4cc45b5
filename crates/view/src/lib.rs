//! The page that plays a film of a run, in one file that needs no server and no network.
//!
//! Its modules, style and template are in `page/`; `page/README.md` says how they are put together, `FILM.md` what a film is.

mod page;

pub use page::{page, playground};
