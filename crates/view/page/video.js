import { CanvasDrawing } from "./draw/canvas.js";
import { figure } from "./export.js";
import { Gif } from "./gif.js";
import { webm } from "./webm.js";

/** The longest video, in seconds. */
const SECONDS_MOST = 20;
/** Pictures a second, at most. */
const VIDEO_RATE = 30;
const GIF_RATE = 10;
/** The longest side of a GIF, in pixels. */
const GIF_SIDE = 720;
/** Pictures between two that can be shown without those before. */
const KEY_EVERY = 60;
/** Codecs of WebM, as the browser and as the file name them. */
const CODECS = [["vp09.00.40.08", "V_VP9"], ["vp8", "V_VP8"]];

/** The moments of a video: numbers of frames, and the time of each in milliseconds. @param {number} frames of the film @param {number} speed frames a second */
export function momentsOf(frames, speed, rate) {
  const seconds = Math.min(SECONDS_MOST, Math.max(1, frames / speed));
  const count = Math.max(2, Math.min(frames, Math.floor(seconds * rate)));
  const step = (1000 * seconds) / count;
  return Array.from({ length: count }, (_, at) => ({ frame: Math.round((at * (frames - 1)) / (count - 1)), time: Math.round(at * step), milliseconds: Math.round(step) }));
}

/**
 * Draws the moments of a video one after another.
 *
 * @param {import("./picture.js").Picture} picture @param {{width: number, height: number, ratio: number, isRead?: boolean}} size of the picture, pixels of the video for one of it, whether they are read
 * @param {{frame: number}[]} moments @param {(canvas: HTMLCanvasElement, at: number) => Promise<void> | void} take
 * @param {(done: number, all: number) => void} progress @param {AbortSignal} signal @returns {Promise<boolean>} false if the signal ended it
 */
async function drawMoments(picture, { width, height, ratio, isRead }, moments, take, progress, signal) {
  const drawing = new CanvasDrawing(document.createElement("canvas"), isRead);
  for (const [at, { frame }] of moments.entries()) {
    await picture.film.seek(frame);
    drawing.draw(figure(picture, width, height), ratio);
    await take(drawing.canvas, at);
    progress(at + 1, moments.length);
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return false;
  }
  return true;
}

/** Pixels of a video for one of a picture: an even number across and down. */
function evenSize(width, height, ratio) {
  const even = (side) => 2 * Math.max(1, Math.floor((side * ratio) / 2));
  return { width: even(width) / ratio, height: even(height) / ratio, ratio };
}

/**
 * The run as a WebM, by the encoder of the browser.
 *
 * @returns {Promise<Blob | null>} null if it was ended @throws {Error} if the browser has no encoder
 */
export async function videoOfRun(picture, width, height, speed, progress, signal) {
  if (globalThis.VideoEncoder === undefined) throw new Error("no video: this browser has no encoder (GIF and All frames need none)");
  const size = evenSize(width, height, width < 900 ? 2 : 1);
  const shape = { width: Math.round(size.width * size.ratio), height: Math.round(size.height * size.ratio) };
  let found = null;
  for (const [codec, name] of CODECS) {
    const config = { codec, ...shape, bitrate: 6_000_000, framerate: VIDEO_RATE };
    if (found === null && (await VideoEncoder.isConfigSupported(config).catch(() => ({ supported: false }))).supported) found = { config, name };
  }
  if (found === null) throw new Error("no video: this browser encodes neither VP8 nor VP9 (GIF and All frames need no encoder)");
  const moments = momentsOf(picture.film.head.frames, speed, VIDEO_RATE);
  const pictures = [];
  let failure = null;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      pictures.push({ time: Math.round(chunk.timestamp / 1000), isKey: chunk.type === "key", bytes });
    },
    error: (error) => (failure = error),
  });
  encoder.configure(found.config);
  try {
    const isWhole = await drawMoments(picture, size, moments, async (canvas, at) => {
      if (failure !== null) throw failure;
      const frame = new VideoFrame(canvas, { timestamp: 1000 * moments[at].time, duration: 1000 * moments[at].milliseconds });
      encoder.encode(frame, { keyFrame: at % KEY_EVERY === 0 });
      frame.close();
      while (encoder.encodeQueueSize > 8) await new Promise((resolve) => setTimeout(resolve, 5));
    }, progress, signal);
    if (!isWhole) return null;
    await encoder.flush();
    if (failure !== null) throw failure;
  } finally {
    if (encoder.state !== "closed") encoder.close();
  }
  const end = moments.at(-1);
  return webm({ codec: found.name, ...shape, milliseconds: end.time + end.milliseconds }, pictures);
}

/** The run as an animated GIF. @returns {Promise<Blob | null>} null if it was ended */
export async function gifOfRun(picture, width, height, speed, progress, signal) {
  const size = { ...evenSize(width, height, Math.min(1, GIF_SIDE / Math.max(width, height))), isRead: true };
  const moments = momentsOf(picture.film.head.frames, speed, GIF_RATE);
  const pixelsOf = (canvas) => new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  const samples = [];
  let shape = null;
  // The colours are those of the start, the middle and the end.
  const sampled = [0, Math.floor(moments.length / 2), moments.length - 1].map((at) => moments[at]);
  if (!(await drawMoments(picture, size, sampled, (canvas) => {
    shape = [canvas.width, canvas.height];
    samples.push(pixelsOf(canvas));
  }, () => {}, signal))) return null;
  const gif = new Gif(...shape, samples);
  const isWhole = await drawMoments(picture, size, moments, (canvas, at) => gif.add(pixelsOf(canvas), Math.max(2, Math.round(moments[at].milliseconds / 10))), progress, signal);
  return isWhole ? gif.finish() : null;
}
