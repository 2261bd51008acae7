/** Every number with a meaning, once, with its reason. Sizes are bytes, times are milliseconds. */

const KiB = 1024;
const MiB = 1024 * KiB;

/** Files on one page of results. */
export const PAGE_FILES = 20;
/** Matches of one file on a page for people; an agent's tools have their own, smaller ones. */
export const PAGE_MATCHES_PER_FILE = 200;
/** Matches on one page, over all files. */
export const PAGE_MATCHES = 2_000;
/** Characters of a line before it is shortened around its match. */
export const LINE_CHARACTERS = 512;
/** Paths that `find` lists on a page. */
export const PAGE_PATHS = 200;
/** Files that Claude's `Glob` lists. */
export const GLOB_FILES = 100;
/** Matches of a file that an agent is shown: among many files, and of a file by itself. */
export const AGENT_MATCHES_OF_MANY = 20;
export const AGENT_MATCHES_IN_ONE = 200;
/** The most files that an agent may ask for on a page; the text is bounded anyway. */
export const AGENT_PAGE_FILES = 200;
/** Entries of an agent's `paths`: each is looked for on the disk before anything is searched. */
export const AGENT_PATHS = 1_000;
/** Lines around a match that an agent may ask for. */
export const AGENT_CONTEXT = 500;
/** The text of an answer to an agent. */
export const AGENT_TEXT: number = 50 * KiB;

/** What Claude Code's Grep hands out: lines or files of one answer, columns of a line, and the text of an answer. */
export const CLAUDE_ROWS = 250;
export const CLAUDE_COLUMNS = 500;
export const CLAUDE_TEXT: number = 20 * KiB;
/** Rows of one answer held at once, when all are asked for: their text, and how many. */
export const GREP_OUTPUT: number = 20 * MiB;
export const GREP_ROWS = 50_000;
/** What looking at the files that were found may take, of a search's time, when the search took all of it. */
export const LOOKING_SHARE = 0.25;

/** Output of ripgrep held in memory and not yet read by the consumer. */
export const UNREAD_OUTPUT: number = 20 * MiB;
/** One record of ripgrep's output; the text of a longer one is left out (one 500 MB line must not cost 500 MB). */
export const RECORD: number = 8 * MiB;
/** Records of one file held back until ripgrep says whether the file is binary. */
export const HELD_PER_FILE: number = 8 * MiB;
/** What is kept of ripgrep's stderr. */
export const STDERR: number = 1 * MiB;

/** How long a search may take, and on WSL, where files are three to five times slower. */
export const SEARCH_TIME = 20_000;
export const SEARCH_TIME_WSL = 60_000;
/** `find` answers with what it has after this long; an agent may ask for less and for more. */
export const FIND_TIME = 5_000;
export const FIND_TIME_LEAST = 500;
export const FIND_TIME_MOST = 60_000;
/** How long an answer without matches may go on to look at what ignore rules leave out: for people, for an agent. */
export const ABSENCE_TIME = 2_000;
export const ABSENCE_TIME_AGENT = 500;
/** Between two updates about work that goes on. */
export const UPDATE_PAUSE = 200;
/** How long the bundled ripgrep may take to be signed on macOS, before it is started the first time. */
export const SIGNING_TIME = 10_000;
/** From SIGTERM to SIGKILL: ripgrep may be deep in a slow file system. */
export const KILL_GRACE = 5_000;

/** Folders whose subfolders and links are remembered, so that the next walk need not read them again (300 bytes each). */
export const FOLDERS_REMEMBERED = 50_000;
/** How long one is kept when others need the room. */
export const FOLDER_FORGOTTEN = 60_000;
/** A folder changed less than this long ago is not remembered: its times may not tell the next change. */
export const FOLDER_DISTRUSTED = 2_000;
/** Folders that are looked at before the event loop gets its turn: under a millisecond of those remembered. */
export const FOLDERS_PER_TURN = 100;
/** Links that are resolved at the same time. */
export const LINKS_AT_ONCE = 16;
/** Globs that keep ripgrep away from what it is not asked about; where it takes more, it walks everything. */
export const KEPT_AWAY = 1_000;

/** How long the list of files that are too large is believed, for the count beside an answer with matches. */
export const LARGE_BELIEVED = 10_000;
/** Scopes whose list is kept. */
export const LARGE_SCOPES = 100;

