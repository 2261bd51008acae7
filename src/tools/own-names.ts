/**
 * Errors from below name a file by its place on the disk. An agent is told of it as it calls it: below the root by the
 * rest of the path, a scratch file by its URL. Called around read, edit and write.
 */
import { ToolError } from "../model/errors.ts";
import type { Session } from "../workspace/session.ts";

export async function inOwnNames<T>(session: Session, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof ToolError ? await renamed(session, cause) : cause;
  }
}

async function renamed(session: Session, error: ToolError): Promise<ToolError> {
  const { code, hint, excerpt } = error;
  const rename = (text: string): string =>
    text.replaceAll(`${session.root}/`, "").replaceAll(`${session.root} `, ". ");
  // The scratch folder is made when first asked for.
  const scratch = error.message.includes("/local/") ? `${(await session.local()).root}/` : null;
  const message = rename(scratch === null ? error.message : error.message.replaceAll(scratch, "local://"));
  if (message === error.message) return error;
  return new ToolError(code, message, {
    cause: error,
    ...(hint === undefined ? {} : { hint: rename(hint) }),
    ...(excerpt === undefined ? {} : { excerpt }),
  });
}
