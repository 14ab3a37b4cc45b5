//! Memories of table algorithms.

/// The maximum number of variables of an amoebot.
pub const VARIABLES_MAX: usize = 8;

/// The values of all variables, in the order of their names. Unused entries are 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Memory([u8; VARIABLES_MAX]);

acrasin_runtime::pack_fields!(Memory { 0 });

impl Memory {
    pub(super) const fn value(&self, variable: usize) -> u8 {
        self.0[variable]
    }

    pub(super) const fn set(&mut self, variable: usize, value: u8) {
        self.0[variable] = value;
    }
}
