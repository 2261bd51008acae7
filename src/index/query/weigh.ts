import type { GramQuery } from "../../regex/gram-query.ts";
import { bitsLength } from "../store/postings.ts";
import type { Place, Segment } from "../store/segment.ts";

/**
 * What a part of a question would leave of a segment, and what it takes to put it, told by the lengths of its lists
 * before any is read. `evaluate.ts` asks, to put first what rules out most and to leave what is not worth its time.
 */

export interface Scales {
  /** The list of a gram; null: no block holds it. Found once. */
  readonly find: (gram: number) => Place | null;
  /** About how many blocks a part leaves. */
  readonly weightOf: (query: GramQuery) => number;
  /** About how many microseconds it takes to read. */
  readonly costOf: (query: GramQuery) => number;
}

/** Of blocks, what a list of bits stands for: it is shorter than gaps from an eighth of them on. */
const SHARE_OF_BITS = 0.25;
/** Microseconds to read and check a list, of it a byte, and to put 32 blocks of one and the other together. */
const LIST = 25;
const BYTE = 0.003;
const WORD = 0.005;
/** Lists of an AND that are read as a rule. */
const READ_OF_AND = 3;

export function scales(segment: Segment): Scales {
  const places = new Map<number, Place | null>();
  const bits = bitsLength(segment.blocks);
  const joining = (segment.blocks / 32) * WORD;

  const find = (gram: number): Place | null => {
    let place = places.get(gram);
    if (place === undefined) {
      place = segment.find(gram);
      places.set(gram, place);
    }
    return place;
  };

  const weightOf = (query: GramQuery): number => {
    switch (query.kind) {
      case "all":
        return segment.blocks;
      case "none":
        return 0;
      case "gram": {
        const length = find(query.gram)?.length ?? 0;
        return length < bits ? length : segment.blocks * SHARE_OF_BITS;
      }
      case "or":
        return query.parts.reduce((sum, part) => sum + weightOf(part), 0);
      case "and":
        return Math.min(...query.parts.map(weightOf));
      default:
        return query satisfies never;
    }
  };

  const costOf = (query: GramQuery): number => {
    switch (query.kind) {
      case "all":
      case "none":
        return 0;
      case "gram": {
        const place = find(query.gram);
        return place === null ? 0 : LIST + place.length * BYTE;
      }
      case "or":
        return query.parts.reduce((sum, part) => sum + costOf(part), 0);
      case "and":
        // With a gram that is nowhere, no list is read.
        return weightOf(query) === 0 ? 0 : READ_OF_AND * (joining + Math.min(...query.parts.map(costOf)));
      default:
        return query satisfies never;
    }
  };

  return { find, weightOf, costOf };
}
