/** The available speeds in frames per second. */
export const SPEEDS = [1, 2, 5, 10, 20, 60, 200, 1000, 5000, 20_000, 100_000];
/** The approximate duration of a film in seconds at the default speed, which is at least two frames per second. */
const SECONDS = 20;

/** Plays a film. It loads at most one frame at a time, and calls `shown` after each. */
export class Player {
  /**
   * @param {import("./film.js").Film} film @param {{shown: () => void, changed: () => void, failed: (error: Error) => void}} listener `changed`:
   * playing has started or stopped, or the speed has changed
   */
  constructor(film, listener) {
    this.film = film;
    this.listener = listener;
    this.isPlaying = false;
    this.speed = SPEEDS.find((speed) => speed >= 2 && film.head.frames / speed <= SECONDS) ?? SPEEDS.at(-1);
    this.isBusy = false;
    /** The frame requested last while another one was loading, and that one. */
    this.wanted = null;
    this.aimed = 0;
  }

  get last() {
    return this.film.head.frames - 1;
  }

  /** Goes to a frame; of several requests in the meantime only the last is executed. @param {number} frame @returns {Promise<void>} */
  async go(frame) {
    this.wanted = Math.min(Math.max(Math.trunc(frame) || 0, 0), this.last);
    if (this.isBusy) return this.going;
    this.isBusy = true;
    this.going = this.follow();
    return this.going;
  }

  async follow() {
    try {
      while (this.wanted !== null) {
        const frame = this.wanted;
        this.wanted = null;
        this.aimed = frame;
        await this.film.seek(frame);
        this.listener.shown();
      }
      this.film.prepare();
    } catch (error) {
      this.pause();
      this.wanted = null;
      this.listener.failed(error);
    } finally {
      this.isBusy = false;
    }
  }

  /** The displayed frame, or the one that is loading. */
  get target() {
    return this.wanted ?? (this.isBusy ? this.aimed : this.film.frame);
  }

  step(frames) {
    this.pause();
    return this.go(this.target + frames);
  }

  /** Goes to the next (or the last) frame with a flag. @returns {Promise<boolean>} whether there is one */
  async jump(flag, way) {
    this.pause();
    try {
      const frame = await this.film.nearest(this.target, flag, way);
      if (frame === null) return false;
      await this.go(frame);
      return true;
    } catch (error) {
      this.listener.failed(error);
      return true;
    }
  }

  /** Continues playing; from the start if it is at the end. */
  play() {
    if (this.isPlaying) return;
    this.isPlaying = true;
    this.listener.changed();
    let from = this.target === this.last ? 0 : this.target;
    let since = null;
    let speed = this.speed;
    const tick = (now) => {
      if (!this.isPlaying) return;
      requestAnimationFrame(tick);
      if (since === null || speed !== this.speed) {
        if (since !== null) from = this.film.frame;
        speed = this.speed;
        since = now;
        if (this.film.frame !== from) this.go(from);
        return;
      }
      if (this.isBusy) return;
      const frame = Math.min(from + Math.floor(((now - since) / 1000) * speed), this.last);
      if (frame !== this.film.frame) {
        // Time lost with slow frames is not made up for: a slow film plays more slowly.
        if (frame - this.film.frame > Math.max(speed, 2)) {
          from = this.film.frame + Math.max(1, Math.ceil(speed / 30));
          since = now;
          this.go(from);
          return;
        }
        this.go(frame);
      }
      if (frame === this.last) this.pause();
    };
    requestAnimationFrame(tick);
  }

  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.listener.changed();
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** The next faster or slower speed. @param {1 | -1} way */
  changeSpeed(way) {
    const at = SPEEDS.indexOf(this.speed) + way;
    if (at < 0 || at >= SPEEDS.length) return;
    this.speed = SPEEDS[at];
    this.listener.changed();
  }
}
