/** Numbers of the elements of WebM that are written here. */
const EBML = {
  EBML: 0x1a45dfa3, Version: 0x4286, ReadVersion: 0x42f7, MaxIdLength: 0x42f2, MaxSizeLength: 0x42f3, DocType: 0x4282, DocTypeVersion: 0x4287,
  DocTypeReadVersion: 0x4285, Segment: 0x18538067, Info: 0x1549a966, TimestampScale: 0x2ad7b1, Duration: 0x4489, MuxingApp: 0x4d80, WritingApp: 0x5741,
  Tracks: 0x1654ae6b, TrackEntry: 0xae, TrackNumber: 0xd7, TrackUid: 0x73c5, TrackType: 0x83, CodecId: 0x86, Video: 0xe0, PixelWidth: 0xb0, PixelHeight: 0xba,
  Cluster: 0x1f43b675, Timestamp: 0xe7, SimpleBlock: 0xa3,
};

/** A number in the fewest bytes, the highest first. */
function ebmlBytes(number) {
  const bytes = [];
  for (let left = number; left > 0 || bytes.length === 0; left = Math.floor(left / 256)) bytes.unshift(left % 256);
  return Uint8Array.from(bytes);
}

/** A size as EBML writes it, here always in eight bytes. */
function ebmlSize(number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, (1n << 56n) | BigInt(number));
  return bytes;
}

/** An element: its number, the size of its parts, its parts. @returns {(Uint8Array)[]} */
function ebml(id, ...parts) {
  const inside = parts.flat();
  return [ebmlBytes(id), ebmlSize(inside.reduce((sum, part) => sum + part.length, 0)), ...inside];
}

const ebmlNumber = (id, value) => ebml(id, ebmlBytes(value));
const ebmlWord = (id, text) => ebml(id, new TextEncoder().encode(text));

/**
 * A WebM of one video track.
 *
 * @param {{codec: string, width: number, height: number, milliseconds: number}} video `codec`: `V_VP8` or `V_VP9`; `milliseconds` of the whole
 * @param {{time: number, isKey: boolean, bytes: Uint8Array}[]} pictures encoded, in their order; `time` in milliseconds
 * @returns {Blob}
 */
export function webm({ codec, width, height, milliseconds }, pictures) {
  const duration = new Uint8Array(8);
  new DataView(duration.buffer).setFloat64(0, milliseconds);
  const head = ebml(EBML.EBML, ebmlNumber(EBML.Version, 1), ebmlNumber(EBML.ReadVersion, 1), ebmlNumber(EBML.MaxIdLength, 4), ebmlNumber(EBML.MaxSizeLength, 8),
    ebmlWord(EBML.DocType, "webm"), ebmlNumber(EBML.DocTypeVersion, 2), ebmlNumber(EBML.DocTypeReadVersion, 2));
  const info = ebml(EBML.Info, ebmlNumber(EBML.TimestampScale, 1_000_000), ebml(EBML.Duration, duration), ebmlWord(EBML.MuxingApp, "acrasin"), ebmlWord(EBML.WritingApp, "acrasin"));
  const shape = ebml(EBML.Video, ebmlNumber(EBML.PixelWidth, width), ebmlNumber(EBML.PixelHeight, height));
  const track = ebml(EBML.TrackEntry, ebmlNumber(EBML.TrackNumber, 1), ebmlNumber(EBML.TrackUid, 1), ebmlNumber(EBML.TrackType, 1), ebmlWord(EBML.CodecId, codec), shape);
  // A cluster begins with a key picture; times in it are relative, in 16 bits.
  const clusters = [];
  for (const picture of pictures) {
    if (picture.isKey) clusters.push({ start: picture.time, blocks: [] });
    const { start, blocks } = clusters.at(-1);
    const relative = picture.time - start;
    const header = Uint8Array.of(0x81, relative >> 8, relative & 255, picture.isKey ? 0x80 : 0);
    blocks.push(ebml(EBML.SimpleBlock, header, picture.bytes));
  }
  const written = clusters.map(({ start, blocks }) => ebml(EBML.Cluster, ebmlNumber(EBML.Timestamp, start), ...blocks));
  return new Blob([...head, ...ebml(EBML.Segment, info, ebml(EBML.Tracks, track), ...written)], { type: "video/webm" });
}
