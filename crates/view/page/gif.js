/** Colours of a GIF. */
const COLOURS_MOST = 256;

/** An animated GIF of pictures of one size; its colours are the most frequent ones of the first and the last picture. */
export class Gif {
  /** @param {number} width @param {number} height @param {Uint32Array[]} samples pixels of pictures, as `ImageData` has them */
  constructor(width, height, samples) {
    this.width = width;
    this.height = height;
    this.palette = frequentColours(samples);
    /** The index of the nearest colour, by a colour of five bits a part. */
    this.nearest = new Int16Array(1 << 15).fill(-1);
    const colours = new Uint8Array(3 * COLOURS_MOST);
    this.palette.forEach((colour, at) => colours.set([colour & 255, (colour >> 8) & 255, (colour >> 16) & 255], 3 * at));
    const words = (...numbers) => numbers.flatMap((value) => [value & 255, value >> 8]);
    const text = (letters) => [...letters].map((letter) => letter.charCodeAt(0));
    /** @type {Uint8Array[]} */
    this.parts = [Uint8Array.of(...text("GIF89a"), ...words(width, height), 0xf7, 0, 0), colours, Uint8Array.of(0x21, 0xff, 11, ...text("NETSCAPE2.0"), 3, 1, 0, 0, 0)];
    this.words = words;
  }

  /** @param {Uint32Array} pixels @param {number} hundredths how long it is shown, in 1/100 s */
  add(pixels, hundredths) {
    const indices = new Uint8Array(pixels.length);
    for (let at = 0; at < pixels.length; at += 1) indices[at] = this.index(pixels[at]);
    this.parts.push(Uint8Array.of(0x21, 0xf9, 4, 0, ...this.words(hundredths), 0, 0, 0x2c, 0, 0, 0, 0, ...this.words(this.width, this.height), 0, 8), packedByLzw(indices));
  }

  /** The index of the colour of the palette that is nearest to a pixel. */
  index(pixel) {
    const key = ((pixel >> 3) & 31) | ((pixel >> 6) & 0x3e0) | ((pixel >> 9) & 0x7c00);
    if (this.nearest[key] >= 0) return this.nearest[key];
    let least = Infinity;
    this.palette.forEach((colour, at) => {
      const far = [0, 8, 16].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((pixel >> shift) & 255)) ** 2, 0);
      if (far < least) {
        least = far;
        this.nearest[key] = at;
      }
    });
    return this.nearest[key];
  }

  /** @returns {Blob} */
  finish() {
    return new Blob([...this.parts, Uint8Array.of(0x3b)], { type: "image/gif" });
  }
}

/** The most frequent colours, as pixels; of each group of similar ones (five bits a part) the most frequent. */
function frequentColours(samples) {
  const counts = new Map();
  for (const pixels of samples) for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const groups = new Map();
  for (const [pixel, count] of counts) {
    const key = pixel & 0xf8f8f8;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { pixel, most: count, count });
    else {
      group.count += count;
      if (count > group.most) Object.assign(group, { pixel, most: count });
    }
  }
  return [...groups.values()].sort((left, right) => right.count - left.count || left.pixel - right.pixel).slice(0, COLOURS_MOST).map(({ pixel }) => pixel);
}

/** Indices of eight bits in LZW, in blocks of up to 255 bytes. @param {Uint8Array} indices @returns {Uint8Array} */
function packedByLzw(indices) {
  const CLEAR = 256;
  const END = 257;
  const bytes = [];
  let bits = 0;
  let filled = 0;
  const put = (code, width) => {
    bits |= code << filled;
    for (filled += width; filled >= 8; filled -= 8, bits >>>= 8) bytes.push(bits & 255);
  };
  // The code of a known run followed by an index, by both.
  let known = new Map();
  let next = END + 1;
  let width = 9;
  put(CLEAR, width);
  let run = indices[0];
  for (let at = 1; at < indices.length; at += 1) {
    const key = (run << 8) | indices[at];
    const longer = known.get(key);
    if (longer !== undefined) {
      run = longer;
      continue;
    }
    put(run, width);
    run = indices[at];
    if (next === 4096) {
      put(CLEAR, width);
      known = new Map();
      next = END + 1;
      width = 9;
    } else {
      if (next === 1 << width) width += 1;
      known.set(key, next);
      next += 1;
    }
  }
  put(run, width);
  put(END, width);
  if (filled > 0) bytes.push(bits & 255);
  const blocks = new Uint8Array(bytes.length + Math.ceil(bytes.length / 255) + 1);
  let to = 0;
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255);
    blocks[to] = block.length;
    blocks.set(block, to + 1);
    to += block.length + 1;
  }
  return blocks;
}
