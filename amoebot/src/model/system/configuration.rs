//! Configurations: the amoebots of a system at one moment, as a comparable value.

use std::hash::{Hash, Hasher};

use acrasin_runtime::Digest;
use acrasin_runtime::digest::DigestWriter;

use super::{Amoebot, System};
use crate::model::body::Body;
use crate::model::id::AmoebotId;
use crate::model::object::Object;
use crate::model::shape::{ShapeError, to_normal};
use crate::model::sort::{ITEMS_AT_ONCE, sort_while};

/// The amoebots of a system and their positions. Amoebots are anonymous: a configuration without identities lists them
/// in the order of their heads. Two systems with equal configurations behave alike. The object is part of the
/// configuration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Configuration<M> {
    amoebots: Vec<Amoebot<M>>,
    object: Object,
}

/// Sorts amoebots by their cells. Not generic over the memories, so it is compiled once.
pub(crate) fn sort_by_body(order: &mut [(Body, AmoebotId)]) {
    order.sort_unstable();
}

impl<M: Clone> System<M> {
    /// The configuration without identities, not translated.
    #[must_use]
    pub fn configuration(&self) -> Configuration<M> {
        let mut order: Vec<(Body, AmoebotId)> = self.ids().map(|id| (self.body(id), id)).collect();
        sort_by_body(&mut order);
        let amoebots = order.into_iter().map(|(_, id)| self.amoebot(id).clone()).collect();
        Configuration { amoebots, object: self.object.clone() }
    }

    /// The configuration in the order of the identities, not translated.
    pub(crate) fn numbered_configuration(&self) -> Configuration<M> {
        Configuration { amoebots: self.amoebots.clone(), object: self.object.clone() }
    }
}

impl<M: Hash> System<M> {
    /// The digest of the [`configuration`](Self::configuration), without building it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest_while(&|| true).expect("there is time for it")
    }

    /// The [`digest`](Self::digest), or `None` once `has_time`, which is called every few milliseconds, returns false.
    /// A digest of millions of amoebots takes a second.
    pub fn digest_while(&self, has_time: &dyn Fn() -> bool) -> Option<Digest> {
        let mut order: Vec<(Body, AmoebotId)> = self.ids().map(|id| (self.body(id), id)).collect();
        sort_while(&mut order, |amoebot| *amoebot, has_time)?;
        let mut writer = DigestWriter::new();
        // Hashes the same values as for a configuration: the number of amoebots, then each of them, then the object.
        writer.write_usize(order.len());
        for part in order.chunks(ITEMS_AT_ONCE) {
            has_time().then_some(())?;
            part.iter().for_each(|(_, id)| self.amoebot(*id).hash(&mut writer));
        }
        self.object.hash(&mut writer);
        Some(writer.digest())
    }
}

impl<M> Configuration<M> {
    /// A configuration of amoebots, given in their final order.
    pub(crate) fn of(amoebots: Vec<Amoebot<M>>, object: Object) -> Self {
        Self { amoebots, object }
    }

    /// Like [`system`](Self::system), but without copying the memories.
    pub(crate) fn into_system(self) -> System<M> {
        let system = System::new(self.amoebots).expect("a configuration comes from a system");
        System { object: self.object, ..system }
    }
}

impl<M: Clone + Hash> Configuration<M> {
    /// The amoebots: sorted by head, or by identity in a state with [distinct
    /// identities](crate::check::Identities).
    #[must_use]
    pub fn amoebots(&self) -> &[Amoebot<M>] {
        &self.amoebots
    }

    /// The configuration translated so that the smallest coordinates are 0. With an object, the smallest coordinates of
    /// the object become 0 instead, since the object does not move.
    ///
    /// # Errors
    ///
    /// The amoebots are too far apart.
    pub fn normal_form(&self) -> Result<Self, ShapeError> {
        let cells = self.amoebots.iter().flat_map(|amoebot| amoebot.body.cells());
        let by_object = to_normal(self.object.cells().iter().copied());
        let (dx, dy) = by_object.or_else(|| to_normal(cells)).ok_or(ShapeError::Empty)?;
        let object = self.object.translated(dx, dy).ok_or(ShapeError::TooWide)?;
        let moved = self.amoebots.iter().map(|amoebot| {
            let body = amoebot.body.translated(dx, dy).ok_or(ShapeError::TooWide)?;
            Ok(Amoebot { body, ..amoebot.clone() })
        });
        // A translation preserves the order.
        Ok(Self { amoebots: moved.collect::<Result<_, _>>()?, object })
    }

    /// A digest of all contents, equal on every platform. A translated configuration has another digest.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self)
    }

    /// A system with this configuration; identities are positions in [`amoebots`](Self::amoebots).
    #[must_use]
    pub fn system(&self) -> System<M> {
        let system = System::new(self.amoebots.clone()).expect("a configuration comes from a system");
        System { object: self.object.clone(), ..system }
    }
}
