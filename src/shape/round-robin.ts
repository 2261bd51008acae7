/**
 * Shares out a page among files: one match to each in turn until all have what they want or the page is full, so
 * that no file takes it all. Pure.
 */
export function roundRobin(wanted: readonly number[], total: number): number[] {
  const given = wanted.map(() => 0);
  let left = total;
  for (let round = 1; left > 0; round += 1) {
    const open = wanted.flatMap((want, at) => (want >= round ? [at] : []));
    if (open.length === 0) break;
    for (const at of open.slice(0, left)) given[at] = round;
    left -= Math.min(left, open.length);
  }
  return given;
}