/** Bytes that tell a binary file when it is told by its beginning. */
export const SNIFF = 512;
/** Texts that are searched by one ripgrep process, one behind the other: its start is paid once in so many bytes. */
export const TEXTS_TOGETHER: number = 8 * MiB;
/** Names handed to one ripgrep process: far below the kernel's limit on arguments (E2BIG near 40,000). */
export const NAMES_PER_CHILD = 256;

/**
 * Memory of one rregex instance before it is forgotten: it loses some with every pattern, a megabyte where that holds
 * `\w`, and starts at 1.5 MiB. Each thread that matches has one, and another until V8 has collected it. With half of it a
 * search takes 7 % longer, because patterns are built anew more often.
 */
export const REGEX_INSTANCE: number = 24 * MiB;
/** A larger text is piped to ripgrep, which takes as long to start as this takes to match in process. */
export const TEXT_IN_PROCESS: number = 1 * MiB;
/** Characters of one text that may be looked at across lines, each as often as need be; ripgrep does it over then. */
export const LOOKED_AT_IN_PROCESS: number = 4 * MiB;
/** How long matching in process may hold up everything else before the event loop gets its turn. */
export const TURN = 10;
/** Patterns longer than this, or with more classes, can take the parser a second: they are left to ripgrep. */
export const PARSED_LENGTH = 4_096;
export const PARSED_CLASSES = 24;
/** Classes, each as often as it is repeated, of a pattern that is built in part first: `\w` takes some 5 KB of 10 MB. */
export const WIDE_COPIES = 500;
/** Texts with bars between them that are looked for without a regex; of more, a regex is quicker. */
export const PLAIN_TEXTS = 16;
/** Compiled patterns that are kept; each keeps the memory of its instance, which others may share. */
export const KNOWN_MATCHERS = 8;
/** Grams that the index is asked for, at most, for one pattern: one is found in a microsecond or two. */
export const GRAM_QUERY = 512;
/** And of one text: its rarest gram is among these. */
export const GRAM_TEXT = 200;
/** Characters of a regular expression that is asked for its grams, and where each letter is a class: about 10 ms. */
export const GRAM_PATTERN = 1_024;
export const GRAM_PATTERN_ANY_CASE = 512;
/** Classes such as `\pL` in it, where they cannot be left out: 2 ms each. */
export const GRAM_LARGE_CLASSES = 8;
/** Classes such as `\p{Greek}` that are looked into: most are ten times as quick, `\pL` is not. */
export const GRAM_PROPERTIES = 2;
/** Letters of a text that is searched in either case: at eight grams for three of them, more than are asked for. */
export const GRAM_LETTERS = 40;
/** Parts of one row of a pattern that tell something; those behind them are not asked. */
export const GRAM_PARTS = 64;
/** Strings that a part of a pattern is taken apart into, and their bytes; what is more is known by its ends. */
export const GRAM_STRINGS = 512;
export const GRAM_BYTES: number = 4 * KiB;
/** Characters of a class that is taken apart if not all of them are ASCII: blanks, which are 25. */
export const GRAM_CLASS = 32;
/** ASCII characters of a class that tells anything: all that can be seen. */
export const GRAM_ASCII = 95;
/** A set of globs as one regex; a larger one outgrows its automaton's cache and matches a thousand times slower. */
export const GLOB_SET_LENGTH: number = 32 * KiB;

/** Lines shown around a match: edits fail most often on the lines just outside what was shown. */
export const CONTEXT_BEFORE = 1;
export const CONTEXT_AFTER = 3;
/** The largest file that gets a tag: a snapshot holds it whole. */
export const TAGGED_FILE: number = 32 * MiB;
/**
 * A larger file that an index told of is shown without being held: of an eighth of what a session remembers, a page would
 * leave nothing else. Nobody writes such files by hand.
 */
export const SKETCHED_FILE: number = 4 * MiB;
/** Large files whose lines are remembered, at a thousandth of their size: as many as the largest page has. */
export const SKETCHES = 200;
/** Files whose shown versions are remembered: ten pages of search (the seed's 30 are lost after the second page). */
export const SNAPSHOT_FILES = 200;
/** Bytes of a text whose newlines are counted together: of so many, the line that is asked for is looked for. */
export const NEWLINES_COUNTED: number = 4 * KiB;
/** Versions remembered of one file: an agent's own edits make a new one each. */
export const SNAPSHOT_VERSIONS = 8;
/** Bytes of all remembered versions together. */
export const SNAPSHOT_BYTES: number = 32 * MiB;
/** A file that changed this long ago, in milliseconds, looks otherwise after its next change; Linux writes what is dirty after 30 s. */
export const STAMP_SETTLES = 60_000;
/** Tags remembered after their version was let go, so that none is given to another content (about 150 bytes each). */
export const SNAPSHOT_LABELS = 20_000;

