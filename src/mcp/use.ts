/** Whether somebody uses a thing, and since when nobody does: what is idle for long is ended. */

export class Use {
  #users = 0;
  #since: number = performance.now();

  /** Until the function is called, it is in use. */
  enter(): () => void {
    let inside = true;
    this.#users += 1;
    return () => {
      if (!inside) return;
      inside = false;
      this.#users -= 1;
      this.#since = performance.now();
    };
  }

  isIdle(milliseconds: number): boolean {
    return this.idleFor >= milliseconds;
  }

  /** For how long nobody used it; less than nothing while somebody does. */
  get idleFor(): number {
    return this.#users === 0 ? performance.now() - this.#since : -1;
  }
}
