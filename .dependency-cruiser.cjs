// The arrows between the rooms of src/. A room may import itself and what is listed here, nothing else.
const arrows = {
  model: [],
  regex: ["model"],
  workspace: ["model"],
  ripgrep: ["model"],
  index: ["model", "regex", "ripgrep", "workspace"],
  engine: ["model", "regex", "ripgrep", "index", "workspace"],
  sources: ["model", "workspace"],
  syntax: ["model"],
  edit: ["model", "workspace", "sources", "syntax"],
  shape: ["model"],
  format: ["model"],
  tools: [
    "model",
    "regex",
    "workspace",
    "ripgrep",
    "index",
    "engine",
    "sources",
    "syntax",
    "edit",
    "shape",
    "format",
  ],
  dialects: ["model", "workspace", "engine", "format", "tools"],
  adapters: ["model", "format", "dialects"],
  mcp: ["model", "regex", "workspace", "index", "format", "dialects"],
  cli: [
    "model",
    "regex",
    "workspace",
    "ripgrep",
    "index",
    "engine",
    "sources",
    "syntax",
    "edit",
    "shape",
    "format",
    "tools",
    "dialects",
    "mcp",
  ],
};

/** Who puts a workspace together as any other user of the library does. */
const users = new Set(["cli", "mcp"]);

const rooms = Object.entries(arrows).map(([room, reach]) => ({
  name: `room-${room}`,
  comment: `${room}/ may import ${reach.length === 0 ? "no other room" : reach.join(", ")}`,
  severity: "error",
  from: { path: `^src/${room}/` },
  to: {
    path: "^src/",
    pathNot: `^src/((${[room, ...reach].join("|")})/${users.has(room) ? "|quarry\\.ts$" : ""})`,
  },
}));

module.exports = {
  forbidden: [
    ...rooms,
    {
      name: "no-cycle",
      comment: "data flows in one direction",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "known-room",
      comment: "a file of src/ lives in a room; only the entry does not",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/(quarry\\.ts$|(${Object.keys(arrows).join("|")})/)` },
      to: {},
    },
    {
      name: "only-ripgrep-starts-programs",
      comment: "one room starts programs; the copy of a file's attributes is the one other case",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(ripgrep/|edit/attributes\\.ts$)" },
      to: { path: "^(node:)?child_process$" },
    },
    {
      name: "runtime-dependencies-only",
      comment: "what src/ imports is installed with the package",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "unknown", "undetermined"] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
