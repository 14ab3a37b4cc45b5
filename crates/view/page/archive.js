/** The CRC-32 of bytes, as used by ZIP. @param {Uint8Array} bytes @returns {number} */
export function checksum(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = CHECKSUMS[(value ^ byte) & 255] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

const CHECKSUMS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

/** 1 January 1980, the first day of ZIP: an archive does not depend on the time of its creation. */
const DAY = (1 << 5) | 1;

/** A ZIP: at most 65,535 files and 4 GiB. Its files are kept deflated and as blobs, which a browser may keep on disk. */
export class Archive {
  constructor() {
    /** @type {(Uint8Array | Blob)[]} */
    this.parts = [];
    this.directory = [];
    this.length = 0;
  }

  /** @param {string} name @param {string} text @returns {Promise<void>} */
  async add(name, text) {
    const encoder = new TextEncoder();
    const nameBytes = encoder.encode(name);
    const bytes = encoder.encode(text);
    const packed = await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"))).blob();
    // Version 2.0, names in UTF-8, deflated.
    const common = [[20, 2], [0x800, 2], [8, 2], [0, 2], [DAY, 2], [checksum(bytes), 4], [packed.size, 4], [bytes.length, 4], [nameBytes.length, 2], [0, 2]];
    const start = this.length;
    this.push(fields([[0x04034b50, 4], ...common]), nameBytes, packed);
    const rest = [[0, 2], [0, 2], [0, 2], [0, 4], [start, 4]];
    this.directory.push(fields([[0x02014b50, 4], [20, 2], ...common, ...rest]), nameBytes);
  }

  push(...parts) {
    for (const part of parts) {
      this.parts.push(part);
      this.length += part.size ?? part.length;
    }
  }

  /** The archive; no file can be added afterwards. @returns {Blob} */
  finish() {
    const start = this.length;
    const files = this.directory.length / 2;
    this.push(...this.directory);
    const end = [[0x06054b50, 4], [0, 2], [0, 2], [files, 2], [files, 2], [this.length - start, 4], [start, 4], [0, 2]];
    this.push(fields(end));
    return new Blob(this.parts, { type: "application/zip" });
  }
}

/** Numbers with their widths in bytes, little-endian. @param {[number, number][]} numbers */
function fields(numbers) {
  const bytes = [];
  for (const [number, width] of numbers) for (let at = 0; at < width; at += 1) bytes.push((number / 2 ** (8 * at)) & 255);
  return Uint8Array.from(bytes);
}
