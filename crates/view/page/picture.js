import { classColour, inks } from "./palette.js";
import { Colouring, conditionOf } from "./variable.js";
import { Camera } from "./camera.js";
import { Scene } from "./scene.js";
import { HEIGHT_OF_ROW, Places } from "./places.js";
import { addEdges, addNames, addNodes } from "./graph.js";
import { addArrows, addBodies, addChainEdges, addGround } from "./lattice.js";
import { addBonds, addCircuits } from "./circuits.js";
import { addLockRings, addLockSets, lockColumns } from "./locks.js";
import { addMessages } from "./messages.js";
import { addLegend, legendEntries, legendRows } from "./legend.js";
import { addBars } from "./bars.js";
import { grouped, nodeWord } from "./words.js";

/** The maximum distance in pixels of adjacent nodes when everything is shown: small graphs leave room for the names of messages. */
const DISTANCE_MOST = 90;
const DISTANCE_MOST_OF_FEW = 190;
const FEW = 12;
/** The minimum radius in pixels of bodies, for up to this number of amoebots. */
const RADIUS_LEAST = [[64, 2.5], [4096, 1.5], [Infinity, 0.5]];
/** The largest share of the height of the screen that the legend takes. */
const LEGEND_SHARE = 0.28;
/** The maximum number of nodes that glide between frames. */
const GLIDING_MOST = 5000;
/** Columns that are positions or texts of many lines, and not shown as colours. */
const PLACES = new Set(["px", "py", "head_x", "head_y", "tail_x", "tail_y", "parent_at", "queue", "enabled", "pins", "circuits", "beeps", "bonds"]);
/** A note says so if bodies are this many times as large as their cells. */
const ENLARGED = 2;

/**
 * The input of all parts of a picture: the scene that they add to, the configuration, positions, the camera, colours, the radius of
 * a node in pixels, what is drawn, the class of each node (null: all alike).
 *
 * @typedef {object} View
 */

/** The picture of a film: the displayed items and the camera. */
export class Picture {
  /** @param {import("./film.js").Film} film */
  constructor(film) {
    this.film = film;
    this.places = new Places(film.head);
    this.camera = new Camera();
    /** Until the reader moves the picture, it shows everything. */
    this.showsAll = true;
    this.isDark = false;
    this.options = { locks: true, sets: true, messages: true, circuits: true, edges: true, arrows: true, names: false, hatching: true, legend: true };
    this.colourBy = firstColouring(film.head);
    this.firstColour = this.colourBy;
    /** The column that is written below the nodes; null: their numbers or names. @type {number | null} */
    this.textBy = null;
    /** The condition on the drawn nodes, as text; the others are faint. */
    this.condition = "";
    /** @type {number | null} */
    this.selected = null;
    this.cache = {};
    /** The positions from which nodes and messages glide to those of the frame, and how far they are; null at the frame itself. */
    this.glide = null;
  }

  /** Whether the nodes or messages can glide: few enough for a smooth picture. */
  get canGlide() {
    const { head } = this.film;
    return head.nodes <= GLIDING_MOST && (this.places.isMoving || (head.messages.length > 0 && this.options.messages));
  }

  /** The displayed positions, to glide from; they are those of the last scene. */
  keepPlaces() {
    return { places: this.places.isMoving ? this.places.kept() : null, messages: this.cache.messages ?? new Map(), part: 0 };
  }

  /** Columns that can be displayed as colours. @returns {number[]} */
  get colourings() {
    return colouringsOf(this.film.head);
  }

  /** The present view: the place of the plane in the middle, and how much of it is seen across. @returns {[number, number, number]} */
  viewIn({ width, height }) {
    const { scale, x, y } = this.camera;
    return [(width / 2 - x) / scale, (y - height / 2) / scale, width / scale];
  }

