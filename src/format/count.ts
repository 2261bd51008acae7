/** Numbers as people read them. Used by every closing line. */

/** `1 file`, `1,234 files`. */
export function count(number: number, one: string, many: string = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `512 bytes`, `5.2 MB`, `1.3 GB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return count(bytes, "byte");
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} kB`;
  if (bytes < 999_950_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
