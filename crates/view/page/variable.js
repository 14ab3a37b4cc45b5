import { classColour, scaleColour } from "./palette.js";
import { grouped, plainValue, valueInWords } from "./words.js";

/** Colours of a scale by number. */
const SHADES = 8;

/** The values of one column as classes, each with a name and a colour: those of the column, shades of a number, or its words. */
export class Colouring {
  /** @param {import("./configuration.js").Configuration} configuration @param {number} place the column */
  constructor(configuration, place) {
    this.configuration = configuration;
    this.place = place;
    this.column = configuration.head.columns[place];
    /** The lowest and the highest number so far: shades stay as they are while a run is played. */
    this.low = Infinity;
    this.high = -Infinity;
    /** The classes of words, in the order of their appearance. @type {Map<string, number>} */
    this.words = new Map();
    this.isScale = this.column.kind === "number";
  }

  /** The class of each node in the present configuration. O(nodes) @returns {ArrayLike<number>} */
  classes() {
    const { column, configuration, place } = this;
    const values = configuration.values[place];
    if (column.kind === "class") return values;
    if (column.kind === "number") return this.shades(values);
    const texts = Array.from(values, (_, node) => textOf(configuration, place, node));
    this.isScale = texts.length > 0 && texts.every((text) => /^-?\d+(\.\d+)?$/.test(text));
    if (this.isScale) return this.shades(Float64Array.from(texts, Number));
    return Uint16Array.from(texts, (text) => {
      if (!this.words.has(text)) this.words.set(text, this.words.size);
      return Math.min(this.words.get(text), 65_535);
    });
  }

  shades(values) {
    for (const value of values) {
      if (value < this.low) this.low = value;
      if (value > this.high) this.high = value;
    }
    const width = (this.high - this.low) / SHADES || 1;
    return Uint8Array.from(values, (value) => Math.min(SHADES - 1, Math.floor((value - this.low) / width)));
  }

  /** The names of the classes. @returns {string[]} */
  get names() {
    if (this.column.kind === "class") return this.column.values;
    if (!this.isScale) return [...this.words.keys()];
    const { low, high } = this;
    if (low > high) return [];
    const isWhole = Number.isInteger(low) && Number.isInteger(high);
    const bound = (at) => low + ((high - low) * at) / SHADES;
    const said = (number) => grouped(isWhole ? number : Number(number.toPrecision(4)));
    if (low === high) return [said(low)];
    return Array.from({ length: SHADES }, (_, at) => {
      const [from, to] = isWhole ? [Math.ceil(bound(at)), at === SHADES - 1 ? high : Math.ceil(bound(at + 1)) - 1] : [bound(at), bound(at + 1)];
      return from === to ? said(from) : `${said(from)} to ${said(to)}`;
    });
  }

  /** The colour of a class. */
  colour(ink, index) {
    return this.isScale ? scaleColour(index, SHADES) : classColour(ink, index);
  }
}

/** The value of a column at a node, for readers. */
export function textOf(configuration, place, node) {
  const column = configuration.head.columns[place];
  const value = configuration.meaning(place, node);
  return column.kind === "word" ? plainValue(value) || "none" : String(valueInWords(configuration.head, column, value));
}

/**
 * The nodes that satisfy a condition: `lock = competing`, `trial > 3`, `memory.phase != idle`, `queue has grant`.
 *
 * @param {import("./configuration.js").Configuration} configuration @param {string} text
 * @returns {((node: number) => boolean) | null} null if the text is not a condition on a column
 */
export function conditionOf(configuration, text) {
  const found = /^\s*(\S[^=<>!]*?)\s*(!=|<=|>=|=|<|>|\shas\s)\s*(.*?)\s*$/.exec(text);
  if (found === null) return null;
  const [, name, sign, wanted] = found;
  const { columns } = configuration.head;
  const isMeant = (column) => [column.key, column.name, column.key.replace(/^memory\./, "")].some((word) => word.toLowerCase() === name.toLowerCase());
  const place = columns.findIndex(isMeant);
  if (place < 0) return null;
  const valueAt = (node) => (columns[place].kind === "number" ? String(configuration.values[place][node]) : textOf(configuration, place, node));
  const compare = {
    "=": (value) => value === wanted,
    "!=": (value) => value !== wanted,
    "<": (value) => Number(value) < Number(wanted),
    "<=": (value) => Number(value) <= Number(wanted),
    ">": (value) => Number(value) > Number(wanted),
    ">=": (value) => Number(value) >= Number(wanted),
    has: (value) => value.includes(wanted),
  }[sign.trim()];
  return (node) => compare(valueAt(node));
}
