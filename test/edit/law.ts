/**
 * The law of edit: what a patch does to a file is what the plain model says, byte by byte, or it is refused for a
 * reason that the model gives too, and then no byte has changed. Whatever the answer prints is true. Each case is a
 * story of one or several edits of one or several files, some of them changed by somebody else in between.
 */
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { oneRow } from "../../src/format/escape.ts";
import type { Failure } from "../../src/dialects/result.ts";
import type { EditDetails } from "../../src/quarry.ts";
import { type QuarryTools, quarryTools } from "../../src/dialects/quarry/tools.ts";
import type { ErrorCode } from "../../src/model/errors.ts";
import { openSession, type Session } from "../../src/workspace/session.ts";
import { readPage, textOf } from "../dialects/workspaces.ts";
import { plant } from "../support/tree.ts";
import { globs } from "../workspace/ground.ts";
import { type AnsweredFile, readAnswer, readRefusal } from "./model/answer.ts";
import { type Asked, ask, printed } from "./model/asked.ts";
import { faults, isTrue } from "./model/check.ts";
import { Dice } from "./model/dice.ts";
import { makeFile, meddled } from "./model/files.ts";
import {
  isCertain,
  type Known,
  predict,
  type Prediction,
  tellable,
  type Version,
} from "./model/prediction.ts";
import { bytesOf, seen, type TextFile } from "./model/text-model.ts";

/** What was done, for the record. */
export interface Tally {
  edits: number;
  applied: number;
  /** Of these, edits of files that others had changed. */
  merged: number;
  /** Edits of files that others had changed and that did not touch what was named: those that could be merged. */
  mergeable: number;
  readonly refused: Partial<Record<ErrorCode, number>>;
}

/** Stories told at the same time: most of one is waiting for the disk. */
const TOGETHER = 8;
/** Stories of one session. */
const PER_SESSION = 400;

/** So many edits, from this case on. Throws for the first case that breaks the law. */
export async function editsHold(edits: number, firstCase = 1): Promise<Tally> {
  const tally: Tally = { edits: 0, applied: 0, merged: 0, mergeable: 0, refused: {} };
  for (let number = firstCase; tally.edits < edits; number += PER_SESSION) {
    await session(number, Math.min(PER_SESSION, edits - tally.edits), tally);
  }
  return tally;
}

async function session(first: number, cases: number, tally: Tally): Promise<void> {
  const { root, remove } = plant({});
  const cache = plant({});
  const env = { ...process.env, QUARRY_CACHE_DIR: join(cache.root, "cache") };
  const session = await openSession({ root, globs, env });
  const tools = quarryTools(session, { env });
  const given = new Map<string, Set<string>>();
  let next = first;
  const worker = async (): Promise<void> => {
    while (next < first + cases) {
      const number = next++;
      await new Story({ root, session, tools, given, tally, number }).tell();
    }
  };
  try {
    await Promise.all(Array.from({ length: TOGETHER }, worker));
  } finally {
    await session.close();
    remove();
    cache.remove();
  }
}

interface Stage {
  readonly root: string;
  readonly session: Session;
  readonly tools: QuarryTools;
  /** Tags that were printed, and the files that they are of. */
  readonly given: Map<string, Set<string>>;
  readonly tally: Tally;
  readonly number: number;
}

/** A file of a story: what it holds, and what was shown of it. */
interface Actor {
  readonly name: string;
  file: TextFile;
  readonly versions: Version[];
}

/** A section of a patch. */
interface Part {
  readonly actor: Actor;
  readonly version: Version;
  readonly tag: string;
  readonly asked: readonly Asked[];
  readonly prediction: Prediction;
}

