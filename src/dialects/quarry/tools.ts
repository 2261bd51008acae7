/** The tools of Quarry's own dialect over one session. */
import type { Session } from "../../workspace/session.ts";
import { findGround, type House, searchGround } from "../progress.ts";
import { answering, type Tool } from "../result.ts";
import type { EditInput, FindInput, ReadInput, SearchInput, WriteInput } from "./definitions.ts";
import type { EditDetails } from "./edit.ts";
import { type FindDetails, quarryFind } from "./find.ts";
import type { ReadDetails } from "./read.ts";
import { quarrySearch, type SearchDetails } from "./search.ts";
import type { WriteDetails } from "./write.ts";

export interface ReadingTools {
  readonly search: Tool<SearchInput, SearchDetails>;
  readonly find: Tool<FindInput, FindDetails>;
  readonly read: Tool<ReadInput, ReadDetails>;
}

export interface WritingTools {
  readonly edit: Tool<EditInput, EditDetails>;
  readonly write: Tool<WriteInput, WriteDetails>;
}

export type QuarryTools = ReadingTools & WritingTools;

export function quarryTools(session: Session, house: House): QuarryTools {
  return { ...readingTools(session, house), ...writingTools(session, house) };
}

/** Those that change files; left out where that is not wanted. Loaded with the first call. */
function writingTools(session: Session, { env }: House): WritingTools {
  return {
    edit: (input, { signal } = {}) =>
      answering(async () => (await import("./edit.ts")).quarryEdit(session, input, { env, signal })),
    write: (input, { signal } = {}) =>
      answering(async () => (await import("./write.ts")).quarryWrite(session, input, { env, signal })),
  };
}

export function readingTools(session: Session, house: House): ReadingTools {
  const { env } = house;
  return {
    read: (input, { signal } = {}) =>
      answering(async () => (await import("./read.ts")).quarryRead(session, input, { env, signal })),
    search: (input, options) => answering(() => quarrySearch(session, input, searchGround(house, options))),
    find: (input, options) => answering(() => quarryFind(session, input, findGround(house, options))),
  };
}
