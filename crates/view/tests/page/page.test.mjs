// The page in a real browser, opened from disk, with made-up films.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";
import { assemble } from "./assembly.mjs";
import { Browser, barriers, coloursOf, shows } from "./browser.mjs";
import { amoebotsFilm, cellsFilm, countsFilm, lockedFilm, seeded, walkersFilm } from "./films.mjs";

let browser;
before(async () => {
  browser = await Browser.start();
});
after(() => browser.stop());

/** Everything that a page must do without a word on the console. */
async function playsThrough(film, { width = 1280, colorScheme = "light" } = {}) {
  const page = await browser.open(film, { viewport: { width, height: 800 }, colorScheme });
  const last = film.head.frames - 1;
  await shows(page, 0);
  await page.click("#play");
  await page.waitForFunction(() => globalThis.acrasin.film.frame > 0);
  await page.click("#play");
  assert.equal(await page.evaluate(() => globalThis.acrasin.player.isPlaying), false);
  await page.focus("#scrubber");
  await page.keyboard.press("End");
  await shows(page, last);
  assert.equal(await page.inputValue("#step"), String(film.head.steps));
  const end = await coloursOf(page);
  for (let back = 1; back <= 3; back += 1) {
    await page.click("#back");
    await shows(page, last - back);
  }
  await page.click("#to-start");
  await shows(page, 0);
  assert.ok(end.colours > 3, `${end.colours} colours in the picture`);
  assert.deepEqual(page.said, []);
  assert.deepEqual(page.asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:")), []);
  return page;
}

for (const [name, make] of Object.entries({ locked: lockedFilm, amoebots: amoebotsFilm, walkers: walkersFilm, cells: cellsFilm })) {
  test(`opens from disk, plays, scrubs to the end, steps back to the start: ${name}`, async () => {
    const page = await playsThrough(make().film);
    await page.context().close();
  });
}

test("narrow and dark: nothing is wider than the page, the picture is dark", async () => {
  const page = await playsThrough(lockedFilm().film, { width: 320, colorScheme: "dark" });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  const corner = await page.evaluate(() => [...document.querySelector("#picture").getContext("2d").getImageData(2, 2, 1, 1).data]);
  assert.ok(corner[0] < 60, `${corner}`);
  assert.ok(await page.evaluate(() => document.querySelector("#stage").clientHeight > 150));
  await page.keyboard.press("d");
  await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
  await page.context().close();
});

// Regression: in small windows the bars left no pixel, or a speck, to the picture.
test("in small windows the picture keeps its share, and nothing is wider than the window", async () => {
  for (const [width, height, least] of [[320, 200, 40], [320, 480, 150], [667, 375, 140], [450, 300, 90], [1280, 800, 380]]) {
    for (const make of [lockedFilm, amoebotsFilm]) {
      const page = await browser.open(make().film, { viewport: { width, height } });
      await shows(page, 0);
      await page.waitForTimeout(100);
      const seen = await page.evaluate(() => {
        const { camera, places } = globalThis.acrasin.picture;
        const stage = document.querySelector("#stage").getBoundingClientRect();
        return { tall: document.documentElement.scrollHeight, drawn: camera.scale * Math.max(places.box.top - places.box.bottom, places.box.right - places.box.left), bottom: stage.bottom, wide: document.documentElement.scrollWidth };
      });
      assert.ok(seen.drawn >= least, `${width} x ${height}: ${seen.drawn} px`);
      assert.equal(seen.wide, width);
      if (height === 800) assert.equal(seen.tall, height);
      assert.ok(seen.bottom <= height, `the picture ends at ${seen.bottom} of ${height}`);
      // The bars are reached by the keyboard, and every part by scrolling.
      for (const id of ["help-open", "change", "scrubber"]) {
        await page.focus(`#${id}:enabled, #help-open`);
        assert.ok(await page.evaluate(() => document.activeElement.getBoundingClientRect().left >= -1 && document.activeElement.getBoundingClientRect().right <= innerWidth + 1), id);
      }
      assert.deepEqual(page.said, []);
      await page.context().close();
    }
  }
});

// Regression: on a phone a tap drew a ring, and the panel with the node stayed closed.
test("on a phone a tap on a node opens the panel at that node", async () => {
  for (const viewport of [{ width: 320, height: 480 }, { width: 667, height: 375 }]) {
    const page = await browser.open(lockedFilm().film, { viewport, hasTouch: true });
    await shows(page, 0);
    assert.ok(!(await page.isVisible("#panel")));
    const place = await page.evaluate(() => {
      const { picture } = globalThis.acrasin;
      const box = document.querySelector("#picture").getBoundingClientRect();
      return { x: box.left + picture.camera.across(picture.places.x[9]), y: box.top + picture.camera.down(picture.places.y[9]) };
    });
    await page.touchscreen.tap(place.x, place.y);
    await page.waitForSelector("#panel", { state: "visible" });
    const name = page.locator("#inspector .name");
    assert.match(await name.textContent(), /^node 9/);
    const [box, panel] = [await name.boundingBox(), await page.locator("#panel").boundingBox()];
    assert.ok(box.y >= panel.y && box.y + box.height <= panel.y + panel.height, JSON.stringify([box, panel]));
    assert.deepEqual(page.said, []);
    await page.context().close();
  }
});

test("stepping back to the start, frame by frame, shows what playing forwards showed", async () => {
  const { film } = lockedFilm({ steps: 150, framesPerChunk: 32 });
  const page = await browser.open(film);
  await shows(page, 0);
  const seen = await page.evaluate(async () => {
    const { film: shown, player } = globalThis.acrasin;
    const state = () => JSON.stringify([shown.configuration.values.map((column) => [...column]), [...shown.configuration.edges].sort(), [...shown.configuration.messages.keys()]]);
    const forwards = [state()];
    for (let frame = 1; frame < shown.head.frames; frame += 1) {
      await player.step(1);
      forwards.push(state());
    }
    let equal = 0;
    for (let frame = shown.head.frames - 2; frame >= 0; frame -= 1) {
      await player.step(-1);
      if (state() === forwards[frame] && shown.frame === frame) equal += 1;
    }
    return { equal, different: new Set(forwards).size };
  });
  assert.equal(seen.equal, 150);
  assert.ok(seen.different > 100);
  await page.context().close();
});

test("keys: on, back, end, start, jumps, help, panels, nodes", async () => {
  const { film } = lockedFilm({ steps: 400 });
  const page = await browser.open(film);
  await shows(page, 0);
  const frame = () => page.evaluate(() => globalThis.acrasin.film.frame);
  await page.keyboard.press("ArrowRight");
  await shows(page, 1);
  await page.keyboard.press("Shift+ArrowRight");
  await shows(page, 11);
  await page.keyboard.press("ArrowLeft");
  await shows(page, 10);
  await page.keyboard.press("c");
  await shows(page, 50);
  await page.keyboard.press("c");
  await shows(page, 100);
  await page.keyboard.press("Shift+C");
  await shows(page, 50);
  await page.keyboard.press("v");
  await shows(page, 400);
  assert.match(await page.textContent("#event"), /invariant violated: <b>two lock sets<\/b> meet/);
  assert.equal(await page.evaluate(() => document.querySelector("#event").children.length), 0);
  await page.keyboard.press("v");
  await page.waitForFunction(() => /no violation after this step/.test(document.querySelector("#event").textContent));
  await page.keyboard.press("Home");
  await shows(page, 0);
  await page.keyboard.press("g");
  await page.waitForFunction(() => globalThis.acrasin.film.frame > 0);
  assert.ok((await page.evaluate(() => globalThis.acrasin.film.action.flags)) & 1);
  const granted = await frame();
  await page.keyboard.press("End");
  await shows(page, 400);
  assert.ok(granted < 400);
  await page.keyboard.press("?");
  assert.ok(await page.isVisible("#help"));
  await page.keyboard.press("Escape");
  assert.ok(!(await page.isVisible("#help")));
  await page.keyboard.press("h");
  assert.ok(!(await page.isVisible("#panel")));
  await page.keyboard.press("h");
  await page.keyboard.press("]");
  assert.equal(await page.inputValue("#node"), "0");
  await page.keyboard.press("[");
  assert.equal(await page.inputValue("#node"), "47");
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => globalThis.acrasin.player.isPlaying), true);
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => globalThis.acrasin.player.isPlaying), false);
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("a click shows a node: memory by its names, queue, enabled actions with guards, the last actions", async () => {
  const { film, writer } = lockedFilm({ steps: 400 });
  const page = await browser.open(film);
  await shows(page, 0);
  await page.keyboard.press("End");
  await shows(page, 400);
  const node = 17;
  const place = await page.evaluate((which) => {
    const { picture } = globalThis.acrasin;
    const box = document.querySelector("#picture").getBoundingClientRect();
    return { x: box.left + picture.camera.across(picture.places.x[which]), y: box.top + picture.camera.down(picture.places.y[which]) };
  }, node);
  await page.mouse.click(place.x, place.y);
  await page.waitForFunction(() => document.querySelectorAll(".history li").length > 0);
  assert.equal(await page.inputValue("#node"), String(node));
  const shown = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#inspector tr")].map((row) => [row.cells[0].textContent, row.cells[1].textContent])));
  film.head.columns.forEach((column, at) => {
    if (column.key === "queue" || column.key === "enabled") return;
    const value = writer.values[at][node];
    const expected = column.kind === "node" ? (value === null ? "none" : `node ${value}`) : String(value);
    assert.equal(shown[column.name], expected, column.name);
  });
  const near = [...writer.edges].map((edge) => edge.split(" ").map(Number)).filter((edge) => edge.includes(node)).map(([a, b]) => (a === node ? b : a));
  assert.equal(shown.neighbours, near.sort((left, right) => left - right).join(", "));
  const guards = await page.evaluate(() => [...document.querySelectorAll("#inspector dl dt, #inspector dl dd")].map((part) => part.textContent));
  for (const label of writer.values[7][node].split("\n")) assert.ok(guards.includes(label) && guards.includes(film.head.guards[label]), label);
  // The button of an action goes to its frame.
  const first = await page.evaluate(() => document.querySelector(".history .link").textContent);
  await page.click(".history .link");
  await page.waitForFunction((text) => `step ${globalThis.acrasin.film.frame}` === text, first);
  assert.equal(await page.evaluate(() => globalThis.acrasin.film.action.actor), node);
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("the overlay: lock sets, rings and messages are drawn, and go when they are switched off", async () => {
  const page = await browser.open(lockedFilm({ steps: 400 }).film, { hash: "#t=300" });
  await shows(page, 300);
  const kinds = () =>
    page.evaluate(() => {
      const { batches } = globalThis.acrasin.picture.scene(800, 600);
      return {
        sets: batches.filter((batch) => batch.kind === "capsules" && batch.opacity).length,
        rings: batches.filter((batch) => batch.kind === "marks" && batch.stroke && !batch.fill).length,
        messages: batches.filter((batch) => batch.kind === "tips").length,
      };
    });
  await page.uncheck("#show-legend");
  const all = await kinds();
  assert.ok(all.sets > 1 && all.rings > 2 && all.messages > 0, JSON.stringify(all));
  for (const choice of ["sets", "locks", "messages"]) await page.uncheck(`#show-${choice}`);
  assert.deepEqual(await kinds(), { sets: 0, rings: 0, messages: 0 });
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("a message to itself stands above its node", async () => {
  const { film, writer } = lockedFilm({ steps: 1 });
  writer.open();
  Object.assign(writer, { frames: 0, first: 0, chunks: [], packed: [], raw: [] });
  writer.frame();
  writer.send(900, 9, 9, 2);
  writer.frame();
  const { head, chunks } = writer.finish();
  const page = await browser.open({ head: { ...film.head, ...head }, chunks }, { hash: "#t=1" });
  await shows(page, 1);
  await page.uncheck("#show-legend");
  const [drawn, x, y] = await page.evaluate(() => {
    const { picture } = globalThis.acrasin;
    const found = picture.scene(800, 600).batches.filter((batch) => batch.kind === "tips").flatMap((batch) => [...batch.points]);
    return [found.slice(-4), picture.camera.across(picture.places.x[9]), picture.camera.down(picture.places.y[9])];
  });
  assert.ok(Math.abs(drawn[0] - x) < 0.01 && drawn[1] < y && drawn[1] > y - 60 && drawn[3] === 1, JSON.stringify([drawn, x, y]));
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("#t=STEP is read, followed, and kept", async () => {
  const page = await browser.open(lockedFilm({ steps: 700, every: 7 }).film, { hash: "#t=356" });
  await shows(page, 50);
  assert.equal(await page.inputValue("#step"), "350");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => location.hash === "#t=357");
  await page.evaluate(() => {
    location.hash = "#t=700";
  });
  await shows(page, 100);
  await page.fill("#step", "14");
  await page.keyboard.press("Enter");
  await shows(page, 2);
  assert.ok((await page.textContent("#facts")).includes("every 7th step is shown"));
  assert.deepEqual(page.said, []);
  await page.context().close();
});

/** What a button saves: its name and its bytes. */
async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test("export: the SVG parses and has the legend, the PNG is a picture, the archive has every frame", async () => {
  const page = await browser.open(lockedFilm({ steps: 60, title: "A <b>run</b> & more" }).film, { hash: "#t=40" });
  await shows(page, 40);
  const svg = await saved(page, "#save-svg");
  assert.equal(svg.name, "a-b-run-b-more-40.svg");
  const read = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    const texts = [...parsed.querySelectorAll("text")].map((element) => element.textContent);
    return { root: parsed.documentElement.tagName, wrong: parsed.querySelector("parsererror")?.textContent ?? null, paths: parsed.querySelectorAll("path").length, texts, scripts: parsed.querySelectorAll("script, b").length };
  }, svg.bytes.toString("utf8"));
  assert.deepEqual([read.root, read.wrong, read.scripts], ["svg", null, 0]);
  assert.ok(read.paths > 10);
  assert.ok(read.texts.includes("A <b>run</b> & more") && read.texts.some((text) => /^step 40 of 60/.test(text)) && read.texts.includes("lock set"));
  const png = await saved(page, "#save-png");
  assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
  const colours = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const found = new Set(new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer));
    return { width: image.width, found: found.size };
  }, png.bytes.toString("base64"));
  assert.ok(colours.found > 20 && colours.width > 1500, JSON.stringify(colours));
  const archive = await saved(page, "#save-all");
  assert.equal(archive.name, "a-b-run-b-more-40.zip");
  const end = archive.bytes.length - 22;
  assert.equal(archive.bytes.readUInt16LE(end + 10), 61);
  assert.ok(archive.bytes.includes("00-step-0.svg") && archive.bytes.includes("60-step-60.svg"));
  await shows(page, 40);
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("the export of all frames is cancelled by its button and by Escape", async () => {
  const page = await browser.open(lockedFilm({ steps: 900 }).film, { hash: "#t=7" });
  await shows(page, 7);
  for (const cancel of [() => page.click("#save-all"), () => page.keyboard.press("Escape")]) {
    await page.click("#save-all");
    await page.waitForFunction(() => /^picture \d+ of 901$/.test(document.querySelector("#event").textContent));
    assert.equal(await page.textContent("#save-all"), "Cancel");
    await cancel();
    await page.waitForFunction(() => document.querySelector("#event").textContent === "no pictures: cancelled");
    assert.equal(await page.textContent("#save-all"), "All frames");
    await shows(page, 7);
  }
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("the run as a video and as a GIF: the browser plays both, and their pictures change", async () => {
  const page = await browser.open(lockedFilm({ steps: 90 }).film, { hash: "#t=7", viewport: { width: 900, height: 600 } });
  await shows(page, 7);
  const video = await saved(page, "#save-video");
  assert.equal(video.name, "exact-majority-on-a-torus-7.webm");
  const gif = await saved(page, "#save-gif");
  assert.equal(gif.bytes.subarray(0, 6).toString(), "GIF89a");
  await shows(page, 7);
  assert.equal(await page.textContent("#save-video"), "Video");
  assert.deepEqual(page.said, []);
  assert.deepEqual(page.asked.filter((url) => !/^(file|data|blob):/.test(url)), []);
  await page.context().close();

  // A page without the policy of ours, which plays no video.
  const player = await browser.open("<!doctype html><title>player</title>");
  const played = await player.evaluate(async ([webm, animated]) => {
    const colours = (source, width, height) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext("2d");
      context.drawImage(source, 0, 0);
      return [...new Uint8Array(context.getImageData(0, 0, width, height).data.buffer)];
    };
    const video = document.createElement("video");
    video.muted = true;
    video.src = `data:video/webm;base64,${webm}`;
    await new Promise((resolve, reject) => ((video.onloadeddata = resolve), (video.onerror = () => reject(video.error))));
    const { duration, videoWidth, videoHeight } = video;
    const first = colours(video, videoWidth, videoHeight);
    video.currentTime = 0.95 * duration;
    await new Promise((resolve) => (video.onseeked = resolve));
    const last = colours(video, videoWidth, videoHeight);
    const changed = first.filter((part, at) => Math.abs(part - last[at]) > 40).length;
    const decoder = new ImageDecoder({ data: Uint8Array.from(atob(animated), (letter) => letter.charCodeAt(0)), type: "image/gif" });
    await decoder.tracks.ready;
    await decoder.completed;
    const { frameCount } = decoder.tracks.selectedTrack;
    const images = [];
    for (const frameIndex of [0, frameCount - 1]) {
      const { image } = await decoder.decode({ frameIndex });
      images.push(colours(image, image.displayWidth, image.displayHeight));
    }
    const gifChanged = images[0].filter((part, at) => Math.abs(part - images[1][at]) > 40).length;
    const light = images[0].filter((part) => part > 240).length / images[0].length;
    return { duration, videoWidth, videoHeight, changed, frameCount, gifChanged, light };
  }, [video.bytes.toString("base64"), gif.bytes.toString("base64")]);
  assert.ok(Math.abs(played.duration - 18.2) < 0.2 && played.videoWidth > 1000, JSON.stringify(played));
  assert.ok(played.changed > 3000 && played.gifChanged > 3000 && played.light > 0.5, JSON.stringify(played));
  assert.equal(played.frameCount, 91);
  await player.context().close();
});

test("bodies and messages glide to the next frame, and stand there at once with reduced motion and after a jump", async () => {
  for (const [make, kind] of [[amoebotsFilm, "bodies"], [lockedFilm, "messages"]]) {
    const page = await browser.open(make({ steps: 60 }).film);
    await shows(page, 0);
    /** The places of bodies, or of messages, in each picture after a step until it is still. */
    const seen = (button) => page.evaluate(async ([id, what]) => {
      const { picture } = globalThis.acrasin;
      const still = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const state = () => (what === "bodies" ? [...picture.places.x, ...picture.places.tailX].join() : [...picture.cache.messages.values()].join());
      const states = new Set();
      document.querySelector(id).click();
      for (let frames = 0; frames < 40; frames += 1) {
        await still();
        states.add(state());
      }
      picture.scene(800, 600);
      return { states: states.size, isThere: picture.glide === null };
    }, [button, kind]);
    let most = 0;
    for (let step = 0; step < 12; step += 1) {
      const { states, isThere } = await seen("#on");
      assert.ok(isThere, kind);
      most = Math.max(most, states);
    }
    assert.ok(most >= 4, `${kind}: ${most} pictures`);
    assert.ok((await seen("#to-end")).states <= 2);
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (let step = 0; step < 6; step += 1) assert.ok((await seen("#back")).states <= 2, kind);
    assert.deepEqual(page.said, []);
    await page.context().close();
  }
});

// Regression: the box kept what is not a step, and an empty one led to the start.
test("the box of the step shows the step again after a word and when it is emptied", async () => {
  const page = await browser.open(lockedFilm({ steps: 60 }).film, { hash: "#t=40" });
  await shows(page, 40);
  for (const text of ["abc", "", "-3", "1e1"]) {
    await page.fill("#step", text);
    await page.keyboard.press("Enter");
    await shows(page, 40);
    assert.equal(await page.inputValue("#step"), "40", text);
  }
  await page.context().close();
});

test("of very many counts some are drawn, and a change of the theme is quick", async () => {
  const { film } = countsFilm();
  const names = Array.from({ length: 8000 }, (_, at) => `value ${at}`);
  const step = Array.from({ length: 200 }, (_, at) => 5 * at);
  const values = step.map((at) => names.map((_, name) => (name % 100 === 7 ? at + name : 0)));
  const page = await browser.open({ ...film, head: { ...film.head, counts: { names, step, values } } });
  await shows(page, 0);
  const took = await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    await frame();
    const start = performance.now();
    document.querySelector("#theme").click();
    await frame();
    return performance.now() - start;
  });
  assert.ok(took < 700, `${took} ms`);
  assert.ok((await coloursOf(page, "#chart")).colours > 3);
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("the SVG of a view looks like the view, and not like that of another frame", async () => {
  for (const make of [lockedFilm, amoebotsFilm]) {
    const page = await browser.open(make({ steps: 400 }).film, { hash: "#t=300" });
    await shows(page, 300);
    const svg = async () => (await saved(page, "#save-svg")).bytes.toString("utf8");
    const there = await svg();
    const png = (await saved(page, "#save-png")).bytes.toString("base64");
    await page.keyboard.press("Home");
    await shows(page, 0);
    const elsewhere = await svg();
    const far = await page.evaluate(async ([first, second, image]) => {
      const { clientWidth: width, clientHeight: height } = document.querySelector("#stage");
      // Means of blocks as wide as a tile of hatching: the edges of lines do not matter, everything else does.
      const BLOCK = 6;
      const blocksOf = async (address) => {
        const loaded = new Image();
        loaded.src = address;
        await loaded.decode();
        const canvas = document.createElement("canvas");
        canvas.width = width;
        canvas.height = height;
        const context = canvas.getContext("2d");
        context.drawImage(loaded, 0, 0, width, height);
        const { data } = context.getImageData(0, 0, width, height);
        const across = Math.floor(width / BLOCK);
        const blocks = new Float64Array(across * Math.floor(height / BLOCK) * 3);
        for (let y = 0; y < Math.floor(height / BLOCK) * BLOCK; y += 1) {
          for (let x = 0; x < across * BLOCK; x += 1) {
            const block = 3 * (Math.floor(y / BLOCK) * across + Math.floor(x / BLOCK));
            for (let part = 0; part < 3; part += 1) blocks[block + part] += data[4 * (y * width + x) + part] / BLOCK ** 2;
          }
        }
        return blocks;
      };
      const svgAddress = (text) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
      const [one, other, view] = await Promise.all([svgAddress(first), svgAddress(second), `data:image/png;base64,${image}`].map(blocksOf));
      const share = (left, right) => left.filter((value, at) => Math.abs(value - right[at]) > 40).length / left.length;
      return { same: share(one, view), another: share(other, view) };
    }, [there, elsewhere, png]);
    assert.ok(far.same < 0.002 && far.another > 0.01, JSON.stringify(far));
    await page.context().close();
  }
});

test("a title that is a script is text", async () => {
  const title = '</script><script>globalThis.broken = true</script><img src=x onerror="globalThis.broken = true">';
  const { film } = lockedFilm({ steps: 20, title });
  film.head.labels = Array.from({ length: film.head.nodes }, () => "<img src=x onerror='globalThis.broken = true'>");
  film.head.facts.push(["<script>globalThis.broken = true</script>", "<b>bold</b>"]);
  const page = await browser.open(film);
  await shows(page, 0);
  assert.equal(await page.textContent("#title"), title);
  assert.equal(await page.title(), title);
  await page.keyboard.press("]");
  assert.equal(await page.evaluate(() => document.querySelectorAll("img, #panel b, #panel script").length), 0);
  assert.equal(await page.evaluate(() => globalThis.broken), undefined);
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("nothing gets out: a fetch, an image and a socket are blocked", async () => {
  const page = await browser.open(lockedFilm({ steps: 5 }).film);
  await shows(page, 0);
  const tried = await page.evaluate(async () => {
    const blocked = [];
    addEventListener("securitypolicyviolation", (event) => blocked.push(event.effectiveDirective));
    const fetched = await fetch("http://127.0.0.1:9/x").then(() => "fetched", (error) => error.name);
    const image = new Image();
    const loaded = new Promise((resolve) => {
      image.onload = () => resolve("loaded");
      image.onerror = () => resolve("refused");
    });
    image.src = "http://127.0.0.1:9/x.png";
    const result = await loaded;
    let socket = "open";
    try {
      const made = new WebSocket("ws://127.0.0.1:9/");
      socket = await new Promise((resolve) => {
        made.onerror = () => resolve("refused");
      });
    } catch {
      socket = "refused";
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { fetched, result, socket, blocked };
  });
  assert.deepEqual([tried.fetched, tried.result, tried.socket], ["TypeError", "refused", "refused"]);
  assert.ok(tried.blocked.includes("connect-src") && tried.blocked.includes("img-src"), tried.blocked.join());
  await page.context().close();
});

test("a damaged film gives one clear line", async () => {
  const { film } = lockedFilm({ steps: 60, framesPerChunk: 20 });
  const head = { ...film.head, nodes: film.head.nodes + 1 };
  const page = await browser.open({ head, chunks: film.chunks });
  await page.waitForSelector("#damage:not([hidden])");
  const text = await page.textContent("#damage");
  assert.match(text, /^this film is damaged: [^\n]*positions, expected two numbers for each node$/);
  assert.ok(!(await page.isVisible("#play")));
  assert.deepEqual(page.said, []);
  await page.context().close();

  const cut = await browser.open({ head: film.head, chunks: film.chunks.map((chunk, at) => (at === 2 ? chunk.slice(0, 60) : chunk)) });
  await shows(cut, 0);
  await cut.fill("#step", "50");
  await cut.keyboard.press("Enter");
  await cut.waitForSelector("#damage:not([hidden])", { timeout: 5000 });
  assert.match(await cut.textContent("#damage"), /^this film is damaged: chunk 2: it cannot be inflated$/);
  assert.deepEqual(cut.said, []);
  await cut.context().close();
});

// Regression: the checksums were not read, and a film with another character in it was played with wrong frames.
test("each of 78 changes of one character in the film is noticed when the whole is played", async () => {
  const { film } = lockedFilm({ rows: 3, columns: 3, steps: 90, framesPerChunk: 20 });
  const whole = assemble(film);
  const begin = whole.indexOf('<script type="application/json" id="film-head"');
  const parts = [...whole.slice(begin).matchAll(/data-check="(\d+)"|>([^<]+)<\/script>/g)].filter(([all]) => !all.includes("Film"));
  const inside = [];
  for (const found of parts.slice(0, 2 + film.chunks.length)) {
    const text = found[1] ?? found[2];
    const start = begin + found.index + found[0].indexOf(text);
    // The last byte of a deflate stream has bits that mean nothing.
    const end = text.length - (found[1] === undefined && !text.startsWith("{") ? 4 : 0);
    for (let at = 0; at < end; at += 1) if (/[A-Za-z0-9]/.test(whole[start + at])) inside.push(start + at);
  }
  const random = seeded(78);
  const page = await browser.open(film);
  const outcome = (html) => page.evaluate(async (text) => {
    const frame = document.createElement("iframe");
    frame.srcdoc = text;
    document.body.append(frame);
    await new Promise((resolve) => (frame.onload = resolve));
    const inner = frame.contentWindow;
    const damage = () => inner.document.getElementById("damage").textContent;
    if (damage() === "") await inner.acrasin.player.go(1);
    for (const { first, frames } of damage() === "" ? inner.acrasin.film.head.chunks : []) {
      await inner.acrasin.player.go(first + frames - 1);
      if (damage() !== "") break;
    }
    frame.remove();
    return damage();
  }, html);
  assert.equal(await outcome(whole), "");
  for (let change = 0; change < 78; change += 1) {
    const at = inside[Math.floor(random() * inside.length)];
    const other = "A0b7cQ9x".replace(whole[at], "")[Math.floor(random() * 7)];
    const said = await outcome(whole.slice(0, at) + other + whole.slice(at + 1));
    assert.match(said, /^this film is damaged: [^\n]+$/, `change ${change}: ${whole.slice(at - 10, at)}[${other}]${whole.slice(at + 1, at + 10)}`);
  }
  await page.context().close();

  const { head } = film;
  const wrong = await browser.open({ ...film, head: { ...head, end: (head.end ^ 1) >>> 0 } });
  await shows(wrong, 0);
  await wrong.keyboard.press("End");
  await wrong.waitForSelector("#damage:not([hidden])");
  assert.equal(await wrong.textContent("#damage"), "this film is damaged: end: the last configuration is not the recorded one");
  await wrong.context().close();
});

// Regression: `replaceState` is refused in a frame without an address, and threw twice a second.
test("in a frame of `srcdoc` the page plays and throws nothing", async () => {
  const { film } = lockedFilm({ steps: 30 });
  const page = await browser.open(`<!doctype html><title>a notebook</title><iframe srcdoc="${assemble(film).replace(/&/g, "&amp;").replace(/"/g, "&quot;")}" width="450" height="300"></iframe>`);
  const inner = page.frames()[1];
  await inner.waitForFunction(() => globalThis.acrasin?.film.configuration.chunk);
  for (let step = 0; step < 3; step += 1) {
    await inner.click("#on");
    await page.waitForTimeout(600);
  }
  assert.equal(await inner.evaluate(() => globalThis.acrasin.film.frame), 3);
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("fingers: a drag moves, two fingers scale, F shows the whole again", async () => {
  const page = await browser.open(lockedFilm({ steps: 20 }).film, { hasTouch: true });
  await shows(page, 0);
  const camera = () => page.evaluate(() => ({ ...globalThis.acrasin.picture.camera }));
  const whole = await camera();
  const touch = await page.context().newCDPSession(page);
  const send = (type, points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await send("touchStart", [[400, 300]]);
  for (let x = 400; x <= 460; x += 10) await send("touchMove", [[x, 300]]);
  await send("touchEnd", []);
  const moved = await camera();
  assert.ok(moved.x > whole.x + 40 && moved.scale === whole.scale, JSON.stringify([whole, moved]));
  await send("touchStart", [[400, 300], [500, 300]]);
  for (let at = 0; at <= 50; at += 10) await send("touchMove", [[400 - at, 300], [500 + at, 300]]);
  await send("touchEnd", []);
  const scaled = await camera();
  assert.ok(scaled.scale > 1.7 * whole.scale && scaled.scale < 2.3 * whole.scale, JSON.stringify([whole, scaled]));
  await page.keyboard.press("f");
  await page.waitForFunction((scale) => globalThis.acrasin.picture.camera.scale === scale, whole.scale);
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("a screen reader hears where the run is, but not every frame", async () => {
  const page = await browser.open(lockedFilm({ steps: 2000 }).film, { reducedMotion: "reduce" });
  await shows(page, 0);
  assert.equal(await page.inputValue("#speed"), "2");
  await page.evaluate(() => {
    globalThis.heard = 0;
    new MutationObserver(() => (globalThis.heard += 1)).observe(document.querySelector("#said"), { childList: true, characterData: true, subtree: true });
  });
  await page.selectOption("#speed", "60");
  await page.click("#play");
  await page.waitForTimeout(3500);
  await page.click("#play");
  const { heard, frame } = await page.evaluate(() => ({ heard: globalThis.heard, frame: globalThis.acrasin.film.frame }));
  assert.ok(frame > 40 && heard >= 1 && heard <= 3, `${heard} sentences, ${frame} frames`);
  assert.match(await page.textContent("#said"), /^step .* of 2000\. .*A \d+/);
  const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, select, input, canvas")].filter((part) => !(part.textContent.trim() || part.getAttribute("aria-label") || part.title || part.labels?.length)).map((part) => part.id));
  assert.deepEqual(unnamed, []);
  await page.context().close();
});

test("counts over time: the cursor follows, a click leads to the step", async () => {
  for (const film of [lockedFilm({ steps: 600 }).film, countsFilm().film]) {
    const page = await browser.open(film);
    await shows(page, 0);
    await page.waitForFunction(() => document.querySelector("#chart").width > 300);
    const chart = await coloursOf(page, "#chart");
    assert.ok(chart.colours > 3);
    const box = await page.locator("#chart").boundingBox();
    const middle = box.x + 52 + (box.width - 64) / 2;
    await page.mouse.click(middle, box.y + 60);
    await shows(page, Math.floor((film.head.frames - 1) / 2));
    const cursor = await page.locator("#cursor").boundingBox();
    assert.ok(Math.abs(cursor.x + 1 - middle) < 3, JSON.stringify([cursor, box]));
    assert.deepEqual(page.said, []);
    await page.context().close();
  }
});

test("the chart: values under the pointer, another scale, a part of the time, CSV and SVG", async () => {
  const { film } = lockedFilm({ steps: 600 });
  film.head.counts.names[1] = 'a "name", with a comma';
  const page = await browser.open(film);
  await shows(page, 0);
  await page.waitForFunction(() => document.querySelector("#chart").width > 300);
  const box = await page.locator("#chart").boundingBox();
  const [left, wide] = [box.x + 52, box.width - 64];
  await page.mouse.move(left + wide / 2, box.y + 60);
  const { step, values, names } = film.head.counts;
  const sample = step.findLastIndex((at) => at <= 300);
  const said = await page.textContent("#chart-values");
  assert.ok(said.startsWith(`step ${step[sample]}: `) && names.every((name, at) => values[sample][at] === 0 || said.includes(`${name} ${values[sample][at]}`)), said);
  const picture = () => page.evaluate(() => document.querySelector("#chart").toDataURL());
  const whole = await picture();
  await page.click("#chart-log");
  assert.equal(await page.getAttribute("#chart-log", "aria-pressed"), "true");
  assert.notEqual(await picture(), whole);
  await page.click("#chart-log");
  // The wheel scales the time around the pointer.
  await page.mouse.move(left + wide / 2, box.y + 60);
  await page.mouse.wheel(0, -600);
  await page.waitForFunction((before) => document.querySelector("#chart").toDataURL() !== before, whole);
  await page.mouse.click(left + wide, box.y + 60);
  await page.waitForFunction(() => globalThis.acrasin.film.frame > 300);
  const end = await page.evaluate(() => globalThis.acrasin.film.frame);
  assert.ok(end > 380 && end < 500, `the right edge is step ${end}`);
  await page.mouse.dblclick(left + wide, box.y + 60);
  assert.equal(await picture(), whole);
  const csv = (await saved(page, "#chart-csv")).bytes.toString("utf8").split("\n");
  assert.equal(csv[0], 'step,A,"a ""name"", with a comma",a,b');
  assert.equal(csv[1 + sample], [step[sample], ...values[sample]].join());
  assert.equal(csv.length, step.length + 2);
  const svg = (await saved(page, "#chart-svg")).bytes.toString("utf8");
  const read = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    return { wrong: parsed.querySelector("parsererror") !== null, texts: [...parsed.querySelectorAll("text")].map((found) => found.textContent) };
  }, svg);
  assert.ok(!read.wrong && read.texts.includes(names[1]) && read.texts.includes("600") && read.texts.includes("0"), JSON.stringify(read));
  const height = async () => (await page.locator("#counts").boundingBox()).height;
  const before = await height();
  await page.click("#chart-large");
  assert.ok((await height()) > 2 * before);
  assert.deepEqual(page.said, []);
  await page.context().close();
});

test("the address keeps the step, the node, the colours and the view, and brings them back", async () => {
  const { film } = lockedFilm({ steps: 200 });
  const page = await browser.open(film, { hash: "#t=50" });
  await shows(page, 50);
  await page.keyboard.press("]");
  await page.keyboard.press("]");
  await page.selectOption("#colour", { label: "Lock/Unlock" });
  await page.keyboard.press("i");
  await page.waitForFunction(() => /^#t=50&node=1&colour=lock&view=[-\d.e]+,[-\d.e]+,[-\d.e]+$/.test(location.hash));
  const camera = (on) => on.evaluate(() => ({ ...globalThis.acrasin.picture.camera }));
  const before = await camera(page);
  const again = await browser.open(film, { hash: await page.evaluate(() => location.hash) });
  await shows(again, 50);
  assert.equal(await again.inputValue("#node"), "1");
  assert.equal(await again.evaluate(() => document.querySelector("#colour").selectedOptions[0].textContent), "Lock/Unlock");
  const after = await camera(again);
  for (const key of ["scale", "x", "y"]) assert.ok(Math.abs(after[key] - before[key]) < 1e-3 * Math.abs(before[key]) + 0.01, JSON.stringify([before, after]));
  await again.keyboard.press("f");
  await again.waitForFunction(() => location.hash === "#t=50&node=1&colour=lock");
  assert.deepEqual([...page.said, ...again.said], []);
  for (const hash of ["#node=99999&view=0,0,0&colour=nothing", "#t=%E0%A4%A", "#view=NaN,1,1", "#&&=&t"]) {
    const odd = await browser.open(film, { hash });
    await shows(odd, 0);
    assert.equal(await odd.inputValue("#node"), "", hash);
    assert.deepEqual(odd.said, []);
    await odd.context().close();
  }
  await page.context().close();
  await again.context().close();
});

test("?embed shows the picture and the player alone, also in a small frame", async () => {
  for (const viewport of [{ width: 450, height: 300 }, { width: 1280, height: 720 }]) {
    const page = await browser.open(lockedFilm().film, { hash: "?embed#t=30", viewport });
    await shows(page, 30);
    await page.waitForTimeout(100);
    for (const hidden of ["header", "#panel", "#counts", "#jumps"]) assert.ok(!(await page.isVisible(hidden)), hidden);
    assert.ok((await page.evaluate(() => document.querySelector("#stage").clientHeight)) > viewport.height - 60);
    assert.deepEqual(await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]), [viewport.width, viewport.height]);
    await page.click("#play");
    await page.waitForFunction(() => globalThis.acrasin.film.frame > 30);
    await page.keyboard.press("Space");
    assert.deepEqual(page.said, []);
    await page.context().close();
  }
});

test("colours by number and by word, texts of a variable, a condition on nodes, and a search of events", async () => {
  const { film, writer } = lockedFilm({ steps: 400 });
  const page = await browser.open(film, { hash: "#t=400" });
  await shows(page, 400);
  const scene = () => page.evaluate(() => globalThis.acrasin.picture.scene(800, 600).batches.map(({ kind, fill, points, items }) => ({ kind, fill, points: points && [...points].length / 2, texts: items?.map(({ text }) => text) })));
  await page.selectOption("#colour", { label: "trial" });
  const highest = Math.max(...writer.values[2]);
  const legend = (await scene()).filter((batch) => batch.kind === "texts").flatMap((batch) => batch.texts);
  assert.ok(legend.some((text) => new RegExp(`(to )?${highest}: \\d+$`).test(text)), legend.join("; "));
  await page.selectOption("#colour", { label: "phase" });
  const phases = writer.values[4].filter((phase) => phase === "prepare").length;
  assert.ok((await scene()).some((batch) => batch.texts?.includes(`prepare: ${phases}`)));
  await page.selectOption("#text", { label: "P" });
  assert.ok(await page.isChecked("#show-names"));
  const written = (await scene()).find((batch) => batch.kind === "texts" && batch.texts.length === 48);
  assert.deepEqual(written.texts, writer.values[5].map(String));
  await page.fill("#condition", "lock = competing");
  const waiting = writer.values[1].filter((lock) => lock === "competing").length;
  assert.equal(await page.textContent("#condition-told"), `${waiting} of 48 at this moment`);
  assert.equal((await scene()).find((batch) => batch.kind === "texts" && batch.texts.every((text) => /^-?\d+$/.test(text)) && batch.texts.length === waiting)?.texts.length, waiting);
  await page.fill("#condition", "trial > 3");
  assert.equal(await page.textContent("#condition-told"), `${writer.values[2].filter((trial) => trial > 3).length} of 48 at this moment`);
  await page.fill("#condition", "nothing of the kind");
  assert.match(await page.textContent("#condition-told"), /^a column, =/);
  await page.fill("#condition", "");

  await page.fill("#find", "GRANT");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /^(the first )?\d+$/.test(document.querySelector("#events [role=status]").textContent));
  const listed = await page.locator("#found li").allTextContents();
  assert.ok(listed.length > 3 && listed.every((line) => /^step \d+ Grant of \d+$/.test(line)), listed.slice(0, 3).join("; "));
  await page.click("#found li:nth-child(2) button");
  await page.waitForFunction((line) => line.startsWith(`step ${globalThis.acrasin.film.frame} `), listed[1]);
  assert.equal(await page.evaluate(() => globalThis.acrasin.film.action.label), "Grant");
  await page.fill("#find", "<b>two");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#events [role=status]").textContent === "1");
  assert.equal(await page.evaluate(() => document.querySelectorAll("#panel b").length), 0);
  assert.deepEqual(page.said, []);
  await page.context().close();

  const bodies = await browser.open(amoebotsFilm().film, { hash: "#t=100" });
  await shows(bodies, 100);
  await bodies.fill("#condition", "tokens > 0");
  const faint = await bodies.evaluate(() => globalThis.acrasin.picture.scene(800, 600).batches.filter((batch) => batch.kind === "marks" && batch.fill === "#ececec").reduce((sum, batch) => sum + batch.points.length / 2, 0));
  assert.ok(faint >= 24, `${faint} faint bodies of 30`);
  assert.deepEqual(bodies.said, []);
  await bodies.context().close();
});

test("axe finds no barrier, light and dark, in a large and in a small window, with a node chosen and the help open", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const viewport of [{ width: 1280, height: 800 }, { width: 320, height: 480 }, { width: 450, height: 300 }]) {
      for (const make of [lockedFilm, countsFilm]) {
        const page = await browser.open(make().film, { viewport, colorScheme });
        await shows(page, 0);
        if (make === lockedFilm) await page.evaluate(() => globalThis.acrasin.page.click(9));
        assert.deepEqual(await barriers(page), []);
        await page.keyboard.press("?");
        assert.deepEqual(await barriers(page), []);
        await page.context().close();
      }
    }
  }
});