class Story {
  readonly #stage: Stage;
  readonly #dice: Dice;
  readonly #actors: Actor[] = [];
  readonly #told: string[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#dice = new Dice(stage.number);
  }

  async tell(): Promise<void> {
    const dice = this.#dice;
    try {
      const files = dice.once(6) ? dice.between(2, 3) : 1;
      for (let more = 0; more < files; more += 1) await this.#enter(`${this.#stage.number}-${more}`);
      for (let steps = dice.once(2) ? 1 : dice.between(2, 5); steps > 0; steps -= 1) {
        if (dice.once(3)) this.#meddle(dice.pick(this.#actors));
        await this.#edit();
      }
    } catch (cause) {
      const words = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      throw new Error(`Case ${this.#stage.number}: ${words}\n\n${this.#told.join("\n")}`, { cause });
    } finally {
      for (const { name } of this.#actors) rmSync(join(this.#stage.root, name), { force: true });
    }
  }

  #tell(what: string): void {
    this.#told.push(what);
  }

  async #enter(number: string): Promise<void> {
    const { file, blocks, name } = makeFile(this.#dice, number);
    const actor: Actor = { name, file, versions: [] };
    this.#actors.push(actor);
    this.#put(actor);
    this.#tell(`${name} (${file.encoding}) is ${shown(file)}`);
    const searched = this.#dice.once(10) ? await this.#search(actor) : null;
    const { tag, known } = searched ?? this.#record(actor);
    this.#tell(`shown as ${tag}: ${known.flatMap((one, at) => (one === "yes" ? [at + 1] : [])).join()}`);
    this.#learn(actor, { tag, file, known, blocks });
  }

  #path({ name }: Actor): string {
    return join(this.#stage.root, name);
  }

  /** With an old time: a file that was changed a moment ago is looked at for those who write to it, which takes long. */
  #put(actor: Actor): void {
    const path = this.#path(actor);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytesOf(actor.file));
    utimesSync(path, 1e9, 1e9 + this.#dice.below(1e6));
  }

  /** All of a file, or some lines of it, as if some tool had shown them. */
  #record(actor: Actor): { readonly tag: string; readonly known: Known[] } {
    const dice = this.#dice;
    const snapshot = this.#stage.session.snapshots.record(this.#path(actor), bytesOf(actor.file));
    const share = dice.pick([0, 0, 2, 3]);
    const known = actor.file.rows.map((): Known => (share === 0 || dice.below(4) < share ? "yes" : "no"));
    snapshot.show(known.flatMap((one, at) => (one === "yes" ? [at + 1] : [])));
    return { tag: snapshot.tag, known };
  }

  /** Through the real tool. Nothing, where it has nothing to show. */
  async #search(actor: Actor): Promise<{ readonly tag: string; readonly known: Known[] } | null> {
    const { rows, encoding } = actor.file;
    const words = rows.flatMap(({ text }) => (/^[a-z0-9 ]{3,40}$/.test(text) ? [text] : []));
    const pattern = words.length > 0 ? this.#dice.pick(words) : ".";
    const answer = textOf(await this.#stage.tools.search({ pattern, paths: [actor.name] }));
    if (!answer.startsWith("#") && !answer.startsWith("¶")) return null;
    const [page] = readPage(answer).files;
    if (page?.tag === undefined || page.tag === null) return null;
    const known = rows.map((): Known => "no");
    for (const printed of page.rows) {
      const row = printed === null ? undefined : rows[printed.line - 1];
      if (printed === null || row === undefined) continue;
      if (printed.text === oneRow(seen(row, encoding))) known[printed.line - 1] = "yes";
    }
    return { tag: page.tag, known };
  }

  #learn(actor: Actor, version: Version): void {
    const tags = this.#stage.given.get(version.tag) ?? new Set();
    this.#stage.given.set(version.tag, tags.add(actor.name));
    // The same content has the same tag, and what was ever shown of it.
    const bytes = bytesOf(version.file);
    for (const other of actor.versions) {
      if (other.tag !== version.tag) continue;
      if (!bytesOf(other.file).equals(bytes)) throw new Error(`${version.tag} stands for two contents`);
      for (const [at, known] of other.known.entries()) {
        const best = [known, version.known[at]].includes("yes")
          ? "yes"
          : known === "no"
            ? version.known[at]
            : known;
        other.known[at] = best ?? "no";
        version.known[at] = best ?? "no";
      }
    }
    actor.versions.push(version);
  }

  #meddle(actor: Actor): void {
    actor.file = meddled(this.#dice, actor.file, this.#dice.pick(["fresh", "repeated", "repeated", "moved"]));
    this.#put(actor);
    this.#tell(`somebody makes ${actor.name} ${shown(actor.file)}`);
  }

  async #edit(): Promise<void> {
    const parts = this.#actors.flatMap((actor) => this.#part(actor));
    if (parts.length === 0) return;
    const patch = parts
      .map(({ actor, tag, asked }) => [`¶${actor.name}#${tag}`, ...asked.map(printed)].join("\n"))
      .join("\n");
    this.#tell(patch);
    const { tools, tally } = this.#stage;
    const result = await tools.edit({ input: `${patch}\n` });
    tally.edits += 1;
    this.#tell(`→ ${textOf(result)}`);
    if (result.isError === true) this.#refused(parts, result.details as Failure, textOf(result));
    else this.#applied(parts, result.details as EditDetails, textOf(result));
    for (const actor of this.#actors) {
      const bytes = readFileSync(this.#path(actor));
      const wanted = bytesOf(actor.file);
      if (!bytes.equals(wanted)) {
        throw new Error(`${actor.name} is ${bytes.toString("latin1")} and not ${wanted.toString("latin1")}`);
      }
    }
  }

  #part(actor: Actor): Part[] {
    const dice = this.#dice;
    const latest = actor.versions.at(-1) as Version;
    const version = dice.once(6) ? dice.pick(actor.versions) : latest;
    if (!tellable(version.file, actor.file)) return [];
    const known = version.known.flatMap((one, at) => (one === "no" ? [] : [at + 1]));
    const asked = ask(dice, { file: version.file, known, blocks: version.blocks instanceof Map });
    const block = asked.some(({ kind }) => kind.endsWith("block"));
    // Nobody has worked out where the blocks are in a program that was edited.
    if (block && version.blocks === undefined) return [];
    const prediction = predict(asked, version, actor.file);
    const part = { actor, version, tag: version.tag, asked, prediction };
    return [dice.once(40) ? this.#withWrongTag(part) : part];
  }

  #withWrongTag(part: Part): Part {
    const { given } = this.#stage;
    const { name } = part.actor;
    const others = [...given].filter(([, names]) => !names.has(name)).map(([tag]) => tag);
    if (others.length > 0 && this.#dice.once(2))
      return wrong(part, this.#dice.pick(others), "TAG_OF_OTHER_FILE");
    let tag = this.#dice.below(0x10000).toString(16).toUpperCase().padStart(4, "0");
    while (given.has(tag)) tag = this.#dice.below(0x10000).toString(16).toUpperCase().padStart(4, "0");
    // A story beside this one may be about to give it.
    const unknown = wrong(part, tag, "TAG_UNKNOWN");
    return { ...unknown, prediction: { ...unknown.prediction, may: new Set(["TAG_OF_OTHER_FILE"]) } };
  }

  #refused(parts: readonly Part[], { code, message }: Failure, text: string): void {
    const { tally } = this.#stage;
    const reasons = parts.flatMap(({ prediction: { must, may } }) => [...must, ...may]);
    if (!reasons.includes(code)) throw new Error(`Refused for no reason: ${code} ${message}`);
    tally.refused[code] = (tally.refused[code] ?? 0) + 1;
    if (code === "FILE_CHANGED" && parts.every(({ prediction: { must } }) => must.size === 0))
      tally.mergeable += 1;
    const excerpt = readRefusal(text);
    if (excerpt === null) return;
    const actor = parts.find(({ actor }) => actor.name === excerpt.name)?.actor;
    if (actor === undefined) throw new Error(`An excerpt of ${excerpt.name}`);
    this.#take(actor, excerpt);
  }

  /** What a refusal shows counts as shown, be it of the version that was named or of the file as it is. */
  #take(actor: Actor, excerpt: AnsweredFile): void {
    const own = actor.versions.findLast(({ tag }) => tag === excerpt.tag);
    const file = own === undefined || bytesOf(own.file).equals(bytesOf(actor.file)) ? actor.file : own.file;
    const known = file.rows.map((): Known => "no");
    for (const { line, text } of excerpt.rows) {
      const row = file.rows[line - 1];
      if (!isTrue(text, row, file)) throw new Error(`${line}:${text} is not true`);
      if (row !== undefined && text === oneRow(seen(row, file.encoding))) known[line - 1] = "yes";
    }
    this.#learn(actor, {
      tag: excerpt.tag,
      file,
      known,
      blocks: file === own?.file ? own.blocks : undefined,
    });
  }

  #applied(parts: readonly Part[], details: EditDetails, text: string): void {
    const { tally } = this.#stage;
    const reasons = parts.flatMap(({ prediction: { must } }) => [...must]);
    if (reasons.length > 0) throw new Error(`Not refused: ${reasons.join()}`);
    const { files } = readAnswer(text);
    if (files.length !== parts.length) throw new Error(`${files.length} files are answered`);
    tally.applied += 1;
    const merged = parts.some(({ prediction }) => prediction.merged);
    tally.merged += Number(merged);
    tally.mergeable += Number(merged);
    for (const [at, part] of parts.entries()) {
      const [answered, detail] = [files[at], details.perFileResults[at]];
      if (answered === undefined || detail === undefined) throw new Error("A file is not answered");
      this.#done(part, answered, detail);
    }
  }

  #done(
    { actor, version, asked, prediction }: Part,
    answered: AnsweredFile,
    detail: EditDetails["perFileResults"][number],
  ): void {
    const [before, after] = [actor.file, prediction.result as TextFile];
    const { merged } = prediction;
    const wrong = faults(answered, detail, { version, asked, before, after, merged });
    if (wrong.length > 0) throw new Error(wrong.join("\n"));
    actor.file = after;
    const known = carried(version, before, after, merged);
    for (const { sign, line, text } of answered.rows) {
      const row = after.rows[line - 1];
      if (sign !== "-" && row !== undefined && text === oneRow(seen(row, after.encoding)))
        known[line - 1] = "yes";
    }
    this.#learn(actor, { tag: answered.tag, file: after, known, blocks: undefined });
  }
}

function wrong(part: Part, tag: string, code: ErrorCode): Part {
  const must = new Set<ErrorCode>([code]);
  // What can be said of the patch alone is said first.
  if (part.prediction.must.has("PATCH_INVALID")) must.add("PATCH_INVALID");
  return { ...part, tag, prediction: { ...part.prediction, must, may: new Set(), result: null } };
}

/** What was shown, and what was written, is known; across what others did only where no two lines are equal. */
function carried(version: Version, before: TextFile, after: TextFile, merged: boolean): Known[] {
  const states = new Map(version.file.rows.map(({ id }, at) => [id, version.known[at] ?? "no"]));
  const others = new Set(before.rows.map(({ id }) => id));
  const certain = !merged || isCertain(version.file, before);
  return after.rows.map(({ id }): Known => {
    if (!others.has(id)) return "yes";
    const state = states.get(id) ?? "no";
    return certain || state === "no" ? state : "maybe";
  });
}

function shown({ rows }: TextFile): string {
  return JSON.stringify(
    rows.map(({ text, end }) => `${text.length > 80 ? `${text.slice(0, 80)}…` : text}${end}`),
  );
}
