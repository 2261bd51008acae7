/** What the server has to say to whoever runs it: lines on stderr, as text or JSON, from a level on. */

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: "text" | "json";
  readonly write: (line: string) => void;
}

export type Log = (level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>) => void;

export function logger({ level, format, write }: LogOptions): Log {
  const least = LOG_LEVELS.indexOf(level);
  return (of, message, facts = {}) => {
    if (LOG_LEVELS.indexOf(of) < least) return;
    const time = new Date().toISOString();
    if (format === "json") write(`${JSON.stringify({ time, level: of, message, ...facts })}\n`);
    else write(`${time} ${of} ${oneLine(message)}${factsText(facts)}\n`);
  };
}

function factsText(facts: Readonly<Record<string, unknown>>): string {
  return Object.entries(facts)
    .map(([name, value]) => ` ${name}=${oneLine(JSON.stringify(value) ?? "")}`)
    .join("");
}

/** A name with a newline must not look like another line of the log. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, (character) => JSON.stringify(character).slice(1, -1));
}
