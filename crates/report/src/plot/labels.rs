//! Text in pictures: estimates widths, cuts, and escapes for XML.

use crate::escape::visible;
use crate::layout::{columns, shorten};
use crate::value::TextStyle;

/// Maximum average width of a text column, relative to the font size, in a wide sans-serif font.
const COLUMN_PER_SIZE: f64 = 0.62;

/// The estimated width of a text, in pixels.
pub(super) fn width(text: &str, size: u32) -> u32 {
    (columns(text) as f64 * f64::from(size) * COLUMN_PER_SIZE).ceil() as u32
}

/// The text, escaped and cut to a number of pixels.
pub(super) fn fit(text: &str, size: u32, pixels: u32) -> String {
    let most = f64::from(pixels) / (f64::from(size) * COLUMN_PER_SIZE);
    shorten(&printable(text), most.floor() as usize, TextStyle::default())
}

/// Escapes control characters, and replaces the two further code points that XML forbids.
pub(super) fn printable(text: &str) -> String {
    visible(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_within_its_pixels() {
        for text in ["short", "a name that is much too long for its place", "状態状態状態状態状態状態状態"]
        {
            let shown = fit(text, 12, 100);
            assert!(width(&shown, 12) <= 101, "{shown}");
            assert_eq!(shown.ends_with('…'), columns(text) > 13, "{shown}");
        }
    }

    #[test]
    fn forbidden_characters_are_gone() {
        assert_eq!(printable("a\0b\u{fffe}\u{ffff}<&"), "a\\u{0}b\u{fffd}\u{fffd}<&");
    }
}
