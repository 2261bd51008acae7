/** Small real trees on a real disk, gone when the test that asked for them is over. */
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A file's content, the target of a symbolic link, or an empty folder. */
type Planted = string | Buffer | { readonly link: string } | typeof FOLDER;

export type Files = Readonly<Record<string, Planted>>;

/** An empty folder. */
export const FOLDER: unique symbol = Symbol("folder");

export function link(target: string): Planted {
  return { link: target };
}

/** A folder with these files, for the running test. */
export function tree(files: Files = {}): string {
  const { root, remove } = plant(files);
  onTestFinished(remove);
  return root;
}

/** A folder with these files, removed by whoever asked for it. */
export function plant(files: Files): { readonly root: string; readonly remove: () => void } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "quarry-test-")));
  for (const [path, content] of Object.entries(files)) put(root, path, content);
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

function put(root: string, path: string, content: Planted): void {
  const place = join(root, path);
  mkdirSync(dirname(place), { recursive: true });
  if (content === FOLDER) mkdirSync(place, { recursive: true });
  else if (typeof content === "object" && "link" in content) symlinkSync(content.link, place);
  else writeFileSync(place, content);
}

/** Gives a file an age, in seconds since the epoch. */
export function touch(root: string, path: string, seconds: number): void {
  utimesSync(join(root, path), seconds, seconds);
}

/** A name that is not UTF-8, below a folder. */
export function rawPath(root: string, bytes: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(bytes)]);
}
