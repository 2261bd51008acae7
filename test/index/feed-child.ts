/** A feed that is asked over stdin, one line a look. Started by `feed-process.ts`. */
import { chownSync } from "node:fs";
import { createInterface } from "node:readline";
import { openFeed } from "../../src/index/feed/feed.ts";

const [root = "", cookies = "", user = ""] = process.argv.slice(2);
if (user !== "") {
  chownSync(cookies, Number(user), Number(user));
  process.setgroups?.([]);
  process.setgid?.(Number(user));
  process.setuid?.(Number(user));
}
const feed = await openFeed({ root, cookies, enters: () => true });
process.stdout.write("ready\n");
for await (const _ of createInterface({ input: process.stdin })) {
  await feed.settle();
  const { touched, lost } = feed.take();
  const unreadable = feed.status().unreadableFolders;
  const hears = feed.heard() !== null;
  process.stdout.write(
    `${JSON.stringify({ touched: [...touched], lost: lost?.reason ?? null, unreadable, hears })}\n`,
  );
}
feed.close();
