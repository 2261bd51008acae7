#!/usr/bin/env node
/**
 * The `quarry` program: hands the process's own streams, environment and signals to `run` and exits with its
 * code, or with 128 and the signal's number. Nothing is left running behind it, and no stack is ever printed.
 */
import { constants } from "node:os";
import { isatty } from "node:tty";
import { errorText } from "../format/error-text.ts";
import { run } from "./run.ts";

const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // Asked a second time, it does not wait for anything.
    if (ending.signal.aborted) process.exit(128 + constants.signals[signal]);
    process.exitCode = 128 + constants.signals[signal];
    ending.abort();
  });
}

function crash(error: unknown): never {
  process.stderr.write(errorText({ colour: false, escape: true }, error));
  process.exit(2);
}

process.on("uncaughtException", crash);
// Nobody reads what we would say; what we do goes on.
process.stderr.on("error", () => {});

const code = await run(process.argv.slice(2), {
  // Only touched by who reads it: opening a terminal's stdin changes it.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  stdoutIsTerminal: isatty(1),
  stderrIsTerminal: isatty(2),
  env: process.env,
  cwd: process.cwd(),
  signal: ending.signal,
}).catch(crash);
// Everything is written by now. A ripgrep that does not want to end yet is not waited for but killed.
process.exit(process.exitCode ?? code);
