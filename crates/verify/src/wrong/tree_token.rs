//! Wrong rule sets of the token that travels along a tree.

use acrasin_runtime::exclusion::tree_token::{
    Action, Application, Memory, Message, Queue, SchemeRule, TokenNote, TreeToken,
};
use acrasin_runtime::exclusion::{ActionEffects, Exclusion as _, Identifier, Input, Mutant, Mutation};
use acrasin_runtime::{Choices, Demand, Port, PortSet};

use super::fault_sample::{FaultSample, FaultSearch};
use crate::locks::LOCKOUT_FREE;
use crate::properties::dead;

/// The token that travels along a tree, with one fault or none.
pub type WrongToken = Mutant<TreeToken, TokenFault>;

/// The faults of the token that travels along a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenFault {
    /// No fault: the shipped rules.
    None,
    /// A node passes the token on, but also keeps it.
    TokenKept,
    /// `exit_cs` keeps a borrowed token.
    LoanKept,
    /// `exit_cs` returns a borrowed token to the father instead of the lender.
    LoanToFather,
    /// The lender does not accept a returned token.
    LoanIgnored,
    /// A proxy gives the token away permanently, but waits for its return.
    LentForGood,
    /// A transit node passes the token on as a loan, but does not become its lender.
    PassedAsLoan,
    /// A node that borrows the token considers itself its owner.
    OwnedByBorrower,
    /// A proxy records itself as the mandator: line 7 as printed.
    MandatorItself,
    /// The variable `mandator` is not cleared when the token arrives.
    MandatorKept,
    /// A transit node sends a request of its own, as if it were a proxy.
    AsksForItself,
    /// A request is dropped while another one is served.
    DroppedWhenBusy,
    /// The latest request is served first.
    LatestFirst,
    /// `exit_cs` does not reset the variable `asked`.
    StaysAsked,
    /// Waiting nodes are not served after `exit_cs`.
    NotServedAfterExit,
    /// Waiting nodes are not served when a lent token returns.
    NotServedAfterLoan,
    /// `enter_cs` does not wait.
    EntersAtOnce,
}

/// A small instance: a tree of fathers in a complete graph. Every node calls a fixed number of times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TokenInstance {
    /// The father of each node; `None` for the root.
    pub fathers: &'static [Option<u32>],
    /// Whether all nodes are proxies; otherwise all nodes are transit nodes.
    pub proxies: bool,
    /// The number of calls of each node; 0 if unlimited.
    pub calls: u32,
}

impl TokenInstance {
    /// The shipped rules of this instance.
    #[must_use]
    pub fn scheme(&self) -> TreeToken {
        let rule = if self.proxies { SchemeRule::AllProxy } else { SchemeRule::AllTransit };
        TreeToken::new(rule).with_queue(Queue::Fifo)
    }

    /// The number of calls of each node, as the demand of its client.
    #[must_use]
    pub fn demand(&self) -> Demand {
        if self.calls == 0 { Demand::Forever } else { Demand::Times(self.calls) }
    }
}

/// One execution of an action, which a fault can alter.
struct TokenActionRun<'a> {
    scheme: &'a TreeToken,
    memory: &'a mut Memory,
    action: Action,
    input: Input<'a, Message>,
    choices: &'a mut dyn Choices,
    effects: &'a mut ActionEffects<Message, TokenNote>,
}

impl TokenActionRun<'_> {
    /// Executes the action under the shipped rules.
    fn right(&mut self) {
        self.scheme.execute(self.memory, self.action, self.input, self.choices, self.effects);
    }

    /// Executes the action under the shipped rules, as if no node were waiting to be served.
    fn without_waiting(&mut self) {
        let waiting = std::mem::take(&mut self.memory.waiting);
        self.right();
        self.memory.waiting.extend(waiting);
    }

    /// Replaces each message that the action has sent by `change` of it.
    fn resend(&mut self, change: impl Fn(Message) -> Message) {
        for (_, message) in &mut self.effects.sends {
            *message = change(*message);
        }
    }

    fn port_to(&self, to: Identifier) -> Option<Port> {
        self.memory.neighbours.iter().find(|&&(name, _)| name == to).map(|&(_, port)| port)
    }
}

