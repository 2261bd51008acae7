/** Wakes somebody after a while, or before, where that was said already. Keeps no program running. */
export class Alarm {
  readonly #wake: () => void;
  #timer: NodeJS.Timeout | null = null;
  #due = 0;

  constructor(wake: () => void) {
    this.#wake = wake;
  }

  set(wait: number): void {
    const due = performance.now() + wait;
    if (this.#timer !== null && this.#due <= due) return;
    this.clear();
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#wake();
    }, wait);
    this.#timer.unref();
  }

  clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
