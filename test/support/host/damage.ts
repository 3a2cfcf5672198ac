import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { LOG_VERSION } from '../../../src/engine/chat/order/stamp.js';
import { encodeLine } from '../../../src/storage/log/line.js';

/* Damage that happens to logs of chats. */

function chatPath(folder: string, chatId: string, name: string): string {
  return join(folder, 'chats', chatId, name);
}

/** As if a newer Loupe had written to the chat. */
export async function writeNewerLine(folder: string, chatId: string): Promise<void> {
  const stamp = { v: LOG_VERSION + 1, seq: 1_000_000, id: 'newer-1', at: 1, writer: 'newer' };
  const line = encodeLine({ type: 'title', title: 'From the future', by: 'user', ...stamp });
  await writeFile(chatPath(folder, chatId, 'newer.jsonl'), line);
}

/** As if another window had written these events, numbered from 1,000. */
export async function writeAsOther(folder: string, chatId: string, drafts: readonly NewEvent[]): Promise<void> {
  const lines = drafts.map((draft, index) =>
    encodeLine({ ...draft, v: LOG_VERSION, seq: 1_000 + index, id: `other-${String(index)}`, at: 1_700_000_000_000, writer: 'other' }),
  );
  await appendFile(chatPath(folder, chatId, 'other.jsonl'), Buffer.concat(lines));
}

/** As if another window's lines arrived late: numbered from 1, right after the first event. */
export async function writeAsEarlier(folder: string, chatId: string, drafts: readonly NewEvent[]): Promise<void> {
  const stamps = { v: LOG_VERSION, at: 1_700_000_000_000, writer: 'earlier' };
  const lines = drafts.map((draft, index) => encodeLine({ ...draft, ...stamps, seq: 1 + index, id: `earlier-${String(index)}` }));
  await appendFile(chatPath(folder, chatId, 'earlier.jsonl'), Buffer.concat(lines));
}

export async function damageLine(folder: string, chatId: string, line: number): Promise<void> {
  const names = await readdir(join(folder, 'chats', chatId));
  const [segment = ''] = names.filter((name) => name.endsWith('.jsonl'));
  const path = chatPath(folder, chatId, segment);
  const lines = (await readFile(path, 'utf8')).split('\n');
  lines[line] = (lines[line] ?? '').replace('"type"', '"tyqe"');
  await writeFile(path, lines.join('\n'));
}
