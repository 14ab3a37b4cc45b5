/** The words of an address: `#t=12&node=3` is t and node. @param {string} hash @returns {Map<string, string>} */
export function wordsOfLink(hash) {
  const words = new Map();
  for (const part of hash.slice(1).split("&")) {
    const [key, ...value] = part.split("=");
    if (key === "") continue;
    try {
      words.set(key, decodeURIComponent(value.join("=")));
    } catch {
      // Not a word that this page wrote.
    }
  }
  return words;
}

/** The step that the address of the page names (`#t=1234`); null if none. @param {string} hash @returns {number | null} */
export function stepOfLink(hash) {
  const step = wordsOfLink(hash).get("t") ?? "";
  return /^\d{1,16}$/.test(step) ? Number(step) : null;
}

/** The address with other words: a value of null takes a word out. @param {string} hash @param {Record<string, string | number | null>} words */
export function linkWith(hash, words) {
  const all = wordsOfLink(hash);
  for (const [key, value] of Object.entries(words)) {
    if (value === null) all.delete(key);
    else all.set(key, String(value));
  }
  return `#${[...all].map(([key, value]) => (value === "" ? key : `${key}=${encodeURIComponent(value).replace(/%2C/g, ",")}`)).join("&")}`;
}

/** Whether the page is part of a slide or a notebook: `?embed`, or `#embed` where a frame has no address. */
export function isEmbedded() {
  return new URLSearchParams(location.search).has("embed") || wordsOfLink(location.hash).has("embed");
}

/** Keeps what is shown in the address of the page, updated at most twice a second, because browsers limit the rate. */
export class Link {
  constructor() {
    /** The timer of the next change; null if none is due, 0 if there are no more. */
    this.waits = null;
    this.words = {};
  }

  /** @param {Record<string, string | number | null>} words */
  keep(words) {
    this.words = words;
    if (this.waits !== null) return;
    this.waits = setTimeout(() => {
      this.waits = null;
      try {
        history.replaceState(null, "", linkWith(location.hash, this.words));
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
