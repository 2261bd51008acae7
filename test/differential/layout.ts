/**
 * What the tree holds: names, encodings, ignore rules, links. One line for each thing that a search could get
 * wrong. `tree.ts` writes it to disk.
 */
import { type Material, material } from "./material.ts";

export interface Planned {
  /** Bytes where the name is not UTF-8. */
  readonly path: string | Buffer;
  readonly content: Buffer;
  /** As an editor would show it; null where it is no text. */
  readonly text: string | null;
}

export interface Layout {
  readonly files: readonly Planned[];
  /** Parents before their children, empty ones too. */
  readonly folders: readonly (string | Buffer)[];
}

/** Links, and where they lead. */
export const LINKS: readonly (readonly [path: string, target: string])[] = [
  ["link.ts", "src/code.ts"],
  ["src/link to docs", "../docs"],
  ["docs/up", ".."],
  ["loop", "."],
  ["dangling", "nowhere"],
  ["to-build", "build"],
  ["src/.hidden-link", "../.config"],
];

const RULES: Readonly<Record<string, readonly string[]>> = {
  ".gitignore": [
    "*.log",
    "!keep.log",
    "/build/",
    "dist/",
    "node_modules/",
    "docs/*.tmp",
    "secret*",
    "/partly/*",
    "!/partly/kept/",
    "# a comment",
    "**/cache/**",
    "!.hidden-but-wanted",
    "bre?ak/",
  ],
  ".ignore": ["generated/", "!important.log", "*.ignored", "/docs/drafts"],
  ".rgignore": ["*.rgskip", "!rescued.ignored"],
  "src/.gitignore": ["*.gen.ts", "!keep.gen.ts", "/local.ts", "void/"],
  "src/lib/.ignore": ["deep/deeper/", "*.d.ts", "!wanted.d.ts"],
  "vendor/.gitignore": ["out/", "*.min.js"],
  ".git/info/exclude": ["*.excluded"],
};

const EMPTY_FOLDERS = [
  "empty",
  "src/void/deep",
  ".hidden-empty",
  "build/empty",
  "src/lib/empty [1]",
  "docs/drafts/old",
  "partly/kept/empty",
  "partly/lost/empty",
];

export function plan(): Layout {
  const files: Planned[] = [...plain(material()), ...encoded(material()), ...binary(material()), ...rules()];
  const folders = new Map<string, string | Buffer>();
  const parents = (path: Buffer): void => {
    for (let end = path.indexOf(0x2f); end !== -1; end = path.indexOf(0x2f, end + 1)) {
      const folder = path.subarray(0, end);
      folders.set(
        folder.toString("latin1"),
        Buffer.from(folder.toString()).equals(folder) ? folder.toString() : folder,
      );
    }
  };
  for (const { path } of files) parents(Buffer.from(path));
  for (const path of EMPTY_FOLDERS) parents(Buffer.from(`${path}/`));
  return { files, folders: [...folders.values()] };
}

