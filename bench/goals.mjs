// The speed and size that the index must reach, and whether a run shows it. The goals are set for the whole of the
// Linux sources; a run over less says what it says of less.
import { median } from "./record.mjs";

/** How many times faster than ripgrep, question by question; `of` the median of all calls, or of those asked anew. */
export function ratios(results, engine, of = "ms") {
  return results.flatMap(({ times }) => {
    const [ours, rg] = [times[engine]?.[of], times.ripgrep?.ms];
    return ours === undefined || rg === undefined ? [] : [rg / ours];
  });
}

const ENGINES = ["quarry", "quarry mcp"];
/**
 * All calls of a question, two of three of which find what was just told, as the next page does; and those alone that are
 * the first since all the others, as an agent mostly asks. Nobody should take the one for the other.
 */
const ASKED = [
  ["ms", ""],
  ["anewMs", " asked anew"],
];

export function judge({ search, find, build, restart, sessions, server, fresh, scanMs }) {
  const goals = [];
  const goal = (name, value, unit, holds) =>
    goals.push({ name, value: value ?? null, unit, holds: value == null ? null : holds(value) });
  for (const [engine, of, asked] of ENGINES.flatMap((name) => ASKED.map((how) => [name, ...how]))) {
    const faster = search === null ? [] : ratios(search.results, engine, of);
    const some = faster.length > 0;
    goal(
      `${engine}: search${asked}, median at least 100 times faster`,
      some ? median(faster) : null,
      "×",
      (v) => v >= 100,
    );
    const share = faster.filter((ratio) => ratio >= 20).length / faster.length;
    goal(
      `${engine}: search${asked}, 9 of 10 at least 20 times faster`,
      some ? share * 100 : null,
      "%",
      (v) => v >= 90,
    );
    const worst = 1 / Math.min(...faster);
    goal(
      `${engine}: search${asked}, none slower than 1.15 times ripgrep`,
      some ? worst : null,
      "× rg",
      (v) => v <= 1.15,
    );
    const found = find === null ? [] : ratios(find.results, engine, of);
    goal(
      `${engine}: find${asked}, median at least 50 times faster`,
      found.length > 0 ? median(found) : null,
      "×",
      (v) => v >= 50,
    );
  }
  const scans = build === null ? null : build.ms / scanMs;
  goal("build in at most 25 full scans", scans, "scans", (v) => v <= 25);
  goal("main loop's lag while building under 50 ms (longest)", build?.lagMax, "ms", (v) => v < 50);
  goal("saved size at most 25 % of the text", build === null ? null : build.share * 100, "%", (v) => v <= 25);
  goal("server memory after build and queries under 300 MB", indexed(server), "MB RSS", (v) => v < 300);
  goal(
    "server memory after a restart, 1 session, under 150 MB",
    sessionMemory(sessions, "one"),
    "MB RSS",
    (v) => v < 150,
  );
  goal(
    "server memory after a restart, 8 sessions, under 150 MB",
    sessionMemory(sessions, "eight"),
    "MB RSS",
    (v) => v < 150,
  );
  goal("ready within 1.5 s of a restart", restart?.ms, "ms", (v) => v <= 1_500);
  goal("one changed file adds at most 5 ms", fresh?.overwritten.addedMs, "ms", (v) => v <= 5);
  goal("a new name adds at most 10 ms", fresh?.created.addedMs, "ms", (v) => v <= 10);
  const many = fresh?.changed;
  goal(
    `${many?.files ?? 10_000} changed files add at most reading them twice (${Math.round(many?.readTwiceMs ?? 0)} ms)`,
    many?.addedMs,
    "ms",
    (v) => v <= many.readTwiceMs,
  );
  const missed =
    fresh == null ? null : fresh.overwritten.missed + fresh.created.missed + fresh.changed.missed;
  goal("no change missed", missed, "missed", (v) => v === 0);
  return goals;
}

/** The memory of a server that has no index says nothing. */
function indexed(server) {
  return server?.index.engine === "index" ? server.memory?.rss : null;
}

function sessionMemory(sessions, which) {
  return sessions?.index.engine === "index" ? sessions[which]?.rss : null;
}

/** Where an answer of ours is not ripgrep's. */
export function wrongAnswers({ search, find }) {
  return [...(search?.results ?? []), ...(find?.results ?? [])].flatMap(({ question, agreement = {} }) =>
    Object.entries(agreement)
      .filter(([engine, { agrees }]) => engine.startsWith("quarry") && agrees !== true)
      .map(([engine, said]) => ({ question: question.name, engine, ...said })),
  );
}
