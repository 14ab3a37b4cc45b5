//! Models behind trait objects, so that the search is compiled once.

use crate::model::{Model, Moves};

/// A model as a trait object.
pub(crate) trait DynModel {
    fn unpacker(&self) -> Box<dyn Unpacker + '_>;
    fn held_bytes(&self) -> u64;
}

pub(crate) struct ErasedModel<'m, M>(pub(crate) &'m M);

impl<M: Model> DynModel for ErasedModel<'_, M> {
    fn unpacker(&self) -> Box<dyn Unpacker + '_> {
        Box::new(ModelUnpacker { model: self.0, workbench: self.0.workbench() })
    }

    fn held_bytes(&self) -> u64 {
        self.0.held_bytes()
    }
}

/// A model with its own workbench, as a trait object: so the search is compiled once here, not once per model. One
/// dynamic call per configuration is negligible compared with its expansion.
pub(crate) trait Unpacker: Send {
    fn expand(&mut self, configuration: &[u8], moves: &mut Moves);
}

struct ModelUnpacker<'m, M: Model> {
    model: &'m M,
    workbench: M::Workbench,
}

impl<M: Model> Unpacker for ModelUnpacker<'_, M> {
    fn expand(&mut self, configuration: &[u8], moves: &mut Moves) {
        self.model.expand(&mut self.workbench, configuration, moves);
    }
}