/** UTF-8 text under all kinds of names and in all kinds of places. */
function plain({ code, declarations, messages, prose }: Material): Planned[] {
  const contents: Readonly<Record<string, string>> = {
    "README.md": prose(0, 3_000),
    "package.json": '{\n  "name": "planted",\n  "scripts": { "build": "tsc -p ${platform}" }\n}\n',
    Makefile: "all: build\n\tcc -o out main.c\n",
    "src/code.ts": code(1_000, 12_000),
    "src/more.ts": code(30_000, 6_000),
    "src/local.ts": code(40_000, 900),
    "src/types.d.ts": declarations(20_000, 5_000),
    "src/one.gen.ts": code(50_000, 800),
    "src/keep.gen.ts": code(52_000, 800),
    "src/main.js": code(60_000, 2_500),
    "src/style.css": "a { color: red }\n.b > c { margin: 0 }\n",
    "src/lib/util.ts": code(70_000, 3_000),
    "src/lib/lost.d.ts": declarations(60_000, 1_000),
    "src/lib/wanted.d.ts": declarations(62_000, 1_000),
    "src/lib/deep/deep.ts": code(80_000, 1_500),
    "src/lib/deep/deeper/deepest/far.ts": code(90_000, 1_500),
    "src/[id]/page.ts": code(100_000, 1_200),
    "src/[id]/{x}.ts": code(102_000, 700),
    "src/{x}/a b.ts": code(104_000, 1_200),
    "src/i/page.ts": code(106_000, 600),
    "src/x/a b.ts": code(108_000, 600),
    'src/it\'s "quoted".ts': code(110_000, 700),
    "src/star*.ts": code(112_000, 500),
    "src/start.ts": code(113_000, 500),
    "src/what?.ts": code(114_000, 500),
    "src/back\\slash.ts": code(115_000, 500),
    "src/.secret.ts": code(116_000, 500),
    "src/void/ignored.ts": code(117_000, 400),
    "-dash.ts": code(118_000, 600),
    "--flag/-x.js": code(119_000, 600),
    "!bang.ts": code(120_000, 400),
    "#hash.md": prose(1_000, 500),
    "a,b.txt": prose(1_200, 300),
    "blank at the end ": prose(1_400, 300),
    " blank before.txt": prose(1_500, 300),
    "tab\there.txt": prose(1_600, 300),
    "line\nbreak.txt": prose(1_700, 300),
    "caf\u00e9.txt": messages(3_000, 800),
    "cafe\u0301.txt": messages(4_000, 800),
    "日本/語.md": messages(5_000, 1_500),
    "emoji😀.txt": "a 😀 face and 𝒜 letter\nsecond 😀😀 line\n\uffff\ue000 private\n",
    "bad\ue000.txt": prose(800, 300),
    "bad😀.txt": prose(900, 300),
    "docs/guide.md": prose(0, 2_000),
    "docs/german.json": messages(70_000, 6_000),
    "docs/japanese.json": messages(10_000, 6_000),
    "docs/note.tmp": prose(500, 500),
    "docs/drafts/plan.md": prose(600, 500),
    "docs/a/b/c/d/e/f.md": prose(700, 500),
    "docs.txt": prose(100, 400),
    "docs-2/x.md": prose(200, 400),
    ".hidden.ts": code(121_000, 900),
    ".hidden-but-wanted": code(122_000, 400),
    ".config/settings.json": messages(12_000, 600),
    ".config/.deep/x.ts": code(123_000, 400),
    ".github/workflows/ci.yml": "on: push\njobs:\n  test:\n    runs-on: ubuntu\n",
    "node_modules/pkg/index.js": code(124_000, 1_500),
    "node_modules/pkg/node_modules/inner/index.js": code(126_000, 700),
    "src/node_modules/local.js": code(127_000, 500),
    "build/out.js": code(128_000, 900),
    "build/nested/keep.log": prose(0, 300),
    "dist/bundle.js": code(130_000, 900),
    "src/dist/inner.ts": code(131_000, 400),
    "generated/api.ts": code(132_000, 700),
    "logs/a.log": prose(300, 500),
    "logs/keep.log": prose(400, 500),
    "logs/important.log": prose(500, 500),
    "lost.ignored": prose(0, 300),
    "rescued.ignored": prose(0, 400),
    "x.rgskip": prose(0, 300),
    "x.excluded": prose(0, 300),
    "x.userignored": prose(0, 300),
    "secret.txt": prose(0, 300),
    "partly/lost/x.ts": code(133_000, 400),
    "partly/kept/x.ts": code(134_000, 400),
    "partly/y.ts": code(135_000, 400),
    "src/cache/a/b.ts": code(136_000, 400),
    "vendor/lib.js": code(137_000, 700),
    "vendor/lib.min.js": code(138_000, 700),
    "vendor/out/x.js": code(139_000, 400),
    "vendor/.git/HEAD": "ref: refs/heads/main\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": "[core]\n\tbare = false\n",
    ".git/hooks/pre-commit.sample": prose(0, 600),
    ".svn/entries.ts": code(140_000, 400),
    "src/.hg/store.ts": code(141_000, 400),
    "src/.jj": code(142_000, 300),
    "docs/bre\nak/inside/x.md": prose(1_800, 300),
    "empty.ts": "",
    "newlines.txt": "\n\n\n\n",
  };
  const named = Object.entries(contents).map(([path, text]) => planned(path, Buffer.from(text), text));
  const bytes = [
    "bad\xe9.txt",
    "bad\xea.txt",
    "bad\xff.txt",
    "dir\xff/in.ts",
    "dir\xff/sub/deep.ts",
    "src/dir\xe9/in.ts",
  ];
  return [
    ...named,
    ...bytes.map((path, index) => {
      const text = prose(100 * index, 350);
      return planned(Buffer.from(path, "latin1"), Buffer.from(text), text);
    }),
  ];
}

