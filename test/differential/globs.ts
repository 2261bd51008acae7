/** Globs that say something about a given path: most match it, some do not. */
import * as fc from "fast-check";

/** Against whole paths, as in include and exclude. */
export function globFor(path: string): fc.Arbitrary<string> {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const name = path.slice(path.lastIndexOf("/") + 1);
  const top = path.split("/")[0] ?? name;
  const exact = escapeGlob(path);
  return fc.oneof(
    { weight: 3, arbitrary: nameGlobFor(path) },
    fc.constantFrom(
      exact,
      `/${exact}`,
      `**/${escapeGlob(name)}`,
      `${escapeGlob(top)}/**`,
      `**/${escapeGlob(top)}/**`,
      `/${escapeGlob(top)}*/**/${escapeGlob(name)}`,
      folder === "" ? "*" : `${escapeGlob(folder)}/*`,
      folder === "" ? "/*" : `${escapeGlob(folder)}/*.{ts,js,md,txt}`,
      escapeGlob(top),
      `${escapeGlob(top)}/`,
      "src/**/*.ts",
      "src/*.ts",
      "{src,docs,enc}/**",
      "**/[a-m]*",
      "*/*",
      "**",
    ),
  );
}

/** Against base names. */
export function nameGlobFor(path: string): fc.Arbitrary<string> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const extension = /\.\w+$/.exec(name)?.[0] ?? "";
  const rest = Array.from(name);
  return fc.constantFrom(
    escapeGlob(name),
    `*${extension}`,
    `*${extension}`,
    `*${extension}`,
    `${escapeGlob(rest.slice(0, 2).join(""))}*`,
    `?${escapeGlob(rest.slice(1).join(""))}`,
    `*{${extension || "x"},.none}`,
    `{none,${escapeGlob(name)}}`,
    `[a-z]*${extension}`,
    `[!a-f]*${extension}`,
    `*[.]${extension.slice(1)}`,
    "*.{ts,js}",
    "*.md",
    "*",
    "[!.]*",
  );
}

/** No character of a path is syntax. */
export function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]{},]/g, "\\$&");
}