  /** Shows such a view. @param {number[]} view */
  view([right, up, across], { width, height }) {
    const { camera } = this;
    camera.scale = width / across;
    camera.x = width / 2 - camera.scale * right;
    camera.y = height / 2 + camera.scale * up;
    this.showsAll = false;
  }

  /** The radius of a node in pixels. */
  get radius() {
    const distance = this.camera.scale * (this.places.distance ?? 1);
    if (this.places.isLattice) return Math.max(0.4 * distance, RADIUS_LEAST.find(([nodes]) => this.film.head.nodes <= nodes)[1]);
    return Math.min(Math.max(0.34 * distance, 0.7), this.film.head.nodes <= FEW ? 22 : 16);
  }

  /**
   * The picture of the present configuration of the film.
   *
   * @param {number} width @param {number} height pixels @param {{title?: string, text?: string, free?: number}} above lines above it,
   *   or pixels kept free there
   * @returns {Scene} O(nodes + edges)
   */
  scene(width, height, { title = "", text = "", free = 0 } = {}) {
    const { film, places, camera, options } = this;
    const { configuration } = film;
    const ink = inks(this.isDark);
    const scene = new Scene(width, height, ink.background);
    places.update(configuration);
    if (this.glide?.places) places.glide(this.glide.places, this.glide.part);
    const view = {
      scene,
      configuration,
      places,
      camera,
      ink,
      options,
      cache: this.cache,
      classColumn: this.colourBy,
      classes: null,
      colouring: null,
      /** The nodes that the condition means; null means all. */
      passes: this.condition === "" ? null : conditionOf(configuration, this.condition),
      textBy: this.textBy,
      hasPatterns: false,
      paint: (index) => classColour(ink, index),
      radius: 1,
      glide: this.glide,
    };
    if (this.colourBy !== null) {
      if (this.colouring?.place !== this.colourBy) this.colouring = new Colouring(configuration, this.colourBy);
      const { colouring } = this;
      // First the classes: whether words are numbers is known then.
      view.classes = colouring.classes();
      view.colouring = colouring;
      view.hasPatterns = options.hatching && !colouring.isScale;
      view.paint = (index) => colouring.colour(ink, index);
    }
    const entries = options.legend ? legendEntries(view) : [];
    const rows = legendRows(entries, width);
    // On the screen the legend leaves the picture its share.
    if (free > 0) rows.keepWithin(LEGEND_SHARE * height);
    const above = (title ? 24 : 0) + (text ? 20 : 0);
    if (this.showsAll && places.box !== null) this.fit(width, above + free, height - above - free - rows.height);
    view.radius = this.radius;

    if (film.head.nodes === 0) addBars(view, film.head, film.stepOf(film.frame), above + free);
    else if (places.isLattice) this.addLattice(view);
    else this.addGraph(view);
    if (this.selected !== null) this.addSelected(view);
    if (above > 0) scene.add({ kind: "areas", fill: ink.background, points: [0, 0, width, above] });
    if (title) scene.text(10, 15, title, { fill: ink.ink, size: 15, bold: true });
    if (text) scene.text(10, above - 9, text, { fill: ink.faint, size: 12.5 });
    const far = this.farApart;
    if (far !== "") scene.text(10, height - rows.height - 10, far, { fill: ink.faint, size: 12.5, halo: ink.background });
    if (rows.height > 0) {
      const top = height - rows.height;
      scene.add({ kind: "areas", fill: ink.background, points: [0, top, width, rows.height] });
      addLegend(view, entries, rows.places, top);
    }
    return scene;
  }

  /** The note about bodies that are drawn larger than their cells; empty if there are none. */
  get farApart() {
    const { places, camera, film } = this;
    if (!places.isLattice || places.box === null || this.radius < ENLARGED * 0.5 * camera.scale) return "";
    const { left, right, bottom, top } = places.box;
    const cells = Math.round(Math.max(right - left, (top - bottom) / HEIGHT_OF_ROW));
    return `${grouped(cells)} cells from one side to the other: each ${nodeWord(film.head)} is drawn larger than its cell`;
  }