/** Lines that one answer of read shows. Its bytes are those of any answer. */
export const READ_LINES = 3_000;
/** What is read at once of a file that is not held: what stays in a core's cache is copied five times faster. */
export const STREAM_CHUNK: number = 64 * KiB;
/** Files that are summed up by their structure: larger and longer ones are shown from their beginning. */
export const SUMMARY_BYTES: number = 2 * MiB;
export const SUMMARY_LINES = 20_000;
/** A shorter file is shown whole: a summary would save little and cost a second call. */
export const SUMMARY_LEAST = 100;
/** Lines that must stand in a row to be left out of a summary: fewer cost as much to announce as to show. */
export const SUMMARY_SPAN = 3;
/** A summary that leaves out less than one in this many lines is not worth a second call. */
export const SUMMARY_SHARE = 4;
/** Lines of a comment that stay. */
export const SUMMARY_COMMENT = 5;
/** Members of a type are declarations and stay, unless their lines are more than this; then so many stay. */
export const SUMMARY_TYPE = 100;
export const SUMMARY_TYPE_SHOWN = 20;
/** A function longer than this that mostly holds functions shows them: it stands for a module. */
export const SUMMARY_FUNCTION = 200;
/** Callbacks in callbacks that may be open: `describe` in `describe`, so that `it` shows. */
export const SUMMARY_CALLBACKS = 2;
/** Bodies and values in one another that are looked at; deeper ones go with what is around them. */
export const SUMMARY_NESTING = 12;

/** How long parsing a text may hold up everything else: 2 MiB of ordinary code take half a second by themselves. */
export const PARSE_TIME = 2_000;
/** The most memory of the parser: ordinary code of 2 MiB takes 46 MiB, a text made for it takes what there is. */
export const PARSER_MEMORY: number = 128 * MiB;
/** A parser that has grown beyond this is let go after its text. */
export const PARSER_KEPT: number = 64 * MiB;
/** Nodes in one another down to a line whose block is looked for. */
export const BLOCK_DEPTH = 10_000;
/** A folder's tree: levels, children of each folder below the first. */
export const TREE_DEPTH = 2;
export const TREE_CHILDREN = 12;
/** More entries than these are listed by name, not looked at one by one: in the folder itself, in one below. */
export const TREE_DATED_ROOT = 20_000;
export const TREE_DATED = 1_000;
/** Entries of a folder that are counted, and folders that are entered: about twice what a page can show. */
export const TREE_COUNTED = 100_000;
export const TREE_ENTERED = 400;
/** How long a missing path is looked for elsewhere. */
export const SUFFIX_TIME = 5_000;
/** Names offered in place of a missing one. */
export const NEAR_NAMES = 3;
/** Members of one folder of an archive that are listed. */
export const LISTED_MEMBERS = 500;

/** Tables listed, sample rows under a schema, rows of a query by default and at most. */
export const LISTED_TABLES = 500;
export const SAMPLE_ROWS = 5;
export const QUERY_ROWS = 20;
export const QUERY_ROWS_MOST = 500;
/** Columns of characters that a table is drawn in, and one of its columns. */
export const TABLE_WIDTH = 120;
export const COLUMN_WIDTH = 40;
/** How long one statement may take. */
export const SQL_TIME = 3_000;
/** The part of it that goes to counting rows for a list of tables, and to one table of them. */
export const COUNTS_TIME = 1_500;
export const COUNT_TIME = 500;
/** After the time is up: SQLite notices by itself at its next step, else its thread is ended. */
export const SQL_GRACE = 500;
/** One value inside SQLite, and all its memory: `zeroblob(1e9)` must not cost a gigabyte. */
export const SQL_VALUE: number = 64 * MiB;
export const SQL_MEMORY: number = 256 * MiB;
/** A statement, longer than any that is written by hand. */
export const SQL_LENGTH: number = 256 * KiB;
/** What is taken of a value for a column of a table, of a value of one row, and of all values together. */
export const CELL_BYTES = 256;
export const ROW_CELL_BYTES: number = 8 * KiB;
export const CELLS_BYTES: number = 4 * MiB;
/** The largest database of which a row is changed: it is held whole, twice. */
export const DATABASE_CHANGED: number = 256 * MiB;

