import { CanvasDrawing } from "./draw/canvas.js";
import { drawSvg } from "./draw/svg.js";
import { Archive } from "./archive.js";
import { eventInWords, momentInWords } from "./words.js";

/** The maximum number of pictures in an archive: of a longer film only every k-th frame is drawn. */
const PICTURES_MOST = 1000;
/** The maximum number of characters of all its pictures together: of large pictures there are fewer. */
const CHARACTERS_MOST = 1_000_000_000;
/** Pixels of a PNG per pixel of the picture. */
const PNG_RATIO = 2;

/** The picture with title and step above it, for a paper. @param {import("./picture.js").Picture} picture */
export function figure(picture, width, height) {
  const { film } = picture;
  const event = eventInWords(film);
  const text = event ? `${momentInWords(film)}: ${event}` : momentInWords(film);
  return picture.scene(width, height, { title: film.head.title, text });
}

/** The current view as an SVG document. @returns {string} */
export function figureSvg(picture, width, height) {
  return drawSvg(figure(picture, width, height), `${picture.film.head.title}: ${momentInWords(picture.film)}`);
}

/** The current view as a PNG. @returns {Promise<Blob>} */
export function figurePng(picture, width, height) {
  const canvas = document.createElement("canvas");
  new CanvasDrawing(canvas).draw(figure(picture, width, height), PNG_RATIO);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("this picture is too large for a PNG")) : resolve(blob)), "image/png");
  });
}

/**
 * The run as numbered SVGs in one archive; afterwards the film is at the last picture.
 *
 * @param {(done: number, all: number) => void} progress @param {AbortSignal} signal ends it: null is returned then
 * @param {number} most characters of all pictures together @returns {Promise<{archive: Blob, pictures: number, every: number} | null>}
 */
export async function figuresOfRun(picture, width, height, progress, signal, most = CHARACTERS_MOST) {
  const { film } = picture;
  const last = film.head.frames - 1;
  const pictures = Math.min(PICTURES_MOST, Math.max(2, Math.floor(most / figureSvg(picture, width, height).length)));
  const every = Math.max(1, Math.ceil(last / (pictures - 1)));
  const frames = [];
  for (let frame = 0; frame < last; frame += every) frames.push(frame);
  frames.push(last);
  const archive = new Archive();
  const digits = String(frames.length - 1).length;
  for (const [number, frame] of frames.entries()) {
    await film.seek(frame);
    await archive.add(`${String(number).padStart(digits, "0")}-step-${film.stepOf(frame)}.svg`, figureSvg(picture, width, height));
    progress(number + 1, frames.length);
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return null;
  }
  return { archive: archive.finish(), pictures: frames.length, every };
}

/** The name of a file from a title: letters, digits and hyphens. */
export function fileName(film, ending) {
  const words = film.head.title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60);
  return `${words || "run"}-${film.stepOf(film.frame)}.${ending}`;
}

/** Saves a file. @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const link = document.createElement("a");
  const address = URL.createObjectURL(blob);
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
