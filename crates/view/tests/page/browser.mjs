// A browser for the tests: Debian's Chromium, controlled by playwright-core, which is outside the repository (PAGE_TEST_MODULES names its folder).
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assemble } from "./assembly.mjs";

const require = createRequire(join(process.env.PAGE_TEST_MODULES ?? process.cwd(), "package.json"));
const { chromium } = require("playwright-core");

/** A browser with pages that are opened from disk; what they say on the console is kept. */
export class Browser {
  static async start() {
    const browser = new Browser();
    browser.folder = mkdtempSync(join(tmpdir(), "film-page-"));
    browser.chromium = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--enable-precise-memory-info", "--js-flags=--expose-gc"],
    });
    browser.files = 0;
    return browser;
  }

  async stop() {
    await this.chromium.close();
    rmSync(this.folder, { recursive: true });
  }

  /** Writes a page with a film, and opens it. `said` of the page: every message and error of its console. */
  async open(film, { hash = "", ...context } = {}) {
    const file = join(this.folder, `${(this.files += 1)}.html`);
    writeFileSync(file, typeof film === "string" ? film : assemble(film));
    return this.openFile(file, { hash, ...context });
  }

  /** Opens a page that is there. */
  async openFile(file, { hash = "", ...context } = {}) {
    const within = await this.chromium.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...context });
    const page = await within.newPage();
    page.said = [];
    page.asked = [];
    page.on("console", (message) => page.said.push(message.text()));
    page.on("pageerror", (error) => page.said.push(String(error.stack ?? error)));
    page.on("request", (request) => page.asked.push(request.url()));
    await page.goto(`file://${file}${hash}`);
    return page;
  }
}

/** What axe finds wrong for readers with a keyboard, a screen reader or low vision. @returns {Promise<string[]>} */
export async function barriers(page) {
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  return page.evaluate(async () => (await globalThis.axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`));
}

/** Waits until the page shows a frame. */
export async function shows(page, frame) {
  await page.waitForFunction((wanted) => globalThis.acrasin?.film.configuration.chunk && globalThis.acrasin.film.frame === wanted && !globalThis.acrasin.player.isBusy, frame);
}

/** How many different colours the picture has at a coarse grid of its pixels. */
export function coloursOf(page, selector = "#picture") {
  return page.evaluate((which) => {
    const canvas = document.querySelector(which);
    const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set();
    for (let at = 0; at < data.length; at += 4 * 3) colours.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
    return { colours: colours.size, width };
  }, selector);
}
