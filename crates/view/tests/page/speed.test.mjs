// Tests the time for frames of large films in the page, and that memory does not grow. The bounds are those that the page guarantees;
// measured values are printed. PAGE_TEST_SECONDS is the time of playing (default: 60).
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Browser, shows } from "./browser.mjs";
import { agentsFilm, amoebotsFilm, longFilm } from "./films.mjs";

let browser;
before(async () => {
  browser = await Browser.start();
});
after(() => browser.stop());

/** Milliseconds of script that frames take, one after another: the median and the longest. */
function timesOfFrames(page, frames) {
  return page.evaluate(async (count) => {
    const { player } = globalThis.acrasin;
    const times = [];
    for (let frame = 0; frame < count; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const start = performance.now();
      await player.step(1);
      times.push(performance.now() - start);
    }
    times.sort((left, right) => left - right);
    return { least: times[0], median: times[Math.floor(count / 2)], most: times.at(-1) };
  }, frames);
}

for (const [name, make, limit] of [
  ["10^4 agents, 1000 changes a frame", () => agentsFilm({ side: 100, withEdges: true }), 33],
  ["10^4 amoebots", () => amoebotsFilm({ amoebots: 10_000, columns: 100, steps: 100 }), 33],
  ["10^5 agents, 10,000 changes a frame", () => agentsFilm({ side: 316, changes: 10_000, frames: 60 }), 200],
  ["10^5 amoebots", () => amoebotsFilm({ amoebots: 100_000, columns: 316, steps: 60 }), 200],
]) {
  test(`a frame of ${name} takes at most ${limit} ms`, async (context) => {
    const page = await browser.open(make().film);
    await shows(page, 0);
    const { least, median, most } = await timesOfFrames(page, 30);
    context.diagnostic(`${name}: least ${least.toFixed(1)} ms, median ${median.toFixed(1)} ms, most ${most.toFixed(1)} ms`);
    assert.ok(median <= limit, `${median} ms`);
    assert.deepEqual(page.said, []);
    await page.context().close();
  });
}

test("a film of 10^6 steps of 200 nodes opens within 3 s, and memory stays flat while it plays", async (context) => {
  const { film } = longFilm();
  const start = performance.now();
  const page = await browser.open(film);
  await shows(page, 0);
  const opened = performance.now() - start;
  const size = film.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  context.diagnostic(`opened in ${opened.toFixed(0)} ms with writing the file, ${(size / 1e6).toFixed(1)} MB of chunks`);
  const seconds = Number(process.env.PAGE_TEST_SECONDS ?? 60);
  const heap = () => page.evaluate(async () => {
    for (let round = 0; round < 3; round += 1) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return performance.memory.usedJSHeapSize;
  });
  await page.selectOption("#speed", "5000");
  await page.click("#play");
  await page.waitForTimeout(5000);
  const early = await heap();
  await page.waitForTimeout(seconds * 1000);
  const late = await heap();
  const frame = await page.evaluate(() => globalThis.acrasin.film.frame);
  context.diagnostic(`heap ${(early / 1e6).toFixed(2)} MB after 5 s, ${(late / 1e6).toFixed(2)} MB after ${seconds} s more, at frame ${frame}`);
  assert.ok(opened < 3000, `${opened} ms`);
  assert.ok(frame > 10_000, `frame ${frame}`);
  assert.ok(late < 1.1 * early, `${early} to ${late} bytes`);
  assert.deepEqual(page.said, []);
  await page.context().close();
});
