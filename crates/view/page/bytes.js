/** An error in a film, in one line. */
export class DamagedFilm extends Error {
  /** @param {string} where the part of the film @param {string} what the error there */
  constructor(where, what) {
    super(`this film is damaged: ${where}: ${inOneLine(what)}`);
    this.name = "DamagedFilm";
  }
}

/** Quotes a word of a film, which may contain any characters, for a message. */
function inOneLine(what) {
  const line = what.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, " ");
  return line.length > 500 ? `${line.slice(0, 300)} … ${line.slice(-150)}` : line;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Writes numbers (LEB128) to bytes that grow. */
export class ByteWriter {
  constructor() {
    this.bytes = new Uint8Array(4096);
    this.length = 0;
  }

  /** @param {number} value 0 to 2^53 - 1 */
  number(value) {
    if (this.length + 8 > this.bytes.length) {
      const grown = new Uint8Array(2 * this.bytes.length);
      grown.set(this.bytes);
      this.bytes = grown;
    }
    for (; value >= 128; value = Math.floor(value / 128)) this.bytes[this.length++] = (value % 128) + 128;
    this.bytes[this.length++] = value;
  }

  /** The bytes written. @returns {Uint8Array} */
  taken() {
    return this.bytes.subarray(0, this.length);
  }
}

/** Reads numbers (LEB128) and words from bytes, and rejects missing bytes. */
export class ByteReader {
  /** @param {Uint8Array} bytes @param {string} where the part of the film, for error messages */
  constructor(bytes, where) {
    this.bytes = bytes;
    this.at = 0;
    this.where = where;
  }

  /** Rejects the film. @param {string} what @returns {never} */
  refuse(what) {
    throw new DamagedFilm(this.where, `${what} (byte ${this.at})`);
  }

  /** The next number, 0 to 2^53 - 1. @returns {number} */
  number() {
    const { bytes } = this;
    let at = this.at;
    let byte = bytes[at++];
    if (byte < 128) {
      this.at = at;
      return byte;
    }
    let value = 0;
    let scale = 1;
    for (;;) {
      if (byte === undefined) this.refuse("the bytes end within a number");
      value += (byte & 127) * scale;
      if (value > Number.MAX_SAFE_INTEGER) this.refuse("a number above 2^53 - 1");
      if (byte < 128) break;
      scale *= 128;
      if (scale > 2 ** 53) this.refuse("a number of more than eight bytes");
      byte = bytes[at++];
    }
    this.at = at;
    return value;
  }

  /** The next number, which must be below a limit. @param {number} limit @param {string} name its name in messages @returns {number} */
  below(limit, name) {
    const value = this.number();
    if (value >= limit) this.refuse(`${name} ${value}, expected below ${limit}`);
    return value;
  }

  /** The next signed number (zigzag). @returns {number} */
  signed() {
    const value = this.number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** The next word: its length, its bytes. @returns {string} */
  word() {
    const length = this.number();
    if (length > this.bytes.length - this.at) this.refuse(`a word of ${length} bytes is announced, but fewer bytes are left`);
    const part = this.bytes.subarray(this.at, this.at + length);
    try {
      const word = UTF8.decode(part);
      this.at += length;
      return word;
    } catch {
      return this.refuse("a word that is not UTF-8");
    }
  }

  /** The next part: its length, its bytes. @returns {ByteReader} */
  part() {
    const length = this.number();
    if (length > this.bytes.length - this.at) this.refuse(`a part of ${length} bytes is announced, but fewer bytes are left`);
    const part = new ByteReader(this.bytes.subarray(this.at, this.at + length), this.where);
    this.at += length;
    return part;
  }

  /** Rejects superfluous bytes. */
  end() {
    if (this.at !== this.bytes.length) this.refuse(`${this.bytes.length - this.at} bytes left over`);
  }
}