/** The text of one patch: far above what a model writes, far below what would hold up everything else. */
export const PATCH_BYTES: number = 8 * MiB;
/** Characters of a patch's row that a message repeats, and rows of a kind that a warning names. */
export const PATCH_QUOTED = 80;
export const PATCH_ROWS_NAMED = 8;
/** Lines around an edit that its body is compared with, for lines that would stand there twice. */
export const DOUBT_LINES = 50;
/** The largest archive of which an entry is written: it is held whole. */
export const ARCHIVE_REWRITTEN: number = 256 * MiB;

/** Lines of the current file shown around an anchor that no longer holds. */
export const MISMATCH_CONTEXT = 2;
/** Lines shown around a change in the answer to an edit. */
export const EDIT_CONTEXT = 2;
/** The beginning of a file in which a generator's mark is looked for. */
export const GENERATED_BYTES: number = 1 * KiB;
export const GENERATED_LINES = 40;

/** Levels of a notebook's JSON: an honest one has about ten, in a widget's state. */
export const JSON_DEPTH = 1_000;
/** The beginning of a file that tells what kind it is of. */
export const KIND_BYTES: number = 4 * KiB;

/** Merge conflicts that a session remembers by their numbers, over all files (about 300 bytes each). */
export const CONFLICTS_LISTED = 10_000;

/** Unpacked members of archives that a session remembers, all together. */
export const ARCHIVES_REMEMBERED: number = 64 * MiB;
/** An archive changed less than this long ago is not remembered: its times may not tell the next change. */
export const ARCHIVE_DISTRUSTED = 2_000;

/** Artifacts of one session, the largest one, and all together. */
export const ARTIFACTS = 100;
export const ARTIFACT: number = 32 * MiB;
export const ARTIFACT_BYTES: number = 128 * MiB;

/** How long a call waits for a named session that another process holds. */
export const SESSION_WAIT = 10_000;
/** When the folder of a session that nobody closed is swept away, and that of a named one nobody used. */
export const SESSION_ORPHANED: number = 24 * 60 * 60 * 1000;
export const SESSION_UNUSED: number = 30 * 24 * 60 * 60 * 1000;

/** How long a write waits for a file that another call or process writes, and between two looks. */
export const FILE_LOCK_WAIT = 10_000;
export const FILE_LOCK_PAUSE = 5;
/** An owner of a lock or a journal on another machine or in another container counts as ended after so long. */
export const OWNER_UNKNOWN: number = 10 * 60 * 1000;
/** How long the copy of a file's attributes may take. */
export const ATTRIBUTES_TIME = 5_000;
/** Bytes of one write call: 10 MB took 8 ms in such pieces, 60 ms in pieces of 1 MiB. */
export const WRITTEN_AT_ONCE: number = 256 * KiB;
/** A file changed less than this long ago may be changing: its times may not tell the next change. */
export const FILE_BUSY = 2_000;
/** A file that others changed while we did counts as theirs, too, for so long: our own writes hide their next one. */
export const FILE_SHARED: number = 60 * 1000;
/** How long a rename waits for those who still write to the file that it replaced. */
export const WRITER_WAIT = 500;
/** How long the look for such writers may take, and how many of our own writes are told from theirs. */
export const WRITER_LOOK = 100;
export const OWN_WRITES = 500;
/** How long the recovery of a commit that was cut off waits for its files; they are in use then, and it can wait. */
export const RECOVER_WAIT = 1_000;
/** Files of one commit that are staged at the same time: each may start a program. */
export const STAGED_TOGETHER = 4;

/** Boris's tools: lines of a view without a range, characters of a line of it, and the largest file viewed or changed. */
export const VIEW_LINES = 2_000;
export const VIEW_CHARACTERS = 2_000;
export const BORIS_FILE: number = 10 * MiB;
/** Lines that are named of a text that stands in a file more than once. */
export const TWICE_NAMED = 8;
/** A text that is not in a file is looked for in other readings of one up to this long, which takes up to 0.4 s. */
export const NEAR_TEXT: number = 512 * KiB;
/** Letters compared, each with each, to find the line that comes nearest to it: about 0.2 s. */
export const NEAR_LINE_WORK = 4_000_000;

