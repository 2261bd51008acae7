/**
 * Somebody else who writes to the file that is edited, in bursts and with pauses, until a file `stop` is
 * there. He looks after what he wrote himself: before each update he checks that the last one is still there. At the
 * end he prints how many updates he made, and how many of them he found missing.
 *
 *   node race-writer.mjs appends|rewrites|replaces FILE STOP PAUSE
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
} from "node:fs";
import { fstatSync, renameSync, writeFileSync, writeSync } from "node:fs";

const [way, file, stop, most] = process.argv.slice(2);
const cell = new Int32Array(new SharedArrayBuffer(4));
const pause = () => Atomics.wait(cell, 0, 0, Math.random() ** 3 * Number(most));

let written = 0;
/** Updates that were not there when he looked; one comes back where an edit was taken back. */
const missing = new Set();

/** His own line is the first; what it said last must be what he wrote. */
function counted(text) {
  const [, there] = /^counter (\d+)\n/.exec(text) ?? [];
  if (Number(there) !== written) missing.add(written);
  missing.delete(Number(there));
  return text.replace(/^counter \d+$/m, `counter ${written + 1}`);
}

const WAYS = {
  /** One write call at the end, wherever that is. */
  appends() {
    appendFileSync(file, `w ${written + 1}\n`);
  },
  /** In place: all of it is read and written back with his line changed. */
  rewrites() {
    const fd = openSync(file, "r+");
    try {
      const bytes = Buffer.alloc(fstatSync(fd).size);
      readSync(fd, bytes, 0, bytes.length, 0);
      const after = Buffer.from(counted(bytes.toString()));
      writeSync(fd, after, 0, after.length, 0);
      ftruncateSync(fd, after.length);
    } finally {
      closeSync(fd);
    }
  },
  /** A new file in its place. */
  replaces() {
    const after = counted(readFileSync(file, "utf8"));
    writeFileSync(`${file}.theirs`, after);
    renameSync(`${file}.theirs`, file);
  },
};

while (!existsSync(stop)) {
  WAYS[way]();
  written += 1;
  pause();
}
console.log(JSON.stringify({ written, missing: missing.size }));
