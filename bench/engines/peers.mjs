// Where fff, oh-my-pi's natives and bun come from: installed into the bench's own cache, never into this package. npm
// runs no install scripts here, so the packages that carry the binaries are named.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PLATFORM = `${process.platform}-${process.arch}`;

/** In this order until one is there: a version is of use only with its platform's package. */
const PACKAGES = {
  fff: [{ "@ff-labs/fff-node": "0.9.6" }],
  "pi-natives": [
    { "@oh-my-pi/pi-natives": "18.2.10", [`@oh-my-pi/pi-natives-${PLATFORM}`]: "18.2.10" },
    { "@oh-my-pi/pi-natives": "18.2.3", [`@oh-my-pi/pi-natives-${PLATFORM}`]: "18.2.3" },
  ],
  bun: [{ [`@oven/bun-${PLATFORM}`]: "1.4.4", bun: "1.4.4" }],
};

/** Folder and version of a peer. @throws Error with the reason when it cannot be had */
export function installPeer(name, cache) {
  const failures = [];
  for (const wanted of PACKAGES[name]) {
    const specs = Object.entries(wanted).map(([one, version]) => `${one}@${version}`);
    const prefix = join(cache, "peers", specs[0].replaceAll(/[@/]+/g, "-").replace(/^-/, ""));
    const folder = (one) => join(prefix, "node_modules", one);
    const [main, version] = Object.entries(wanted).find(([one]) => !one.endsWith(PLATFORM)) ?? [name, ""];
    try {
      if (!Object.keys(wanted).every((one) => existsSync(join(folder(one), "package.json")))) {
        mkdirSync(prefix, { recursive: true });
        const argv = [
          "install",
          "--no-save",
          "--no-audit",
          "--no-fund",
          "--ignore-scripts",
          "--prefix",
          prefix,
          ...specs,
        ];
        execFileSync("npm", argv, { cwd: prefix, stdio: ["ignore", "ignore", "pipe"], timeout: 180_000 });
      }
      const { version: found } = JSON.parse(readFileSync(join(folder(main), "package.json"), "utf8"));
      return { folder: folder(main), version: found, notes: failures };
    } catch (cause) {
      failures.push(`${main} ${version}: ${reason(cause)}`);
    }
  }
  throw new Error(failures.join("; "));
}

/** The first line that says what was wrong, and nothing of where this machine gets its packages. */
function reason(cause) {
  const lines = String(cause.stderr ?? cause.message).split("\n");
  return (
    lines.find((line) => /notarget|404|E[A-Z]{4,}|No matching/.test(line) && !/npm error code/.test(line)) ??
    lines[0]
  )
    .replace(/^npm error \w+ /, "")
    .replaceAll(/https?:\/\/\S+/g, "the registry");
}

/** bun's package has its program under one of two names, and its platform's package under another. */
export function bunProgram(cache) {
  const { folder, version } = installPeer("bun", cache);
  const places = [
    join(folder, "bin/bun.exe"),
    join(folder, "bin/bun"),
    join(folder, "../@oven", `bun-${PLATFORM}`, "bin/bun"),
  ];
  const works = places.find((program) => existsSync(program) && runs(program));
  if (works === undefined) throw new Error("bun was installed without a program that runs");
  return { program: works, version };
}

function runs(program) {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