  fit(width, top, height) {
    const { places } = this;
    const distance = places.distance ?? 1;
    // Edges across the seam of a torus end beyond its nodes.
    const half = distance * (places.head.picture.wraps === null ? 0.6 : 0.8);
    const { box } = places;
    const around = { left: box.left - half, right: box.right + half, bottom: box.bottom - half, top: box.top + half };
    this.camera.fit(around, { left: 0, top, width, height }, 10, (places.head.nodes <= FEW ? DISTANCE_MOST_OF_FEW : DISTANCE_MOST) / distance);
  }

  addGraph(view) {
    const { options } = this;
    if (options.sets) addLockSets(view);
    if (options.edges) addEdges(view);
    addNodes(view);
    if (options.locks) addLockRings(view);
    if (options.names) addNames(view);
    if (options.messages) addMessages(view);
  }

  addLattice(view) {
    const { options, film } = this;
    addGround(view);
    if (options.sets) addLockSets(view);
    if (options.edges && film.head.kind === "cells") addChainEdges(view);
    const hasBonds = options.circuits && film.configuration.column("bonds") !== null;
    if (hasBonds) addBonds(view);
    addBodies(view);
    if (hasBonds && film.configuration.column("pins") !== null) addCircuits(view);
    if (options.arrows) addArrows(view);
    if (options.locks) addLockRings(view);
    if (options.names) addNames(view);
    if (options.messages) addMessages(view);
  }

  addSelected({ scene, camera, places, ink, radius }) {
    const x = camera.across(places.x[this.selected]);
    const y = camera.down(places.y[this.selected]);
    const reach = radius * 1.28 + 6;
    scene.add({ kind: "marks", shape: "disc", radius: reach, stroke: ink.background, width: 5, points: [x, y] });
    scene.add({ kind: "marks", shape: "disc", radius: reach, stroke: ink.ink, width: 2.2, points: [x, y] });
  }

  /** The node at a point of the picture, with a tolerance of a finger's width; null if there is none. O(nodes) */
  nodeAt(x, y) {
    const { places, camera } = this;
    const reach = Math.max(this.radius * 1.2, 14);
    let nearest = null;
    let least = reach * reach;
    for (let node = 0; node < places.head.nodes; node += 1) {
      const head = (camera.across(places.x[node]) - x) ** 2 + (camera.down(places.y[node]) - y) ** 2;
      const tail = (camera.across(places.tailX[node]) - x) ** 2 + (camera.down(places.tailY[node]) - y) ** 2;
      const squared = Math.min(head, tail);
      if (squared <= least) {
        least = squared;
        nearest = node;
      }
    }
    return nearest;
  }

  /** The `options` that apply to this film. @returns {string[]} */
  get choices() {
    const { head, configuration } = this.film;
    const choices = ["legend", "names", "hatching"];
    if (head.picture.lattice === null || head.kind === "cells") choices.push("edges");
    if (lockColumns(configuration) !== null) choices.push("locks", "sets");
    if (head.messages.length > 0) choices.push("messages");
    if (configuration.column("bonds") !== null) choices.push("circuits");
    if (head.picture.lattice !== null && head.kind === "amoebots") choices.push("arrows");
    return choices;
  }
}

function colouringsOf(head) {
  const places = [...head.columns.keys()];
  return places.filter((place) => !PLACES.has(head.columns[place].key) && head.columns[place].kind !== "node");
}

/** The column `state`, otherwise the first class column except the lock. */
function firstColouring(head) {
  const places = colouringsOf(head).filter((place) => head.columns[place].kind === "class");
  const byKey = (key) => places.find((place) => head.columns[place].key === key);
  return byKey("state") ?? byKey("colour") ?? places.find((place) => head.columns[place].key !== "lock") ?? places[0] ?? null;
}
