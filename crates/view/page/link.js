/** The step that the address of the page names (`#t=1234`); null if none. @param {string} hash @returns {number | null} */
export function stepOfLink(hash) {
  const found = /^#(?:.*&)?t=(\d{1,16})(?:&|$)/.exec(hash);
  return found === null ? null : Number(found[1]);
}

/** Keeps the step in the address of the page, updated at most twice a second, because browsers limit the rate. */
export class Link {
  constructor() {
    /** The timer of the next change; null if none is due, 0 if there are no more. */
    this.waits = null;
    this.step = null;
  }

  /** @param {number} step */
  keep(step) {
    this.step = step;
    if (this.waits !== null) return;
    this.waits = setTimeout(() => {
      this.waits = null;
      try {
        history.replaceState(null, "", `#t=${this.step}`);
      } catch {
        // A frame of `srcdoc` has no address that could be changed: it stays in `waits`.
        this.waits = 0;
      }
    }, 500);
  }

  /** Changes the address no more. */
  close() {
    clearTimeout(this.waits);
    this.waits = 0;
  }
}