impl Mutation<TreeToken> for TokenFault {
    fn execute(
        &self,
        scheme: &TreeToken,
        memory: &mut Memory,
        action: Action,
        input: Input<'_, Message>,
        choices: &mut dyn Choices,
        effects: &mut ActionEffects<Message, TokenNote>,
    ) {
        let own = memory.identifier;
        let (asked, mandator, lender) = (memory.asked, memory.mandator, memory.lender);
        let is_loan = lender != Some(own);
        let mut doing = TokenActionRun { scheme, memory, action, input, choices, effects };
        match (self, action) {
            (Self::NotServedAfterExit, Action::ExitCs) => return doing.without_waiting(),
            (Self::NotServedAfterLoan, Action::ReceiveToken) if mandator.is_none() => {
                return doing.without_waiting();
            }
            (Self::LoanIgnored, Action::ReceiveToken) if mandator.is_none() => return,
            _ => doing.right(),
        }
        match (self, action) {
            (Self::TokenKept, _)
                if doing.effects.sends.iter().any(|(_, sent)| matches!(sent, Message::Token(_))) =>
            {
                doing.memory.token = true;
            }
            (Self::LoanKept, Action::ExitCs) if is_loan => {
                doing.effects.sends.retain(|(_, sent)| !matches!(sent, Message::Token(_)));
                doing.memory.token = true;
            }
            (Self::LoanToFather, Action::ExitCs) if is_loan => {
                let port = doing.memory.father.and_then(|father| doing.port_to(father));
                for (to, message) in &mut doing.effects.sends {
                    if let (Message::Token(None), Some(port)) = (*message, port) {
                        *to = port;
                    }
                }
            }
            (Self::LentForGood, _) => doing.resend(|message| match message {
                Message::Token(_) => Message::Token(None),
                request => request,
            }),
            (Self::PassedAsLoan, Action::ReceiveRequest) => doing.resend(|message| match message {
                Message::Token(None) => Message::Token(Some(own)),
                other => other,
            }),
            (Self::OwnedByBorrower, Action::ReceiveToken) if mandator == Some(own) => {
                (doing.memory.lender, doing.memory.father) = (Some(own), None);
            }
            (Self::MandatorItself, _)
                if doing.memory.application == Application::Idle && doing.memory.mandator.is_some() =>
            {
                doing.memory.mandator = Some(own);
            }
            (Self::MandatorKept, Action::ReceiveToken) => doing.memory.mandator = mandator,
            (Self::AsksForItself, Action::ReceiveRequest) => doing.resend(|message| match message {
                Message::Request(_) => Message::Request(own),
                token => token,
            }),
            (Self::DroppedWhenBusy, Action::ReceiveRequest) if asked => drop(doing.memory.waiting.pop_back()),
            (Self::LatestFirst, Action::ReceiveRequest) if asked => doing.memory.waiting.rotate_right(1),
            (Self::StaysAsked, Action::ExitCs) => doing.memory.asked = true,
            (Self::EntersAtOnce, Action::EnterCs) if doing.memory.application == Application::Wants => {
                doing.memory.application = Application::Inside;
                doing.effects.granted = Some(PortSet::from_port(Port::SELF));
            }
            _ => {}
        }
    }
}

const EDGE: &[Option<u32>] = &[None, Some(0)];
const PATH: &[Option<u32>] = &[None, Some(0), Some(1)];
const INSIDE: &str = "one node inside at a time";
const TOKEN: &str = "one token, and who is inside has it";

const fn explored(
    fathers: &'static [Option<u32>],
    proxies: bool,
    calls: u32,
    within: u64,
) -> FaultSearch<TokenInstance> {
    FaultSearch::Explored(TokenInstance { fathers, proxies, calls }, within)
}

