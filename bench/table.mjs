// A run as tables in Markdown, padded so that they read well on a terminal too.
import { ratios } from "./goals.mjs";
import { median } from "./record.mjs";

export function tables(run) {
  return [
    heading(run),
    enginesTable(run),
    run.search === null ? "" : searchTable(run),
    run.find === null ? "" : findTable(run),
    costTable(run),
    run.growth.length < 2 ? "" : growthTable(run),
    disagreements(run),
    goalsTable(run),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function heading({ machine, corpus, rounds, scanMs }) {
  return [
    `# ${machine.date.slice(0, 16)} · ${corpus.percent} % of ${corpus.name}`,
    "",
    `${number(corpus.files)} files, ${number(corpus.bytes / 1e6)} MB; a full scan by ripgrep takes ${ms(scanMs)} ms; ${rounds} rounds; ${machine.cpu}; node ${machine.node}.`,
  ].join("\n");
}

function enginesTable({ engines }) {
  return table(
    ["engine", "version", "ran", "ready ms", "RSS MB"],
    engines.map(({ name, version, ran, why, readyMs, memory: of }) => [
      name,
      version ?? "",
      ran ? "yes" : `not run: ${why}`,
      ms(readyMs),
      of === undefined || of === null ? "-" : number(of.rss),
    ]),
    new Set([0, 1, 2]),
  );
}

function searchTable({ search }) {
  const peers = others(search.results);
  const rows = search.results.map(({ question, times, files, lines }) => [
    question.name,
    question.class,
    code(shown(question)),
    number(files),
    number(lines),
    ms(times.ripgrep.ms),
    ...ours(times, "quarry"),
    ...ours(times, "quarry mcp"),
    ...peers.map((peer) => ms(times[peer].ms)),
  ]);
  const head = ["name", "class", "pattern", "files", "lines", "rg ms"];
  return [
    "## First page of search",
    table(
      [...head, "ours ms", "×", "by", "MCP ms", "×", "by", ...peers.map((peer) => `${peer} ms`)],
      rows,
      new Set([0, 1, 2, 8, 11]),
    ),
    "× says how many times faster than ripgrep's full scan; by, who answered: the index, ripgrep, or both (mixed).",
    summary(search.results, peers),
  ].join("\n\n");
}

function summary(results, peers) {
  const rows = ["quarry", "quarry mcp", ...peers].flatMap((name) => {
    const [faster, anew] = [ratios(results, name), ratios(results, name, "anewMs")];
    if (faster.length === 0) return [];
    const times = results.flatMap(({ times }) => times[name].ms ?? []);
    const first = results.flatMap(({ times }) => times[name].first ?? []);
    const worst = results
      .filter(({ times }) => times[name].ms !== undefined)
      .toSorted((a, b) => a.times.ripgrep.ms / a.times[name].ms - b.times.ripgrep.ms / b.times[name].ms)[0];
    return [
      [
        name,
        `${faster.length} of ${results.length}`,
        ms(median(times)),
        ms(median(first)),
        ratio(median(faster)),
        share(faster),
        ratio(median(anew)),
        share(anew),
        `${ratio(Math.min(...faster))} (${worst.question.name})`,
      ],
    ];
  });
  return table(
    [
      "engine",
      "answered",
      "median ms",
      "first call ms",
      "median ×",
      "at least 20 ×",
      "asked anew ×",
      "at least 20 ×",
      "worst ×",
    ],
    rows,
  );
}

function share(faster) {
  return `${number((100 * faster.filter((one) => one >= 20).length) / faster.length)} %`;
}

function findTable({ find }) {
  const rows = find.results.map(({ question, times, files }) => [
    code(question.glob),
    number(files),
    ms(times.ripgrep.ms),
    ...ours(times, "quarry"),
    ...ours(times, "quarry mcp"),
  ]);
  const faster = (name, of) => {
    const all = ratios(find.results, name, of);
    return all.length === 0 ? "-" : ratio(median(all));
  };
  const [library, mcp] = ["quarry", "quarry mcp"].map(
    (name) => `${faster(name)} times faster, asked anew ${faster(name, "anewMs")}`,
  );
  return [
    "## Find",
    table(
      ["glob", "files", "rg --files ms", "ours ms", "×", "by", "MCP ms", "×", "by"],
      rows,
      new Set([0, 5, 8]),
    ),
    `Median: library ${library}; MCP ${mcp}.`,
  ].join("\n\n");
}

function costTable({ build, restart, server, sessions, fresh, scanMs }) {
  const rows = [];
  if (build !== null) {
    rows.push([
      "build from nothing",
      `${ms(build.ms)} ms = ${ratio(build.ms / scanMs)} scans (${build.status.phase})`,
    ]);
    if (build.settledMs !== undefined)
      rows.push([
        "until nothing is left to merge or save",
        `${ms(build.settledMs)} ms = ${ratio(build.settledMs / scanMs)} scans`,
      ]);
    rows.push([
      "main loop's lag while building",
      `p99 ${ms(build.lagP99)} ms, longest ${ms(build.lagMax)} ms`,
    ]);
    rows.push([
      "saved",
      `${number(build.saved / 1e6, 1)} MB = ${number(build.share * 100, 1)} % of the text`,
    ]);
    rows.push(["memory of the library's process after building", memory(build.memory)]);
  }
  if (restart !== null) {
    rows.push([
      "ready after a restart",
      `${ms(restart.ms)} ms from the start of the process (${restart.status.phase})`,
    ]);
    rows.push(["memory of the library's process after a restart", memory(restart.memory)]);
  }
  if (server !== null)
    rows.push(["MCP server after build and queries", `${memory(server.memory)}; ${by(server.index)}`]);
  if (sessions !== null) {
    rows.push(["MCP server restarted, 1 session", `${memory(sessions.one)}; ${by(sessions.index)}`]);
    rows.push(["MCP server restarted, 8 sessions", memory(sessions.eight)]);
  }
  for (const [name, one] of Object.entries(fresh ?? {})) {
    const label = {
      overwritten: "one file overwritten",
      created: "a new name",
      changed: `${one.files} files changed`,
    }[name];
    const read = one.readTwiceMs === undefined ? "" : `; reading them twice ${ms(one.readTwiceMs)} ms`;
    rows.push([
      label,
      `next search ${ms(one.afterMs)} ms, before ${ms(one.beforeMs)}: ${ms(one.addedMs)} added${read}; ${one.missed} missed; by ${one.by.join(", ")}`,
    ]);
  }
  return rows.length === 0
    ? ""
    : ["## What it costs", table(["what", "measured"], rows, new Set([0, 1]))].join("\n\n");
}

function growthTable({ growth }) {
  const names = Object.keys(growth[0].medians).filter((name) =>
    growth.every(({ medians }) => name in medians),
  );
  const rows = growth.map((row) => [
    `${row.percent} %`,
    number(row.files),
    number(row.bytes / 1e6),
    ms(row.scanMs),
    row.buildMs === null ? "-" : ms(row.buildMs),
    row.saved === null ? "-" : number(row.saved / 1e6, 1),
    ...names.map((name) => ms(row.medians[name] ?? undefined)),
  ]);
  return [
    "## How cost grows",
    table(
      ["tree", "files", "MB", "scan ms", "build ms", "saved MB", ...names.map((name) => `${name} ms`)],
      rows,
      new Set(),
    ),
    `Medians of one pattern of every class (${growth.map(({ questions }) => questions).join(", ")} patterns).`,
  ].join("\n\n");
}

/** All that is not ripgrep's answer, whoever gave it. */
function disagreements({ search, find }) {
  const rows = [...(search?.results ?? []), ...(find?.results ?? [])].flatMap(
    ({ question, agreement = {}, files, lines }) =>
      Object.entries(agreement).flatMap(([engine, said]) => {
        if (said.agrees === true && !said.partial) return [];
        return [
          [
            engine,
            question.name,
            against(said),
            files === undefined
              ? ""
              : `${number(files)} files${lines === undefined ? "" : `, ${number(lines)} lines`}`,
          ],
        ];
      }),
  );
  const title = "## Answers that are not ripgrep's";
  if (search === null && find === null) return "";
  if (rows.length === 0) return `${title}\n\nNone.`;
  return [title, table(["engine", "question", "what", "ripgrep's"], rows, new Set([0, 1, 2, 3]))].join(
    "\n\n",
  );
}

function against(said) {
  if (said.agrees === null) return `not compared: ${said.why}`;
  if (said.page) return `its first page has ${said.example}`;
  const answer = `${number(said.files)} files${said.lines === undefined ? "" : `, ${number(said.lines)} lines`}`;
  if (said.agrees) return `${answer}: ended early and said so; what it has agrees`;
  const parts = [
    `${said.missing} missing`,
    `${said.extra} extra`,
    ...(said.otherCounts === undefined ? [] : [`${said.otherCounts} with other counts`]),
  ];
  return `${answer}: ${parts.join(", ")}; such as ${said.example}`;
}

function goalsTable({ goals, corpus }) {
  const rows = goals.map(({ name, value, unit, holds }) => [
    name,
    value === null ? "-" : `${value < 10 ? number(value, 2) : number(value, value < 100 ? 1 : 0)} ${unit}`,
    holds === null ? "not measured" : holds ? "holds" : "does not hold",
  ]);
  const note = "They are set for the whole of linux-source-6.1: 78,622 files, 1.3 GB.";
  return [
    `## Goals, on ${number(corpus.files)} files`,
    note,
    table(["goal", "measured", ""], rows, new Set([0, 1, 2])),
  ].join("\n\n");
}

function ours(times, name) {
  const entry = times[name];
  if (entry?.ms === undefined) return ["-", "-", entry?.error === undefined ? "-" : "failed"];
  return [ms(entry.ms), ratio(times.ripgrep.ms / entry.ms), entry.by ?? "-"];
}

function others(results) {
  const ourNames = new Set(["ripgrep", "quarry", "quarry mcp"]);
  return Object.keys(results[0]?.times ?? {}).filter((name) => !ourNames.has(name));
}

function shown({ pattern, i, type, glob, path }) {
  return [
    pattern,
    i ? "-i" : "",
    type === undefined ? "" : `-t ${type}`,
    glob === undefined ? "" : `-g ${glob}`,
    path ?? "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

const code = (text) => `\`${text.replaceAll("|", "\\|")}\``;
const memory = (of) =>
  of === null ? "not known here" : `RSS ${number(of.rss)} MB, PSS ${number(of.pss)} MB`;
const by = ({ engine, engineWhy }) => `answers by ${engine} (${engineWhy})`;
const ratio = (value) => number(value, value < 10 ? 2 : value < 100 ? 1 : 0);
const ms = (value) =>
  value === undefined || value === null ? "-" : number(value, value < 10 ? 2 : value < 100 ? 1 : 0);
const number = (value, digits = 0) =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** `left`: the columns that hold words; the others hold numbers. */
function table(head, rows, left = new Set(head.keys())) {
  const widths = head.map((title, at) => Math.max(title.length, 3, ...rows.map((row) => row[at].length)));
  const line = (cells) =>
    `| ${cells.map((cell, at) => (left.has(at) ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join(" | ")} |`;
  const rule = `| ${widths.map((width, at) => (left.has(at) ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}