/** Searches of an MCP server that run at once; one takes every core anyway. */
export const MCP_CALLS = 8;
/** Calls beside these that are none: a small read waits for no search. */
export const MCP_CALLS_KEPT = 2;
/** What one client of several may hold for its searches, and as many for the rest: another that comes finds a turn. */
export const MCP_CALLS_SHARE: number = MCP_CALLS - 2;
/** Calls of one client and a kind that may wait for a turn. */
export const MCP_CALLS_WAITING = 256;
/** Roots of a client that are taken. */
export const MCP_ROOTS = 32;
/** Sets of roots whose workspaces a client has open, where each call brings its own. */
export const MCP_ROOT_SETS = 4;
/** How long a client may take to name its roots before the call goes on without them. */
export const MCP_ROOTS_WAIT = 3_000;
/** How long roots are believed where a client cannot say that they changed. */
export const MCP_ROOTS_KEPT: number = 60 * 1000;
/** Things that a client has yet to be told; the latest are kept. */
export const MCP_NEWS = 32;
/** Roots that were left out and are named to the model, and the letters of each. */
export const MCP_ROOTS_TOLD = 4;
export const MCP_ROOT_LETTERS = 200;
/** One message, over stdio or HTTP. */
export const MCP_MESSAGE: number = 16 * MiB;

/** Sessions of the HTTP server at once; a client that ends without saying so leaves its own until it is idle for long. */
export const MCP_SESSIONS = 256;
export const MCP_SESSION_IDLE: number = 30 * 60 * 1000;
/** For so long after its last request no session that somebody worked with is ended for a new one. */
export const MCP_SESSION_SAFE: number = 60 * 1000;
/** Between two looks for what is idle. */
export const MCP_SWEEP = 30_000;
/** What a session keeps of what it sent, for a client that lost its connection: messages, their characters, streams. */
export const MCP_EVENTS = 200;
export const MCP_EVENT_TEXT: number = 1 * MiB;
export const MCP_EVENT_STREAMS = 200;
/** When a client that lost its connection should come back. */
export const MCP_RETRY = 1_000;
/** Messages in one body, where a revision has batches. */
export const MCP_BATCH = 100;
/** Refused requests that have a line each in the log, and the time in which those beyond have one together. */
export const MCP_REFUSALS = 20;
export const MCP_REFUSALS_TIME: number = 60 * 1000;
/** Seconds for which a browser remembers that a page may call. */
export const MCP_PREFLIGHT_KEPT = 600;
/** Connections at once: each costs a descriptor, of which a process often has 1,024. */
export const MCP_CONNECTIONS = 512;
/** How long a client may take to send its headers, and its whole request. */
export const MCP_HEADERS_TIME = 10_000;
export const MCP_REQUEST_TIME = 60_000;
/** How long a connection is kept for the next request: a client that thinks for long must not find it closed. */
export const MCP_KEPT_TIME = 75_000;
/** A connection on which nothing gets through for so long is ended; a stream that is read has a sign of life each 15 s. */
export const MCP_STUCK_TIME: number = 5 * 60 * 1000;
/** How long the rest of a refused body is read, so that the client gets to see the refusal. */
export const MCP_REFUSED_TIME = 2_000;
/** How long open connections may take to end when the server does. */
export const MCP_END_TIME = 1_000;
/** The shortest token that is no invitation to guess. */
export const MCP_TOKEN_LENGTH = 16;

/** Turns of the event loop in which a cookie must come back: the first may have begun before it was written. */
export const FEED_TURNS = 4;
/** How long one may stay away when no other comes back either, and between two looks. */
export const FEED_COOKIE_WAIT = 250;
export const FEED_COOKIE_PAUSE = 5;
/** Paths that are told one by one; when more have changed, looking at everything takes no longer (100 bytes each). */
export const FEED_TOLD = 200_000;
/** Paths are looked at before anybody asks once so many have changed: whoever asks looks at fewer in 2 ms. */
export const FEED_MANY = 256;
/** An ignore file changed less than this long ago is read again: its times may not tell the next change. */
export const RULES_DISTRUSTED = 2_000;

