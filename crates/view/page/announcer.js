/** Milliseconds between two sentences for a screen reader. */
const PAUSE = 1500;

/** Announces what happens in a live region, at a limited rate: of several sentences only the last. */
export class Announcer {
  /** @param {HTMLElement} region */
  constructor(region) {
    this.region = region;
    this.waits = null;
    this.text = "";
  }

  /** @param {string} text */
  say(text) {
    this.text = text;
    if (this.waits !== null) return;
    this.waits = setTimeout(() => {
      this.waits = null;
      if (this.region.textContent !== this.text) this.region.textContent = this.text;
    }, PAUSE);
  }
}
