//! The notation of local critical sections. For instance, `"request","N",3,4` is a request for the permission to be
//! outside, with stamp 3 and clock 4.

use acrasin_runtime::exclusion::critical_section::{
    Action, LocalSections, Memory, Message, MessageKind, Permission,
};
use acrasin_runtime::exclusion::{AlgorithmLabels as _, Exclusion as _};

use super::elements::Reading;
use super::step_codec::{Argument, StepCodec};

impl StepCodec for LocalSections {
    const CHECKS: &'static [Action] = &[Action::Change];

    fn rules(&self) -> Option<String> {
        let holding = if self.holds_neighbours() { ", neighbours held" } else { "" };
        let at_once = if self.own_messages_at_once() { ", own messages at once" } else { "" };
        let printed = self.printed().words();
        Some(format!("local critical sections, {:?}{holding}{at_once}{printed}", self.scheme()))
    }

    fn variables(memory: &Memory) -> Vec<(&'static str, String)> {
        memory.variables()
    }

    fn argument(message: Message) -> Argument {
        let permission = match message.permission {
            Permission::Inside => "X",
            Permission::Outside => "N",
        };
        Argument::Word(permission, [message.stamp, message.clock])
    }

    fn message(kind: &str, words: &mut Reading<'_>) -> Result<Message, String> {
        let kind = MessageKind::ALL.into_iter().zip(Self::KINDS).find(|&(_, name)| *name == kind);
        let (kind, _) = kind.expect("one of the kinds");
        let permission = match &*words.word("permission", "X, N")? {
            "X" => Permission::Inside,
            "N" => Permission::Outside,
            other => return Err(format!("there is no permission {other:?}: X, N are accepted")),
        };
        let (stamp, clock) = (words.number("stamp", u32::MAX)?, words.number("clock", u32::MAX)?);
        Ok(Message { kind, permission, stamp, clock })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Elements;
    use super::super::step::{read_message, write_message};
    use super::*;

    fn read(text: &str) -> Result<Message, String> {
        let elements: Elements<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        read_message::<LocalSections>(&mut Reading::new(elements))
    }

    #[test]
    fn what_is_written_is_read_back() {
        for kind in MessageKind::ALL {
            for permission in Permission::ALL {
                let message = Message { kind, permission, stamp: 3, clock: u32::MAX };
                let mut text = String::new();
                write_message::<LocalSections>(&mut text, message);
                assert_eq!(read(&format!("[{text}]")), Ok(message), "{text}");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            (r#"["request"]"#, "the permission is missing: X, N"),
            (r#"["request","Y",1,1]"#, "there is no permission \"Y\": X, N"),
            (r#"["grant","X",1]"#, "the clock is missing"),
            (r#"["ask","X",1,1]"#, "there is no message \"ask\": request, grant"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
