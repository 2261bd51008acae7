import { RECORD } from "../model/limits.ts";
import { type Skimmer, skimmer } from "./skim.ts";

/**
 * Cuts ripgrep's output into records, one JSON object a line, whatever the chunks it comes in. A record
 * over the cap is passed on without its text.
 */

export interface RecordReader {
  readonly feed: (chunk: Buffer) => void;
}

const NEWLINE = 0x0a;

export function recordReader(onRecord: (record: Buffer) => void, cap: number = RECORD): RecordReader {
  let parts: Buffer[] = [];
  let length = 0;
  let skim: Skimmer | null = null;

  const take = (bytes: Buffer): void => {
    if (skim !== null) {
      skim.feed(bytes);
      return;
    }
    parts.push(bytes);
    length += bytes.length;
    if (length > cap) {
      skim = skimmer(Buffer.concat(parts));
      parts = [];
      length = 0;
    }
  };

  const finish = (): void => {
    if (skim !== null) onRecord(skim.finish());
    else if (parts.length === 1) onRecord(parts[0] as Buffer);
    else onRecord(Buffer.concat(parts));
    parts = [];
    length = 0;
    skim = null;
  };

  return {
    feed: (chunk) => {
      let from = 0;
      for (;;) {
        const end = chunk.indexOf(NEWLINE, from);
        if (end === -1) break;
        if (parts.length === 0 && skim === null && end - from <= cap) {
          onRecord(chunk.subarray(from, end));
        } else {
          take(chunk.subarray(from, end));
          finish();
        }
        from = end + 1;
      }
      if (from < chunk.length) take(chunk.subarray(from));
    },
  };
}
