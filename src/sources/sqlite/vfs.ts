/**
 * The file system that SQLite gets to see: one database, its log, and nothing else. There is no other file to open,
 * none to create and none to delete, whatever a statement says (T17). Called in the worker, once.
 * Locks are granted to whoever asks: only one connection is ever here, and what other processes do to the file is
 * noticed by comparing it before and after (`stamp.ts`).
 */
import type { Bytes } from "./bytes.ts";
import type { Library, Pointer } from "./library.ts";

export interface Files {
  readonly main: Bytes;
  /** What the write-ahead log holds; no bytes where there is none. */
  readonly wal: Bytes;
}

const NAME = "quarry";

/** Registers it, and tells its name. */
export function installVfs(library: Library, files: Files): string {
  const { capi, vfs, wasm } = library.sqlite;
  const io = new capi.sqlite3_io_methods();
  Object.assign(io, { $iVersion: 1 });
  install(vfs, { io: { struct: io, methods: ioMethods(library, files) } });
  const system = new capi.sqlite3_vfs();
  const unix = new capi.sqlite3_vfs(capi.sqlite3_vfs_find("unix"));
  Object.assign(system, {
    $iVersion: 2,
    $szOsFile: SQLITE_FILE_BYTES,
    $mxPathname: 64,
    $zName: wasm.allocCString(NAME, false),
    // These two come with SQLite and touch no file.
    $xRandomness: field(unix, "$xRandomness"),
    $xSleep: field(unix, "$xSleep"),
  });
  install(vfs, { vfs: { struct: system, methods: vfsMethods(library, io.pointer, files) } });
  return NAME;
}

/** A pointer to its methods, and what we put behind it: which of the two files it is. */
const SQLITE_FILE_BYTES = 8;
const WHICH = 4;
const MAIN = 1;
const WAL = 2;

/** The package's types ask for every method and for names that it does not need. */
function install(vfs: Library["sqlite"]["vfs"], what: object): void {
  (vfs.installVfs as (what: object) => void)(what);
}

function field(struct: object, name: string): unknown {
  return (struct as Record<string, unknown>)[name];
}

function ioMethods({ sqlite: { capi, wasm }, heap }: Library, files: Files): object {
  const file = (at: Pointer): Bytes => (wasm.peek32(at + WHICH) === WAL ? files.wal : files.main);
  const guarded = (work: () => number): number => {
    try {
      return work();
    } catch {
      return capi.SQLITE_IOERR;
    }
  };
  return {
    xClose: () => 0,
    xRead: (at: Pointer, target: Pointer, length: number, offset: bigint) =>
      guarded(() => {
        const space = heap().subarray(target, target + length);
        const count = file(at).read(space, Number(offset));
        space.fill(0, count);
        return count < length ? capi.SQLITE_IOERR_SHORT_READ : 0;
      }),
    xWrite: (at: Pointer, source: Pointer, length: number, offset: bigint) =>
      guarded(() => {
        const { changes } = file(at);
        if (changes === null) return capi.SQLITE_READONLY;
        return changes.write(heap().subarray(source, source + length), Number(offset)) ? 0 : capi.SQLITE_FULL;
      }),
    xTruncate: (at: Pointer, size: bigint) =>
      guarded(() => {
        const { changes } = file(at);
        changes?.truncate(Number(size));
        return changes === null ? capi.SQLITE_READONLY : 0;
      }),
    xSync: () => 0,
    xFileSize: (at: Pointer, out: Pointer) =>
      guarded(() => {
        wasm.poke64(out, BigInt(file(at).size()));
        return 0;
      }),
    xLock: () => 0,
    xUnlock: () => 0,
    xCheckReservedLock: (_: Pointer, out: Pointer) => {
      wasm.poke32(out, 0);
      return 0;
    },
    xFileControl: () => capi.SQLITE_NOTFOUND,
    xSectorSize: () => 4096,
    xDeviceCharacteristics: () => 0,
  };
}

function vfsMethods({ sqlite: { capi, wasm } }: Library, methods: Pointer, files: Files): object {
  return {
    xOpen: (_: Pointer, _name: Pointer, at: Pointer, flags: number, out: Pointer) => {
      const which =
        (flags & capi.SQLITE_OPEN_MAIN_DB) !== 0 ? MAIN : (flags & capi.SQLITE_OPEN_WAL) !== 0 ? WAL : 0;
      wasm.pokePtr(at, which === 0 ? 0 : methods);
      if (which === 0) return capi.SQLITE_CANTOPEN;
      wasm.poke32(at + WHICH, which);
      const asked = flags & (capi.SQLITE_OPEN_READONLY | capi.SQLITE_OPEN_READWRITE);
      if (out !== 0) wasm.poke32(out, which === WAL ? capi.SQLITE_OPEN_READONLY : asked);
      return 0;
    },
    xDelete: () => capi.SQLITE_IOERR_DELETE,
    xAccess: (_: Pointer, name: Pointer, _flags: number, out: Pointer) => {
      const isLog = wasm.cstrToJs(name)?.endsWith("-wal") === true;
      wasm.poke32(out, isLog && files.wal.size() > 0 ? 1 : 0);
      return 0;
    },
    xFullPathname: (_: Pointer, name: Pointer, length: number, out: Pointer) =>
      wasm.cstrncpy(out, name, length) < length ? 0 : capi.SQLITE_CANTOPEN,
    xCurrentTime: (_: Pointer, out: Pointer) => {
      wasm.poke64f(out, 2440587.5 + Date.now() / 86_400_000);
      return 0;
    },
    xCurrentTimeInt64: (_: Pointer, out: Pointer) => {
      wasm.poke64(out, BigInt(210_866_760_000_000 + Date.now()));
      return 0;
    },
    xGetLastError: () => 0,
  };
}
