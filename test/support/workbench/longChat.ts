import { randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { chatFolder } from '../../../src/storage/files/layout.js';
import { CONFIG } from '../engine/events.js';
import { writeLongLog } from '../storage/longLog.js';
import type { Workbench } from './server.js';
import { storageFolder } from './storageFaults.js';
import { waitFor } from './wait.js';

/** Without summaries, because a summary would replace the text that tests look for. */
const PRACTICE_CONFIG: ChatConfig = { ...CONFIG, model: { provider: 'practice', model: 'standard' }, compaction: 'off' };

export class LongChat {
  readonly folder: string;

  /** Returns when Loupe has read the chat. `said`: the text of a message by number, questions are even. */
  static async write(workbench: Workbench, messages: number, said: (message: number) => string): Promise<LongChat> {
    const chatId = `sess_1700000000000_${randomUUID().slice(0, 6)}`;
    const folder = chatFolder(storageFolder(workbench), chatId);
    // Renamed when complete, because Loupe would read an unfinished file.
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

  get row(): string {
    return join(this.folder, 'row.json');
  }

  async derived(): Promise<void> {
    await waitFor('what is derived from the log', () => (existsSync(this.restorePoint) && existsSync(this.row)) || undefined);
  }
}
