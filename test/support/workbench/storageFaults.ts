// Damages the files of chats in a running workbench.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chatFolder, chatsFolder, segmentName } from '../../../src/storage/files/layout.js';
import type { Workbench } from './server.js';

export function storageFolder(workbench: Workbench): string {
  const storages = join(workbench.dataDir, 'data/User/workspaceStorage');
  const roots = readdirSync(storages).map((id) => join(storages, id, 'loupe.loupe'));
  const found = roots.filter((root) => statSync(chatsFolder(root), { throwIfNoEntry: false }) !== undefined);
  const [root, ...more] = found;
  if (root === undefined || more.length > 0) throw new Error(`${found.length} workspaces have chats, instead of one.`);
  return root;
}

export class ChatFiles {
  readonly folder: string;

  constructor(root: string, chatId: string) {
    this.folder = chatFolder(root, chatId);
  }

  /** The names of the segments without extension: the windows that have written to the chat. */
  get #writers(): string[] {
    return readdirSync(this.folder).flatMap((name) => (name.endsWith('.jsonl') ? [name.slice(0, -'.jsonl'.length)] : []));
  }

  get lineCount(): number {
    return this.#lines().length - 1;
  }

  /** Cuts the last line in the middle, as a power failure does. */
  tearLastLine(): void {
    const text = this.#read();
    const last = text.lastIndexOf('\n', text.length - 2);
    this.#write(text.slice(0, last + (text.length - last) / 2));
  }

  /** Flips a bit in each of these lines, numbered from 1. */
  flip(...numbers: readonly number[]): void {
    const lines = this.#lines();
    for (const number of numbers) lines[number - 1] = (lines[number - 1] ?? '').replace('"type"', '"tyqe"');
    this.#write(lines.join('\n'));
  }

  #path(writer: string): string {
    return join(this.folder, segmentName(writer));
  }

  #lines(): string[] {
    return this.#read().split('\n');
  }

  #read(): string {
    return readFileSync(this.#path(this.#writers[0] ?? ''), 'utf8');
  }

  #write(text: string): void {
    writeFileSync(this.#path(this.#writers[0] ?? ''), text);
  }
}