/// All wrong rule sets of the token that travels along a tree.
pub const TOKEN_FAULTS: &[FaultSample<TokenFault, TokenInstance>] = &[
    FaultSample {
        name: "token-kept",
        what: "A node that passes the token on keeps it too.",
        fault: TokenFault::TokenKept,
        shows: INSIDE,
        found: explored(EDGE, false, 1, 1_000),
    },
    FaultSample {
        name: "loan-kept",
        what: "A borrowed token is not returned at the exit.",
        fault: TokenFault::LoanKept,
        shows: TOKEN,
        found: explored(EDGE, true, 1, 1_000),
    },
    FaultSample {
        name: "loan-given-to-father",
        what: "A borrowed token is given to the father at the exit, who may not be its lender.",
        fault: TokenFault::LoanToFather,
        shows: TOKEN,
        found: explored(PATH, true, 1, 10_000),
    },
    FaultSample {
        name: "loan-not-taken-back",
        what: "The lender ignores the returning token.",
        fault: TokenFault::LoanIgnored,
        shows: TOKEN,
        found: explored(EDGE, true, 1, 1_000),
    },
    FaultSample {
        name: "lent-for-good",
        what: "A proxy sends the token without its own name, and waits for its return.",
        fault: TokenFault::LentForGood,
        shows: dead::NAME,
        found: explored(EDGE, true, 1, 1_000),
    },
    FaultSample {
        name: "passed-as-loan",
        what: "A transit node sends the token with its own name: it comes back to a node that has not lent it.",
        fault: TokenFault::PassedAsLoan,
        shows: TOKEN,
        found: explored(EDGE, false, 1, 1_000),
    },
    FaultSample {
        name: "owned-by-borrower",
        what: "A node that borrows the token takes itself for its owner and never returns it.",
        fault: TokenFault::OwnedByBorrower,
        shows: dead::NAME,
        found: explored(EDGE, true, 1, 1_000),
    },
    FaultSample {
        name: "mandator-itself",
        what: "A proxy without the token records itself instead of the node that asked: line 7 as printed.",
        fault: TokenFault::MandatorItself,
        shows: dead::NAME,
        found: explored(PATH, true, 1, 10_000),
    },
    FaultSample {
        name: "mandator-kept",
        what: "A node that receives the token does not clear its mandator.",
        fault: TokenFault::MandatorKept,
        shows: TOKEN,
        found: explored(EDGE, false, 1, 1_000),
    },
    FaultSample {
        name: "asks-for-itself",
        what: "A transit node without the token asks in its own name.",
        fault: TokenFault::AsksForItself,
        shows: dead::NAME,
        found: explored(PATH, false, 1, 10_000),
    },
    FaultSample {
        name: "dropped-when-busy",
        what: "A request that arrives while another is served is dropped.",
        fault: TokenFault::DroppedWhenBusy,
        shows: dead::NAME,
        found: explored(EDGE, false, 1, 1_000),
    },
    FaultSample {
        name: "latest-first",
        what: "The latest request is served first.",
        fault: TokenFault::LatestFirst,
        shows: LOCKOUT_FREE,
        found: explored(&[None, Some(0), Some(0)], true, 0, 10_000),
    },
    FaultSample {
        name: "stays-asked",
        what: "A node that has left its critical section serves no node any more.",
        fault: TokenFault::StaysAsked,
        shows: dead::NAME,
        found: explored(EDGE, false, 1, 1_000),
    },
    FaultSample {
        name: "not-served-after-exit",
        what: "Waiting requests are not served when the critical section is left.",
        fault: TokenFault::NotServedAfterExit,
        shows: dead::NAME,
        found: explored(EDGE, false, 1, 1_000),
    },
    FaultSample {
        name: "not-served-after-loan",
        what: "Waiting requests are not served when a loan returns.",
        fault: TokenFault::NotServedAfterLoan,
        shows: dead::NAME,
        found: explored(EDGE, true, 1, 1_000),
    },
    FaultSample {
        name: "enters-at-once",
        what: "A node enters its critical section without waiting for the token.",
        fault: TokenFault::EntersAtOnce,
        shows: INSIDE,
        found: explored(EDGE, false, 1, 1_000),
    },
];
