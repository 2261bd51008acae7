/**
 * Refuses what a path's text alone condemns, before any file call is made with it: on Windows a call on a UNC
 * path already sends credentials, and a device path talks to hardware. Called by the policy, first of all.
 */
import { ToolError } from "../model/errors.ts";

// Reserved in any folder and with any extension. The superscript digits count as digits.
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *[.:].*| *)$/i;
const DRIVE = /^[a-z]:/i;

/** Throws for a path of another machine as Windows writes it, on any system: by its text, before any call. */
export function refuseNetworkPath(path: string): void {
  if (!/^(?:\\\\|\/\/)/.test(path)) return;
  throw refused(path, NETWORK);
}

/** Throws for a path that must not reach the file system. */
export function refuseRawPath(path: string, platform: NodeJS.Platform): void {
  if (path.includes("\0")) {
    throw new ToolError("INVALID_INPUT", `The path ${JSON.stringify(path)} holds a NUL`);
  }
  if (platform !== "win32") return;
  const fault = windowsFault(path);
  if (fault === null) return;
  throw refused(path, fault);
}

const NETWORK = "network (UNC) and device paths are not opened";

function refused(path: string, fault: string): ToolError {
  return new ToolError("PATH_DENIED", `${path} is refused: ${fault}`, {
    hint: "Name a file below an allowed folder by its plain path",
  });
}

function windowsFault(path: string): string | null {
  if (/^[\\/]{2}/.test(path)) return NETWORK;
  if (/^[\\/]\?\?[\\/]/.test(path)) return "paths of the object manager are not opened";
  const rest = DRIVE.test(path) ? path.slice(2) : path;
  if (rest.includes(":")) return "a colon names an alternate stream of a file";
  for (const name of rest.split(/[\\/]/)) {
    if (DEVICE.test(name)) return `${name} is the name of a device`;
    if (/[. ]$/.test(name) && name !== "." && name !== "..") {
      return "Windows drops blanks and dots at the end of a name, so it would mean another file";
    }
  }
  return null;
}
