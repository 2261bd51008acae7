// Do the answers agree? Files and matching lines of every engine beside ripgrep's, outside of the timing.

/** Of one whole answer; null when there is nothing to say against it. */
export function difference(oracle, { counts, partial = false }) {
  const missing = [...oracle.keys()].filter((path) => !counts.has(path));
  const extra = [...counts.keys()].filter((path) => !oracle.has(path));
  const counted = [...counts].filter(([path, lines]) => oracle.has(path) && oracle.get(path) !== lines);
  // An answer that says that it is not whole may lack files, and nothing else.
  const agrees = extra.length === 0 && counted.length === 0 && (missing.length === 0 || partial);
  return {
    agrees,
    partial,
    files: counts.size,
    lines: sum(counts),
    ofFiles: oracle.size,
    ofLines: sum(oracle),
    missing: missing.length,
    extra: extra.length,
    otherCounts: counted.length,
    ...(agrees ? {} : { example: missing[0] ?? extra[0] ?? counted[0]?.[0] }),
  };
}

/** A first page holds the first files of the answer in the order of paths; how many, the page decides. */
export function pageDifference(oracle, page) {
  const expected = [...oracle.keys()].toSorted(byPath).slice(0, page.length);
  const enough = oracle.size === 0 || page.length > 0;
  const wrong = page.find((path, at) => path !== expected[at]);
  return enough && wrong === undefined ? null : (wrong ?? "an empty page");
}

/** Folder by folder, by bytes, as ripgrep sorts paths. */
function byPath(a, b) {
  const [left, right] = [a.split("/"), b.split("/")];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    if (left[at] !== right[at]) return Buffer.compare(Buffer.from(left[at]), Buffer.from(right[at]));
  }
  return left.length - right.length;
}

/** Files of a glob; `all` says whether these are all that the engine found. */
export function findDifference(oracle, { files, all }) {
  const extra = [...files].filter((path) => !oracle.has(path));
  const missing = all ? [...oracle].filter((path) => !files.has(path)) : [];
  return {
    agrees: extra.length === 0 && missing.length === 0,
    all,
    files: files.size,
    ofFiles: oracle.size,
    missing: missing.length,
    extra: extra.length,
    ...(extra.length + missing.length === 0 ? {} : { example: missing[0] ?? extra[0] }),
  };
}

function sum(counts) {
  return [...counts.values()].reduce((all, count) => all + count, 0);
}
