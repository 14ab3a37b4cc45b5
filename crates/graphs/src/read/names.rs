//! Numbering of nodes in increasing order of their names.

use super::ReadError;
use crate::graph::NodeLabels;
use crate::limits::NODES_MAX;

/// The names that a file uses, in reading order and with repetitions.
///
/// Names are text. They are stored as numbers if all of them are.
#[derive(Default, Debug)]
pub(crate) struct Names<'t> {
    texts: Vec<&'t str>,
}

/// The numbers of nodes by position in reading order, and the name of each node.
#[derive(Debug)]
pub(crate) struct NumberedNodes {
    pub(crate) nodes: Vec<u32>,
    /// The names of the nodes; `None` if every node is named by its number.
    pub(crate) labels: Option<NodeLabels>,
    pub(crate) count: u32,
}

impl<'t> Names<'t> {
    pub(crate) fn push(&mut self, name: &'t str) {
        self.texts.push(name);
    }

    /// The name that comes first in the file, if any.
    pub(crate) fn first(&self) -> Option<&'t str> {
        self.nth(0)
    }

    /// The name at this position in reading order, from 0; `None` beyond the last name.
    pub(crate) fn nth(&self, at: usize) -> Option<&'t str> {
        self.texts.get(at).copied()
    }

    /// Whether a node has this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.texts.contains(&name)
    }

    /// Numbers the distinct names: by value if all are whole numbers below 2^64, by bytes otherwise. `07` differs
    /// from `7`, and comes before it.
    pub(crate) fn number(&self, file: &str) -> Result<NumberedNodes, ReadError> {
        let number =
            |text: &&str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        let numbers: Option<Vec<u64>> = self.texts.iter().map(number).collect();
        let named =
            |distinct: &[&str]| NodeLabels::Names(distinct.iter().map(|&name| name.to_owned()).collect());
        let has_zeros = |text: &&str| text.len() > 1 && text.starts_with('0');
        let (nodes, labels) = match numbers {
            Some(numbers) if self.texts.iter().any(has_zeros) => {
                let keyed: Vec<(u64, &str)> = numbers.into_iter().zip(self.texts.iter().copied()).collect();
                let (nodes, distinct) = ranks(&keyed);
                let distinct: Vec<&str> = distinct.into_iter().map(|(_, text)| text).collect();
                (nodes, named(&distinct))
            }
            Some(numbers) => {
                let (nodes, distinct) = ranks(&numbers);
                (nodes, NodeLabels::Numbers(distinct))
            }
            None => {
                let (nodes, distinct) = ranks(&self.texts);
                (nodes, named(&distinct))
            }
        };
        let count =
            u32::try_from(labels.len()).ok().filter(|&count| count <= NODES_MAX).ok_or_else(|| {
                ReadError::of_file(
                    file,
                    format!("{} nodes", labels.len()),
                    format!("up to {NODES_MAX} nodes"),
                )
            })?;
        Ok(NumberedNodes { nodes, labels: labels.unless_trivial(), count })
    }
}

/// The rank of each value among the distinct values, and the distinct values in order.
fn ranks<T: Ord + Copy>(values: &[T]) -> (Vec<u32>, Vec<T>) {
    let mut distinct = values.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let rank = |value| distinct.binary_search(value).expect("it is one of them") as u32;
    (values.iter().map(rank).collect(), distinct)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(names: &[&'static str]) -> NumberedNodes {
        Names { texts: names.to_vec() }.number("f").unwrap()
    }

    #[test]
    fn numbers_are_ordered_by_value_and_texts_by_bytes() {
        let numbered = number(&["10", "9", "10", "200"]);
        assert_eq!(numbered.nodes, [1, 0, 1, 2]);
        assert_eq!(numbered.labels, Some(NodeLabels::Numbers(vec![9, 10, 200])));
        let numbered = number(&["10", "9", "0010", "0"]);
        assert_eq!(numbered.nodes, [3, 1, 2, 0]);
        assert_eq!(numbered.labels.unwrap().of(2), "0010");
        let numbered = number(&["10", "9", "x", "010"]);
        assert_eq!(numbered.nodes, [1, 2, 3, 0]);
        assert_eq!(numbered.labels.unwrap().of(0), "010");
        assert_eq!(numbered.count, 4);
    }

    #[test]
    fn nodes_named_by_their_numbers_need_no_names() {
        assert_eq!(number(&["2", "0", "1"]).labels, None);
        assert!(number(&["2", "1"]).labels.is_some());
        // Numbers that are too large for 64 bits, or signed, are texts.
        assert!(matches!(number(&["18446744073709551616"]).labels, Some(NodeLabels::Names(_))));
        assert!(matches!(number(&["+1"]).labels, Some(NodeLabels::Names(_))));
    }
}
