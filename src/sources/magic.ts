/**
 * The marks that files of known formats begin with, for `kind.ts`. A mark that is all letters counts only in a file
 * that has a NUL byte: a text may begin with `BM`, `GIF89a` or `MZ` too. Pure.
 */
import type { ForeignKind } from "../model/file-kind.ts";

export const UTF_32 = "UTF-32 text";

interface Magic extends ForeignKind {
  /** Bytes as Latin-1 at their places. */
  readonly marks: readonly (readonly [at: number, bytes: string])[];
}

function magic(kind: ForeignKind["kind"], name: string, ...marks: Magic["marks"]): Magic {
  return { kind, name, marks };
}

/** Marks that no text begins with. */
const CERTAIN: readonly Magic[] = [
  magic("image", "a PNG image", [0, "\x89PNG\r\n\x1a\n"]),
  magic("image", "a JPEG image", [0, "\xff\xd8\xff"]),
  magic("image", "a TIFF image", [0, "II*\0"]),
  magic("image", "a TIFF image", [0, "MM\0*"]),
  magic("image", "an icon", [0, "\0\0\x01\0"]),
  magic("image", "a cursor", [0, "\0\0\x02\0"]),
  magic("image", "a Photoshop image", [0, "8BPS\0\x01"]),
  magic("image", "a JPEG XL image", [0, "\0\0\0\x0cJXL "]),
  magic("image", "a JPEG 2000 image", [0, "\0\0\0\x0cjP  "]),
  magic("image", "an OpenEXR image", [0, "v/1\x01"]),
  magic("document", "a PDF document", [0, "%PDF-"]),
  magic("document", "an RTF document", [0, "{\\rtf"]),
  magic("archive", "a gzip archive", [0, "\x1f\x8b"]),
  magic("archive", "a bzip2 archive", [0, "BZh"], [4, "1AY&SY"]),
  magic("archive", "an xz archive", [0, "\xfd7zXZ\0"]),
  magic("archive", "a 7z archive", [0, "7z\xbc\xaf\x27\x1c"]),
  magic("archive", "a Zstandard archive", [0, "\x28\xb5\x2f\xfd"]),
  magic("archive", "an LZ4 archive", [0, "\x04\x22\x4d\x18"]),
  magic("archive", "a RAR archive", [0, "Rar!\x1a\x07"]),
  magic("archive", "a compress archive", [0, "\x1f\x9d"]),
  magic("archive", "an RPM package", [0, "\xed\xab\xee\xdb"]),
  magic("archive", "a cabinet archive", [0, "MSCF\0\0\0\0"]),
  magic("archive", "an ar archive", [0, "!<arch>\n"]),
  magic("video", "a Matroska or WebM video", [0, "\x1aE\xdf\xa3"]),
  magic("video", "an MPEG video", [0, "\0\0\x01\xba"]),
  magic("video", "an MPEG video", [0, "\0\0\x01\xb3"]),
  magic("video", "a Windows Media file", [0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11"]),
  magic("video", "a Flash video", [0, "FLV\x01"]),
  magic("document", "a Microsoft Access database", [0, "\0\x01\0\0Standard "]),
  magic("font", "a TrueType font", [0, "\0\x01\0\0\0"]),
  magic("executable", "a Mach-O executable", [0, "\xfe\xed\xfa\xce"]),
  magic("executable", "a Mach-O executable", [0, "\xfe\xed\xfa\xcf"]),
  magic("executable", "a Mach-O executable", [0, "\xce\xfa\xed\xfe"]),
  magic("executable", "a Mach-O executable", [0, "\xcf\xfa\xed\xfe"]),
  magic("executable", "a WebAssembly module", [0, "\0asm"]),
  magic("executable", "LLVM bitcode", [0, "BC\xc0\xde"]),
  magic("executable", "an Android executable", [0, "dex\n"], [7, "\0"]),
];

/** Marks of letters only. */
const SPELLED: readonly Magic[] = [
  magic("image", "a GIF image", [0, "GIF87a"]),
  magic("image", "a GIF image", [0, "GIF89a"]),
  magic("image", "a WebP image", [0, "RIFF"], [8, "WEBP"]),
  magic("image", "a BMP image", [0, "BM"], [6, "\0\0\0\0"]),
  magic("image", "a GIMP image", [0, "gimp xcf "]),
  magic("image", "a DDS image", [0, "DDS "]),
  magic("image", "a QOI image", [0, "qoif"]),
  magic("image", "an Apple icon", [0, "icns"]),
  magic("image", "an AVIF image", [4, "ftypavi"]),
  magic("image", "a HEIF image", [4, "ftyphei"]),
  magic("image", "a HEIF image", [4, "ftyphev"]),
  magic("image", "a HEIF image", [4, "ftypmif1"]),
  magic("audio", "an MPEG-4 audio file", [4, "ftypM4A"]),
  magic("video", "a QuickTime video", [4, "ftypqt"]),
  magic("video", "an MPEG-4 video", [4, "ftyp"]),
  magic("video", "an AVI video", [0, "RIFF"], [8, "AVI "]),
  magic("audio", "a WAV audio file", [0, "RIFF"], [8, "WAVE"]),
  magic("audio", "an AIFF audio file", [0, "FORM"], [8, "AIF"]),
  magic("audio", "an MP3 audio file", [0, "ID3"]),
  magic("audio", "a FLAC audio file", [0, "fLaC"]),
  magic("audio", "an Ogg file", [0, "OggS"]),
  magic("audio", "a MIDI file", [0, "MThd"]),
  magic("audio", "an AMR audio file", [0, "#!AMR"]),
  magic("audio", "an AU audio file", [0, ".snd"]),
  magic("font", "a WOFF font", [0, "wOFF"]),
  magic("font", "a WOFF2 font", [0, "wOF2"]),
  magic("font", "an OpenType font", [0, "OTTO"]),
  magic("font", "a TrueType font collection", [0, "ttcf"]),
  magic("executable", "a Windows executable", [0, "MZ"]),
  magic("archive", "a cpio archive", [0, "07070"]),
  magic("archive", "an lzip archive", [0, "LZIP"]),
  magic("archive", "a tar archive", [257, "ustar"]),
];

/** Zips, OLE files and packages that their names say more about. */
const ZIPPED: Readonly<Record<string, string>> = {
  ".docx": "a Word document (.docx)",
  ".docm": "a Word document (.docm)",
  ".xlsx": "an Excel workbook (.xlsx)",
  ".xlsm": "an Excel workbook (.xlsm)",
  ".pptx": "a PowerPoint presentation (.pptx)",
  ".pptm": "a PowerPoint presentation (.pptm)",
  ".odt": "an OpenDocument text (.odt)",
  ".ods": "an OpenDocument spreadsheet (.ods)",
  ".odp": "an OpenDocument presentation (.odp)",
  ".epub": "an EPUB book (.epub)",
};
const OLE: Readonly<Record<string, string>> = {
  ".doc": "a Word document (.doc)",
  ".xls": "an Excel workbook (.xls)",
  ".ppt": "a PowerPoint presentation (.ppt)",
  ".msg": "an Outlook message (.msg)",
  ".msi": "a Windows installer (.msi)",
};

/** The kind that a beginning, with the file's ending where that helps, stands for. */
export function magicOf(head: Buffer, ending: string): ForeignKind | null {
  const text = head.toString("latin1");
  const certain = family(text, head, ending) ?? CERTAIN.find((known) => has(text, known));
  if (certain !== undefined && certain !== null) return { kind: certain.kind, name: certain.name };
  if (!head.includes(0)) return mp3(head, ending);
  const spelled = SPELLED.find((known) => has(text, known));
  return spelled === undefined ? byEnding(ending) : { kind: spelled.kind, name: spelled.name };
}

/** Formats whose mark alone does not say what it is. */
function family(text: string, head: Buffer, ending: string): ForeignKind | null {
  if (/^PK(?:\x03\x04|\x05\x06|\x07\x08)/.test(text)) {
    const document = ZIPPED[ending];
    return document === undefined
      ? { kind: "archive", name: "a zip archive" }
      : { kind: "document", name: document };
  }
  if (text.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) {
    return { kind: "document", name: OLE[ending] ?? "an OLE compound document" };
  }
  if (text.startsWith("\x7fELF")) return { kind: "executable", name: elfName(head) };
  if (text.startsWith("\xca\xfe\xba\xbe")) return { kind: "executable", name: cafebabe(head) };
  if (text.startsWith("\xff\xfe\0\0") || text.startsWith("\0\0\xfe\xff")) {
    return { kind: "binary", name: UTF_32 };
  }
  return null;
}

function elfName(head: Buffer): string {
  const type = head[5] === 2 ? head[17] : head[16];
  if (type === 1) return "an ELF object file";
  if (type === 4) return "an ELF core dump";
  return "an ELF executable";
}

/** Java's classes and Mach-O's binaries for several processors share a mark; no class has so low a version. */
function cafebabe(head: Buffer): string {
  return head.length >= 8 && head.readUInt32BE(4) < 45 ? "a Mach-O executable" : "a Java class";
}

/** Binary, and no mark is known: an old office document, bytecode. */
function byEnding(ending: string): ForeignKind | null {
  const document = OLE[ending] ?? ZIPPED[ending];
  if (document !== undefined) return { kind: "document", name: document };
  if (ending === ".pyc" || ending === ".pyo") return { kind: "executable", name: "Python bytecode" };
  return ending === ".mp3" ? { kind: "audio", name: "an MP3 audio file" } : null;
}

/** Frames without an ID3 tag begin with two bytes that Latin-1 has as letters: the name decides. */
function mp3(head: Buffer, ending: string): ForeignKind | null {
  const frame = head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0;
  return frame && ending === ".mp3" ? { kind: "audio", name: "an MP3 audio file" } : null;
}

function has(text: string, { marks }: Magic): boolean {
  return marks.every(([at, bytes]) => text.startsWith(bytes, at));
}
