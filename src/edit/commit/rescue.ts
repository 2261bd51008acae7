/**
 * Bytes that cannot stay where they are and that nobody else has: kept in the cache, and the answer says where.
 * Called when a commit is undone or recovered and somebody else has changed the file meanwhile.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  cacheFolder,
  type Environment,
  preparePrivateFolder,
  writePrivateFile,
} from "../../workspace/cache.ts";

export async function rescue(env: Environment, name: string, bytes: Buffer): Promise<string> {
  const folder = join(cacheFolder(env), "rescued");
  await preparePrivateFolder(folder);
  const path = join(folder, `${randomBytes(4).toString("hex")}-${name.slice(-100)}`);
  await writePrivateFile(path, bytes);
  return path;
}
