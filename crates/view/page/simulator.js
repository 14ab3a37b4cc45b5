/** An answer of the simulator. @typedef {{exit: number, diagnostic: string | null, line: number | null, column: number | null,
 *   record: string | null, digest: string | null, seed: string | null, film?: {head: object, chunks: string[]}}} Answer */

/**
 * The code of the worker. A module is compiled once; each run has its own instance, because a run that failed leaves one
 * that cannot be used. The function is converted to text and must not use anything from outside.
 */
function workInWorker() {
  let compiled = null;
  const inflate = async (text) => {
    const characters = atob(text.trim());
    const packed = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  };
  globalThis.onmessage = async ({ data: { module, request, files } }) => {
    try {
      compiled ??= await WebAssembly.compile(await inflate(module));
      const told = () => new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.told(), exports.told_bytes()));
      // Called by the run: sends the new chunks to the page during the run.
      const show = () => globalThis.postMessage({ more: JSON.parse(told()) });
      const { exports } = await WebAssembly.instantiate(compiled, { page: { show } });
      // Memory grows: a view is made after each call.
      const write = (...parts) => {
        let at = exports.room(parts.reduce((sum, part) => sum + part.length, 0));
        for (const part of parts) {
          new Uint8Array(exports.memory.buffer, at, part.length).set(part);
          at += part.length;
        }
      };
      const encoder = new TextEncoder();
      for (const { name, bytes } of files) {
        const nameBytes = encoder.encode(name);
        write(nameBytes, bytes);
        exports.give(nameBytes.length);
      }
      write(encoder.encode(JSON.stringify(request)));
      let fault = null;
      try {
        exports.run();
      } catch (error) {
        fault = error;
      }
      const text = told();
      if (fault !== null && text === "") throw fault;
      globalThis.postMessage({ answer: JSON.parse(text) });
    } catch (error) {
      globalThis.postMessage({ fault: String(error.message ?? error) });
    }
  };
}

/** The simulator in a worker, so that the page stays responsive during a run. */
export class Simulator {
  /** @param {string} module base64 of the module, compressed by gzip */
  constructor(module) {
    this.module = module;
    this.worker = null;
    this.refuse = null;
  }

  /**
   * Runs a scenario to its end.
   *
   * @param {{text: string, name: string, seed: string | null}} request @param {{name: string, bytes: Uint8Array}[]} files that it may name
   * @param {(more: object) => void} show is called with the new part of the film during the run
   * @returns {Promise<Answer>} @throws {Error} if it was stopped, or the module failed
   */
  run(request, files, show) {
    this.stop();
    if (this.worker === null) {
      const address = URL.createObjectURL(new Blob([`(${workInWorker})()`], { type: "text/javascript" }));
      this.worker = new Worker(address);
      URL.revokeObjectURL(address);
    }
    return new Promise((resolve, reject) => {
      this.refuse = reject;
      const done = (act) => {
        this.refuse = null;
        act();
      };
      this.worker.onmessage = ({ data }) => {
        if (data.more !== undefined) show(data.more);
        else done(() => (data.fault === undefined ? resolve(data.answer) : reject(new Error(data.fault))));
      };
      this.worker.onerror = (event) => done(() => reject(new Error(event.message || "the simulator cannot run in this browser")));
      this.worker.postMessage({ module: this.module, request, files });
    });
  }

  get isRunning() {
    return this.refuse !== null;
  }

  /** Ends a running simulation. */
  stop() {
    if (this.refuse === null) return;
    this.worker.terminate();
    this.worker = null;
    this.refuse(new Error("stopped"));
    this.refuse = null;
  }
}
