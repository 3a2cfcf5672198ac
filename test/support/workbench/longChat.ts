import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { chatFolder } from '../../../src/storage/files/layout.js';
import { CONFIG } from '../engine/events.js';
import { writeLongLog } from '../storage/longLog.js';
import type { Workbench } from './server.js';
import { storageFolder } from './storageFaults.js';
import { waitFor } from './wait.js';

/** It is sent whole: a summary would take the place of what is looked for. */
const PRACTICE_CONFIG: ChatConfig = { ...CONFIG, model: { provider: 'practice', model: 'standard' }, compaction: 'off' };

/** A chat of many messages among the others of a workbench. */
export class LongChat {
  readonly folder: string;

  /**
   * Returns when Loupe has read it, and what is derived from its log is there.
   *
   * @param said - the text of a message, numbered from 0: questions have even numbers, and the first one is the title
   */
  static async write(workbench: Workbench, messages: number, said: (message: number) => string): Promise<LongChat> {
    const chatId = `sess_1700000000000_${randomUUID().slice(0, 6)}`;
    const folder = chatFolder(storageFolder(workbench), chatId);
    // It comes in one step: Loupe would begin to read it while it is written.
    const unfinished = `${folder}.unfinished`;
    await writeLongLog(unfinished, { chatId, writer: 'earlier', exchanges: messages / 2, config: PRACTICE_CONFIG, said });
    renameSync(unfinished, folder);
    const chat = new LongChat(folder);
    await chat.derived();
    return chat;
  }

  private constructor(folder: string) {
    this.folder = folder;
  }

  get restorePoint(): string {
    return join(this.folder, 'restore-point.json');
  }

  /** What lists show of it. */
  get row(): string {
    return join(this.folder, 'row.json');
  }

  /** Waits until what is derived from its log is there. */
  async derived(): Promise<void> {
    await waitFor('what is derived from the log', () => (existsSync(this.restorePoint) && existsSync(this.row)) || undefined);
  }

  /** A window that has not read the chat yet has to read all of it to open it. */
  removeRestorePoint(): void {
    rmSync(this.restorePoint);
  }
}
