/** CRC-32 as zip uses it. Node has it from 20.15 on; the table is for the versions before. */
import zlib from "node:zlib";

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

export function crc32ByTable(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

const native = (zlib as { crc32?: (bytes: Buffer) => number }).crc32;

export const crc32: (bytes: Buffer) => number = native ?? crc32ByTable;