/**
 * Of an ignore file that is read to tell which new files it leaves out: its bytes, its rules, and the letters of one.
 * With more of them ripgrep tells.
 */
export const RULES_BYTES: number = 256 * KiB;
export const RULES_OF_FILE = 2_000;
export const RULE_LETTERS = 1_000;

/** Of an index file, what one checksum stands for: read and checked in 10 µs. */
export const INDEX_PAGE: number = 16 * KiB;
/** A block of an index: half of it takes a quarter more room and finds places more closely. */
export const INDEX_BLOCK: number = 8 * KiB;
/** Grams whose lists are found by reading on from the one that is remembered. */
export const GRAMS_PER_CHUNK = 256;
/** What is read at once of the files of a segment. */
export const DOCS_READ: number = 64 * KiB;
/** Memory that glibc maps by itself at first, and such as it never keeps: what is larger than 32 MiB. */
export const OWN_MEMORY_FROM: number = 128 * KiB;
export const OWN_MEMORY: number = 33 * MiB;
/** Grams of blocks held while a segment is built: four bytes each, twice, in every thread that builds. */
export const GRAMS_HELD: number = 16 * MiB;
/** Larger files are not indexed, and always looked at. */
export const INDEXED_FILE: number = 64 * MiB;
/** Threads that build an index. */
export const INDEX_BUILDERS = 2;
/** Files of one part of a build. */
export const FILES_PER_RUN = 2_000;
/** A file that was read so soon after its last change is read again: a change within a tick of the clock has no other time. */
export const DISTRUSTED_YOUNG = 2_000;
/** Files that are told of together by the thread that looks at a tree: few enough that the last are soon taken in. */
export const SEEN_TOGETHER = 4_000;
/** Files looked at on disk before the loop gets its turn. */
export const FILES_PER_TURN = 500;
/** What listing a tree for the index may take. */
export const INDEX_LIST_TIME = 120_000;
/** How far two clocks may run apart while a tree is listed before it is watched. */
export const EARLY_CLOCK = 100;
/** Folders with new names that are listed one by one; with more of them all is listed anew. */
export const NEW_FOLDERS_AT_ONCE = 8;
/** Files with several names: each is looked at before every answer. */
export const LINKED_FILES = 1_000;
/** Ignore files that are links, and repositories elsewhere: each is looked at before every answer. */
export const FAR_RULES = 1_000;
/** Changed files that are looked at by every search, before they are worth a segment. */
export const UNINDEXED_WORTH = 32;
/** With more of them ripgrep is quicker. */
export const UNINDEXED_FILES = 20_000;
/** How long after a change the index is brought up to date behind it. */
export const INDEX_PAUSE = 1_000;
/** Between two looks at every file, for changes that no event tells; none where nothing was asked since. */
export const INDEX_LOOK_AGAIN: number = 10 * 60 * 1000;
/** Calls that have begun and may still ask: more than are under way at once. */
export const INDEX_MOMENTS = 256;
/** How long after a failure it is tried again: at first, and at most. */
export const INDEX_RETRY = 30_000;
export const INDEX_RETRY_MOST: number = 10 * 60 * 1000;
/** Between two looks whether the process that builds the index has saved it. */
export const INDEX_WAIT = 500;
/** Segments beside one another before they are made one. */
export const INDEX_SEGMENTS = 4;
/** How long an answer of an index is waited for before ripgrep is asked. */
export const INDEX_ANSWER = 1_000;
/** How long another process that builds the index is waited for before one is built beside it. */
export const INDEX_AWAITED = 60_000;
/** What an index's thread may fill before it collects, in megabytes: it keeps as much, and more makes nothing quicker. */
export const INDEX_YOUNG = 2;
/** How long behind an answer a thread collects its young objects, in a millisecond: a call that follows at once comes first. */
export const COLLECT_YOUNG = 4;
/**
 * How long nobody may ask before a thread gives back what it has no use for: at first, and later, when a call may follow
 * another soon, which would find its memory and its code gone (4.4 ms instead of 5.4 for the second and third of three).
 */