/** Text that is not plain UTF-8 with a newline after each line. */
function encoded({ code, messages, prose }: Material): Planned[] {
  const wide = messages(20_000, 2_500);
  const short = code(150_000, 1_500);
  const windows = code(152_000, 2_000).replaceAll("\n", "\r\n");
  const german = messages(72_000, 2_000);
  const latin = german.replaceAll(/[^\x00-\xff]/g, "?");
  const open = code(154_000, 800).trimEnd();
  const long = `${code(0, 20_000).replaceAll("\n", " ")}\nshort\n${messages(30_000, 12_000).replaceAll("\n", " ")}`;
  const swapped = Buffer.from(`\ufeff${wide}`, "utf16le").swap16();
  // Its end is a newline: ripgrep adds one to a last line that ends in a lone return, and the two look alike then.
  const mixed = `${code(156_000, 900).replaceAll(/\n/g, (_, at: number) => ["\n", "\r\n", "\r"][at % 3] ?? "\n")}\n`;
  return [
    planned("enc/bom.ts", Buffer.from(`\ufeff${short}`), short),
    planned("enc/utf16le.txt", Buffer.from(`\ufeff${wide}`, "utf16le"), wide),
    planned("enc/utf16be.txt", swapped, wide),
    planned("enc/crlf.ts", Buffer.from(windows), windows),
    planned("enc/mixed.ts", Buffer.from(mixed), mixed),
    planned("enc/latin1.txt", Buffer.from(latin, "latin1"), german),
    planned("enc/broken.txt", brokenUtf8(german), german),
    planned("enc/no-newline.ts", Buffer.from(open), open),
    planned("enc/no-newline-crlf.ts", Buffer.from(open.replaceAll("\n", "\r\n")), open),
    planned("enc/long.txt", Buffer.from(long), long),
    planned("enc/only-bom.txt", Buffer.from("\ufeff"), ""),
    planned("enc/form-feed.txt", Buffer.from(`\f${prose(0, 400)}\x1b[1mbold\n`), prose(0, 400)),
  ];
}

/** Files that are binary for somebody. */
function binary({ code, declarations, prose }: Material): Planned[] {
  const text = prose(0, 1_200);
  const large = declarations(30_000, 150_000);
  return [
    planned("bin/nul-early.bin", Buffer.from(`\0\0${text}`), text),
    planned("bin/nul-middle.txt", Buffer.from(`${text}\0${text}`), text),
    planned("bin/nul-late.txt", Buffer.from(`${large}\0\n${code(0, 2_000)}`), large),
    planned("bin/nul-late-2.ts", Buffer.from(`${code(0, 70_000)}${code(0, 500)}\0`), code(0, 500)),
    planned("bin/control.txt", Buffer.from(`\x01\x02${text}`), text),
    planned("bin/control-late.txt", Buffer.from(`${text}\x01\n${text}`), text),
    planned("bin/paper.pdf", Buffer.from(`%PDF-1.7\n${text}`), text),
    planned("bin/drawing.ps", Buffer.from(`%!PS-Adobe-3.0\n${text}`), text),
    planned("bin/utf16-without-bom.txt", Buffer.from(text, "utf16le"), null),
  ];
}

function rules(): Planned[] {
  return Object.entries(RULES).map(([path, lines]) => {
    const text = [...lines, ""].join("\n");
    return planned(path, Buffer.from(text), text);
  });
}

/** Every eightieth byte lost, sometimes in the middle of a letter. */
function brokenUtf8(text: string): Buffer {
  const bytes = Buffer.from(text);
  return bytes.map((byte, at) => (at % 80 === 79 && byte !== 0x0a ? 0xc3 : byte)) as Buffer;
}

function planned(path: string | Buffer, content: Buffer, text: string | null): Planned {
  return { path, content, text };
}
