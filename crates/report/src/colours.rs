//! The colours of plots and films.

/// Colours as red, green and blue, assigned to columns in order. This is the palette of Okabe and Ito for all kinds of
/// colour vision. A grey replaces the yellow of the palette, which is hardly visible on white.
pub const COLOURS: [[u8; 3]; 8] = [
    [0, 114, 178],
    [230, 159, 0],
    [0, 158, 115],
    [204, 121, 167],
    [86, 180, 233],
    [213, 94, 0],
    [0, 0, 0],
    [153, 153, 153],
];