export const GIVE_BACK_SOON = 200;
export const GIVE_BACK_QUIET = 2_000;
/** What must have come together since the last time: giving it back takes some 40 ms. */
export const GIVE_BACK_WORTH: number = 8 * MiB;
/** The room for young objects that a thread keeps even so: to have it made smaller takes as long once more. */
export const GIVE_BACK_YOUNG: number = 4 * MiB;
/** Scopes whose files, or folders, are remembered until a name comes or goes: a bit for each of the tree. */
export const SCOPES_KNOWN = 16;
/** Files that come and go one by one in the lists of all files, at 30 µs each; with more of them a list is made anew. */
export const ORDER_SPLICED = 128;
/** Names that are put into the text of all names one by one; with more of them it is made anew, in 20 ms. */
export const NAMES_SPLICED = 256;
/** Answers that are not told to their end; of older ones the rest is ripgrep's. */
export const INDEX_CURSORS = 64;
/** A saved index of more bytes, some 20,000 files, is of a tree that takes a thread to look at. */
export const INDEX_LARGE: number = 32 * MiB;
/**
 * Files that an index tells at first if all that are wanted take it longer than so many milliseconds, and those asked of
 * it at a time: it looks for the next while those before are looked at. A message takes as long as looking at ten.
 */
export const INDEX_FIRST_HITS = 8;
export const INDEX_SOON = 0.5;
export const INDEX_HITS = 16;
/** The most that an index tells at once. */
export const INDEX_MOST_HITS = 64;
/** How long an index looks for files before it says what it has found, if that is nothing. */
export const INDEX_SLICE = 20;
/** Bytes of a file from which on an index says where in it the matches are: less is searched in no time. */
export const WHERE_LEAST: number = 16 * KiB;
/** In how many places it may be said that they are: two numbers each, in the message of every file of a page. */
export const WHERE_PARTS = 256;
/** Questions of which an index remembers what it found, and how many hits or names of one: 25 pages. */
export const TOLD_QUESTIONS = 16;
export const TOLD_HITS = 500;
/** Files that an index looks at by itself, at 25 µs each, before a second thread shares the rest with it. */
export const SECOND_FROM = 64;
/** And what the rest must take, in milliseconds: that thread has to read the pattern as well, which takes up to 5. */
export const SECOND_WORTH = 10;
/** Files in no segment for which that thread is started before they are looked at: it takes as long to start as to do so. */
export const SECOND_EXPECTED = 2_000;
/** Files that are shared out at a time: a trip to a thread is worth four. */
export const SECOND_LEAST = 64;
export const SECOND_MOST = 512;
/** How long that thread waits for more, in milliseconds: an agent thinks in between, and starting it takes 50. */
export const SECOND_IDLE = 60_000;
/** What it may fill before it collects, in megabytes. */
export const SECOND_YOUNG = 4;
/** What ripgrep takes to start, and bytes that it looks at in a millisecond: it is asked where it is quicker. */
export const SCAN_START = 20;
export const SCAN_SPEED = 2_000_000;
export const SCAN_SPEED_BLIND = 650_000;
/** Indexes of one process, each with a thread and what it knows of its files; other trees are left to ripgrep. */
export const INDEXES_OPEN = 8;
/** How long an index may take to end before it is ended. */
export const INDEX_CLOSE = 1_000;
/** A tree of fewer files is searched as quickly without an index. */
export const INDEX_FROM_FILES = 2_000;
/** A tree of more files is left to ripgrep: what an index holds of each file in memory adds up. */
export const INDEX_MAX_FILES = 500_000;
/** The saved indexes of all trees together; of more, those that were not used for the longest time are removed. */
export const INDEX_CACHE_BYTES: number = 8 * 1024 * MiB;
/** Reasons for asking ripgrep instead of the index that are counted one by one. */
export const INDEX_REASONS = 50;
/** Patterns that `quarry index verify` searches, how often it asks again where answers differ, and the paths it names. */
export const VERIFY_PATTERNS = 100;
export const VERIFY_ATTEMPTS = 3;
export const VERIFY_PATHS = 20;
/** Lists of a saved segment that are read before others have their turn: a few milliseconds. */
export const LISTS_PER_TURN = 10_000;
/** How long `quarry doctor` lists the files that would be in an index, and counts the folders that it would watch. */
export const DOCTOR_TIME = 2_000;
/** Paths left out by ignore rules that are remembered, to say where a pattern is that was not found. */
export const INDEX_IGNORED = 50_000;
/** A project's `quarry.json` or package.json. */
export const PROJECT_SETTINGS: number = 1 * MiB;
