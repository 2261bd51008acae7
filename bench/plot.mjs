// Plots of a run as SVG, made by hand: the time of every pattern by engine, and how cost grows. Readable on white and,
// where the viewer says that it is dark, on black.
const COLOURS = {
  quarry: ["#0969da", "#58a6ff"],
  "quarry mcp": ["#8250df", "#bc8cff"],
  ripgrep: ["#6e7781", "#8b949e"],
  "git grep": ["#bc4c00", "#f0883e"],
  fff: ["#1a7f37", "#3fb950"],
  "pi-natives": ["#bf3989", "#f778ba"],
};
/** Two lines of one colour would be taken for one. */
const DASHES = { "git grep": "6 3", fff: "2 3", "quarry mcp": "8 3 2 3" };
const MARGIN = 24;
const TITLE = 70;

/** Horizontal bars, a group for every pattern, those that we answer soonest first. */
export function barPlot({ search, corpus }) {
  const engines = ordered(Object.keys(search.results[0].times)).filter((name) =>
    search.results.some(({ times }) => times[name].ms !== undefined),
  );
  const rows = search.results.toSorted(
    (a, b) => (a.times.quarry.ms ?? Infinity) - (b.times.quarry.ms ?? Infinity),
  );
  const values = rows.flatMap(({ times }) => engines.flatMap((name) => times[name].ms ?? []));
  const [bar, gap, left, right] = [5, 9, 160, 130];
  const group = engines.length * bar + gap;
  const size = { width: 960, height: TITLE + MARGIN + 8 + rows.length * group + 56 };
  const [top, bottom] = [TITLE + MARGIN + 8, size.height - 56];
  const x = logScale(values, left, size.width - right);
  const marks = [];
  for (const tick of x.ticks) {
    marks.push(line(x(tick), top - 4, x(tick), bottom, "grid"));
    marks.push(
      text(x(tick), bottom + 16, tickLabel(tick), "small middle"),
      text(x(tick), top - 8, tickLabel(tick), "small middle"),
    );
  }
  marks.push(text(size.width - MARGIN, top - 24, "library faster by", "small end"));
  for (const [at, { question, times }] of rows.entries()) {
    const y = top + at * group + gap / 2;
    const middle = y + (engines.length * bar) / 2 + 4;
    marks.push(text(left - 8, middle, question.name, "label end"));
    if (times.quarry.ms !== undefined && times.ripgrep.ms !== undefined) {
      marks.push(
        text(size.width - MARGIN, middle, `${figure(times.ripgrep.ms / times.quarry.ms)} ×`, "label end"),
      );
    }
    for (const [place, name] of engines.entries()) {
      const { ms } = times[name];
      if (ms === undefined) continue;
      const width = Math.max(1, x(ms) - left);
      marks.push(
        `<rect class="${slug(name)} fill" x="${left}" y="${round(y + place * bar)}" width="${round(width)}" height="${bar - 1}"><title>${escape(`${question.name}, ${name}: ${figure(ms)} ms`)}</title></rect>`,
      );
    }
  }
  marks.push(
    text(
      (left + size.width - right) / 2,
      size.height - 12,
      "milliseconds, logarithmic (shorter is better)",
      "small middle",
    ),
  );
  const title = "Time until the first page of search, by pattern";
  return svg(size, title, subtitle(corpus), [legend(engines, left, TITLE), ...marks]);
}

/** Lines over the size of the tree, both scales logarithmic: answers on the left, building on the right. */
export function growthPlot({ growth, corpus }) {
  const size = { width: 960, height: 440 };
  const names = ordered([...new Set(growth.flatMap(({ medians }) => Object.keys(medians)))]);
  const answers = names.map((name) => ({ name, points: points(growth, ({ medians }) => medians[name]) }));
  const costs = [
    { name: "quarry", points: points(growth, ({ buildMs }) => buildMs) },
    { name: "ripgrep", points: points(growth, ({ scanMs }) => scanMs) },
  ];
  const panel = (of, left, right, title) =>
    panelOf(of, { left, right, top: 120, bottom: 370, title, growth });
  // A point alone shows no growth.
  const shown = answers.filter(({ points }) => points.length >= Math.min(2, growth.length));
  return svg(size, "How cost grows with the tree", `parts and copies of ${corpus.name}; medians, one run`, [
    legend(
      shown.map(({ name }) => name),
      70,
      TITLE + 2,
    ),
    ...panel(shown, 70, 470, "First page, median over the patterns (ms)"),
    ...panel(costs, 550, 940, "Building the index (quarry) and one full scan (ripgrep), ms"),
  ]);
}

function points(growth, value) {
  return growth.flatMap((row) => (value(row) == null ? [] : [{ bytes: row.bytes, value: value(row) }]));
}

