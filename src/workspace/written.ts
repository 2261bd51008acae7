/**
 * What the tools of this process have written, told at once to whoever keeps something of the disk in mind: the index,
 * which need not hear of it from the system. `edit/commit` tells, `index/open-indexes.ts` listens.
 */

type Listener = (realPaths: readonly string[]) => void;

const listeners = new Set<Listener>();

/** Until the function that is given back is called. */
export function onWritten(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function tellWritten(realPaths: readonly string[]): void {
  for (const listener of listeners) listener(realPaths);
}
