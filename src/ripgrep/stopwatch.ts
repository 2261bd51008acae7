/** A clock that can be held: ripgrep's time stands still while its reader holds it back. */

/** Timers know 31 bits of milliseconds. */
const LONGEST_TIMER = 0x7fffffff;

interface Stopwatch {
  readonly pause: () => void;
  readonly resume: () => void;
  readonly spent: () => number;
}

/** Calls when so much time has passed while it ran. It runs from the start. */
export function stopwatch(timeMs: number, onEnd: () => void): Stopwatch {
  let spent = 0;
  let since: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  const pause = (): void => {
    clearTimeout(timer);
    if (since !== null) spent += performance.now() - since;
    since = null;
  };
  const resume = (): void => {
    pause();
    since = performance.now();
    timer = setTimeout(onEnd, Math.min(Math.max(1, timeMs - spent), LONGEST_TIMER));
  };
  resume();
  return { pause, resume, spent: () => spent };
}