function panelOf(lines, { left, right, top, bottom, title, growth }) {
  const values = lines.flatMap(({ points }) => points.map(({ value }) => value));
  const y = logScale(values, bottom, top);
  const x = logScale(
    growth.map(({ bytes }) => bytes),
    left + 14,
    right - 14,
    { whole: false },
  );
  const marks = [text(left, top - 14, title, "label")];
  for (const tick of y.ticks)
    marks.push(
      line(left, y(tick), right, y(tick), "grid"),
      text(left - 6, y(tick) + 4, tickLabel(tick), "small end"),
    );
  for (const { percent, bytes } of growth) {
    marks.push(line(x(bytes), top, x(bytes), bottom, "grid"));
    marks.push(
      text(x(bytes), bottom + 16, percent > 100 ? `${percent / 100} copies` : `${percent} %`, "small middle"),
    );
    marks.push(text(x(bytes), bottom + 30, `${figure(bytes / 1e6)} MB`, "small middle"));
  }
  marks.push(text((left + right) / 2, bottom + 50, "size of the tree, logarithmic", "small middle"));
  for (const { name, points } of lines) {
    const path = points
      .map(({ bytes, value }, at) => `${at === 0 ? "M" : "L"}${round(x(bytes))} ${round(y(value))}`)
      .join("");
    marks.push(
      `<path class="${slug(name)} stroke" d="${path}" stroke-dasharray="${DASHES[name] ?? "none"}"/>`,
    );
    for (const { bytes, value } of points) {
      marks.push(
        `<circle class="${slug(name)} fill" cx="${round(x(bytes))}" cy="${round(y(value))}" r="3.5"><title>${escape(`${name}: ${figure(value)} ms`)}</title></circle>`,
      );
    }
  }
  return marks;
}

/** `whole`: from one power of ten to another. */
function logScale(values, from, to, { whole = true } = {}) {
  const logs = values.map((value) => Math.log10(Math.max(value, 1e-3)));
  const [least, most] = [Math.min(...logs), Math.max(...logs)];
  const low = whole ? Math.floor(least) : least;
  const high = whole ? Math.max(Math.ceil(most), low + 1) : Math.max(most, low + 1e-6);
  const scale = (value) => from + ((Math.log10(Math.max(value, 1e-3)) - low) / (high - low)) * (to - from);
  scale.ticks = whole ? Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at)) : [];
  return scale;
}

function legend(names, left, y) {
  let x = left;
  return names
    .map((name) => {
      const item = `<rect class="${slug(name)} fill" x="${x}" y="${y - 9}" width="12" height="10"/>${text(x + 17, y, LABELS[name] ?? name, "small")}`;
      x += 32 + (LABELS[name] ?? name).length * 6.6;
      return item;
    })
    .join("");
}

const LABELS = {
  quarry: "quarry (library)",
  "quarry mcp": "quarry (MCP, stdio)",
  ripgrep: "ripgrep (full scan)",
};

const ordered = (names) => Object.keys(COLOURS).filter((name) => names.includes(name));
const slug = (name) => name.replaceAll(/\W+/g, "-");
const round = (value) => Number(value.toFixed(1));
const figure = (value) =>
  value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });
const tickLabel = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 3 });
const escape = (value) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const line = (x1, y1, x2, y2, kind) =>
  `<line class="${kind}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
const text = (x, y, value, kind) =>
  `<text class="${kind}" x="${round(x)}" y="${round(y)}">${escape(value)}</text>`;

function subtitle({ name, percent, files, bytes }) {
  return `${percent} % of ${name}: ${files.toLocaleString("en-US")} files, ${figure(bytes / 1e6)} MB; medians, one run`;
}

function svg({ width, height }, title, under, parts) {
  const engines = (shade) =>
    Object.entries(COLOURS)
      .map(
        ([name, colours]) =>
          `.${slug(name)}.fill{fill:${colours[shade]}}.${slug(name)}.stroke{stroke:${colours[shade]}}`,
      )
      .join("");
  const style = `text{font-family:system-ui,-apple-system,"Segoe UI",sans-serif;fill:#1f2328}.title{font-size:17px;font-weight:600}.under{font-size:12px;fill:#59636e}.label{font-size:12px}.small{font-size:11px;fill:#59636e}.end{text-anchor:end}.middle{text-anchor:middle}.back{fill:#fff}.grid{stroke:#d1d9e0;stroke-width:1}.stroke{fill:none;stroke-width:2}${engines(0)}@media (prefers-color-scheme:dark){text{fill:#e6edf3}.under,.small{fill:#9198a1}.back{fill:#0d1117}.grid{stroke:#30363d}${engines(1)}}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">
<style>${style}</style>
<rect class="back" width="${width}" height="${height}"/>
${text(MARGIN, 26, title, "title")}
${text(MARGIN, 44, under, "under")}
${parts.join("\n")}
</svg>
`;
}
