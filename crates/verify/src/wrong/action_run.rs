//! [`ActionRun`]: one execution of an action, which a fault can alter.

use acrasin_runtime::exclusion::local::{Action, Local, LockNote, Memory, Message, Rules};
use acrasin_runtime::exclusion::{ActionEffects, Exclusion as _, Input};
use acrasin_runtime::{Choices, Port, PortSet};

/// One execution of an action, which a fault can alter.
pub(super) struct ActionRun<'a> {
    local: &'a Local,
    pub(super) action: Action,
    pub(super) input: Input<'a, Message>,
    choices: &'a mut dyn Choices,
    pub(super) effects: &'a mut ActionEffects<Message, LockNote>,
    /// The number of messages that the enclosing action has already put into the buffer.
    earlier: usize,
}

impl<'a> ActionRun<'a> {
    pub(super) fn new(
        local: &'a Local,
        action: Action,
        input: Input<'a, Message>,
        choices: &'a mut dyn Choices,
        effects: &'a mut ActionEffects<Message, LockNote>,
    ) -> Self {
        let earlier = effects.sends.len();
        Self { local, action, input, choices, effects, earlier }
    }

    /// Executes the action under the shipped rules.
    pub(super) fn right(&mut self, memory: &mut Memory) {
        self.local.execute(memory, self.action, self.input, self.choices, self.effects);
    }

    /// Executes the action under `rules`, in which repairs may be missing.
    pub(super) fn with_rules(&mut self, memory: &mut Memory, rules: Rules) {
        let local = self.local.with_rules(rules);
        local.execute(memory, self.action, self.input, self.choices, self.effects);
    }

    /// Executes the action with draws from `choices`.
    pub(super) fn with_choices(&mut self, memory: &mut Memory, choices: &mut dyn Choices) {
        self.local.execute(memory, self.action, self.input, choices, self.effects);
    }

    /// Executes the action as if the detector had reported nothing.
    pub(super) fn without_report(&mut self, memory: &mut Memory) {
        let input = Input { disconnected: &PortSet::new(), ..self.input };
        self.local.execute(memory, self.action, input, self.choices, self.effects);
    }

    /// Executes CleanUp instead of the action.
    pub(super) fn clean_up(&mut self, memory: &mut Memory) {
        let input = Input { message: None, ..self.input };
        self.local.execute(memory, Action::CleanUp, input, self.choices, self.effects);
    }

    /// The messages that this execution has sent so far.
    pub(super) fn sends(&mut self) -> &mut [(Port, Message)] {
        &mut self.effects.sends[self.earlier..]
    }

    /// Drops sent messages for which `keep` is false.
    pub(super) fn retain_sends(&mut self, keep: impl Fn(Port, Message) -> bool) {
        let mut ours = self.effects.sends.split_off(self.earlier);
        ours.retain(|&(port, message)| keep(port, message));
        self.effects.sends.append(&mut ours);
    }
}
