// What happens to the files of chats in the world, done to those of a running
// workbench.

import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { LOG_VERSION } from '../../../src/engine/chat/stamp.js';
import { chatFolder, chatsFolder, segmentName } from '../../../src/storage/layout.js';
import { decodeLine, encodeLine } from '../../../src/storage/line.js';
import type { Workbench } from './server.js';

/** The storage folder that Loupe has in a workbench's only workspace. */
export function storageFolder(workbench: Workbench): string {
  const storages = join(workbench.dataDir, 'data/User/workspaceStorage');
  const roots = readdirSync(storages).map((id) => join(storages, id, 'loupe.loupe'));
  const found = roots.filter((root) => statSync(chatsFolder(root), { throwIfNoEntry: false }) !== undefined);
  const [root, ...more] = found;
  if (root === undefined || more.length > 0) throw new Error(`${found.length} workspaces have chats, instead of one.`);
  return root;
}

/** The files of one chat, written to while VS Code runs. */
export class ChatFiles {
  readonly folder: string;

  constructor(root: string, chatId: string) {
    this.folder = chatFolder(root, chatId);
  }

  /** Names of the segments without their ending: the windows that have written to the chat. */
  get writers(): string[] {
    return readdirSync(this.folder).flatMap((name) => (name.endsWith('.jsonl') ? [name.slice(0, -'.jsonl'.length)] : []));
  }

  get lineCount(): number {
    return this.#lines().length - 1;
  }

  /** Cuts the last line in the middle, as a power cut does. */
  tearLastLine(): void {
    const text = this.#read();
    const last = text.lastIndexOf('\n', text.length - 2);
    this.#write(text.slice(0, last + (text.length - last) / 2));
  }

  /** Flips a bit in these lines, numbered from 1. */
  flip(...numbers: readonly number[]): void {
    const lines = this.#lines();
    for (const number of numbers) lines[number - 1] = (lines[number - 1] ?? '').replace('"type"', '"tyqe"');
    this.#write(lines.join('\n'));
  }

  /** As editors do that take a file for one of Windows. */
  addByteOrderMark(): void {
    this.#write(`\ufeff${this.#read()}`);
  }

  /** As if a newer Loupe had written to the chat. */
  continueInNewerVersion(): void {
    const stamp = { v: LOG_VERSION + 1, seq: 1_000_000, id: 'newer-1', at: 1, writer: 'newer' };
    writeFileSync(this.#path('newer'), encodeLine({ type: 'title', title: 'From the future', by: 'user', ...stamp }));
  }

  /** As if the clock had been set back by a day before each line. */
  setClockBack(): void {
    const day = 24 * 60 * 60 * 1_000;
    const [writer = ''] = this.writers;
    const events = this.#lines().flatMap((line): ChatEvent[] => {
      const decoded = decodeLine(Buffer.from(line), writer);
      return decoded.ok ? [decoded.event] : [];
    });
    writeFileSync(this.#path(writer), Buffer.concat(events.map((event, index) => encodeLine({ ...event, at: event.at - index * day }))));
  }

  /** As if another window had written these events. */
  appendAsOther(drafts: readonly NewEvent[]): void {
    const stamp = { v: LOG_VERSION, at: Date.now(), writer: 'other' };
    const lines = drafts.map((draft, index) => encodeLine({ ...draft, ...stamp, seq: 1_000 + index, id: `other-${String(index)}` }));
    appendFileSync(this.#path('other'), Buffer.concat(lines));
  }

  /** @returns the name of the blob */
  putBlob(bytes: Buffer): string {
    const name = createHash('sha256').update(bytes).digest('hex');
    mkdirSync(join(this.folder, 'blobs'), { recursive: true });
    writeFileSync(join(this.folder, 'blobs', name), bytes);
    return name;
  }

  /** What this writer is going to write goes to a disk that is always full; to be undone before anything reads the chat. */
  fillDisk(writer: string): void {
    symlinkSync('/dev/full', this.#path(writer));
  }

  emptyDisk(writer: string): void {
    rmSync(this.#path(writer));
  }

  #path(writer: string): string {
    return join(this.folder, segmentName(writer));
  }

  #lines(): string[] {
    return this.#read().split('\n');
  }

  /** The only segment. */
  #read(): string {
    return readFileSync(this.#path(this.writers[0] ?? ''), 'utf8');
  }

  #write(text: string): void {
    writeFileSync(this.#path(this.writers[0] ?? ''), text);
  }
}
