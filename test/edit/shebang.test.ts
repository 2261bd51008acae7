import { describe, expect, it } from "vitest";
import { wantsExecutable } from "../../src/edit/shebang.ts";

describe("A new file", () => {
  it.each(["#!/bin/sh\n", "#!/usr/bin/env node\n", "#! /bin/sh", "#!\t/usr/bin/python3\r\n"])(
    "that begins with %j wants to be run",
    (content) => {
      expect(wantsExecutable(content)).toBe(true);
    },
  );

  it.each([
    "",
    "#!",
    "#!\n/bin/sh",
    "#!/",
    "#!/ bin/sh",
    "#!//",
    "#! ",
    "#![allow(dead_code)]\n",
    "#! [allow(dead_code)]\n",
    "\n#!/bin/sh\n",
    " #!/bin/sh\n",
    "\ufeff#!/bin/sh\n",
    "# !/bin/sh",
    `#!${" ".repeat(10_000_000)}`,
  ])("that begins otherwise does not: %#", (content) => {
    expect(wantsExecutable(content)).toBe(false);
  });
});
