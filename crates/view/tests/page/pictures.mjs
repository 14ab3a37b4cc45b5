// The pictures of the page in the documents: `node pictures.mjs OUT.png PAGE.html STEP [WIDTH HEIGHT [SCHEME [NODE]]]` opens a page that
// `acrasin view` has written, with the present modules, and takes a picture of it.
import { readFileSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { assemble } from "./assembly.mjs";
import { Browser, shows } from "./browser.mjs";
import { checksum } from "../../page/archive.js";

/** A PNG of the 256 colours that most pixels have; the others get the nearest of them. */
function smallPng(pixels, width, height) {
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const palette = [...counts].sort((left, right) => right[1] - left[1]).slice(0, 256).map(([colour]) => colour);
  const parts = (colour) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];
  const index = new Map(palette.map((colour, at) => [colour, at]));
  const nearest = (colour) => {
    const [red, green, blue] = parts(colour);
    const distances = palette.map(parts).map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2);
    return distances.indexOf(Math.min(...distances));
  };
  const rows = Buffer.alloc((width + 1) * height);
  pixels.forEach((colour, at) => {
    if (!index.has(colour)) index.set(colour, nearest(colour));
    rows[at + Math.floor(at / width) + 1] = index.get(colour);
  });
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(checksum(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("PLTE", Buffer.from(palette.flatMap(parts))), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

const [out, file, step, width = "1100", height = "720", colorScheme = "light", node = ""] = process.argv.slice(2);
const text = readFileSync(file, "utf8");
const head = /<script type="application\/json" id="film-head"[^>]*>([^]*?)<\/script>/.exec(text)[1];
const chunks = [...text.matchAll(/class="film-chunk" data-chunk="\d+">([^<]*)</g)].map(([, chunk]) => chunk);
const browser = await Browser.start();
try {
  const page = await browser.open({ head, title: "acrasin", chunks }, { hash: `#t=${step}`, viewport: { width: Number(width), height: Number(height) }, colorScheme });
  await shows(page, await page.evaluate((at) => globalThis.acrasin.film.frameOf(at), Number(step)));
  if (node !== "") await page.evaluate((which) => globalThis.acrasin.page.choose(which), Number(node));
  await page.waitForTimeout(500);
  const pixels = await page.evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return [...new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)];
  }, (await page.screenshot()).toString("base64"));
  writeFileSync(out, smallPng(pixels, Number(width), Number(height)));
} finally {
  await browser.stop();
}
