import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatConfig } from '../../../src/engine/chat/config.js';
import { chatFolder } from '../../../src/storage/layout.js';
import { CONFIG } from '../engine/events.js';
import { writeLongLog } from '../storage/longLog.js';
import type { Workbench } from './server.js';
import { storageFolder } from './storageFaults.js';

const CHAT = 'sess_1700000000000_aaaaaa';

const PRACTICE_CONFIG: ChatConfig = { ...CONFIG, model: { provider: 'practice', model: 'standard' } };

/** A chat of many messages among the others of a workbench. */
export class LongChat {
  readonly folder: string;

  /** @param said - the text of a message, numbered from 0: questions have even numbers, and the first one is the title */
  static async write(workbench: Workbench, messages: number, said: (message: number) => string): Promise<LongChat> {
    const folder = chatFolder(storageFolder(workbench), CHAT);
    // It comes in one step: Loupe would begin to read it, and to derive things from it, while it is written.
    const unfinished = `${folder}.unfinished`;
    await writeLongLog(unfinished, { chatId: CHAT, writer: 'earlier', exchanges: messages / 2, config: PRACTICE_CONFIG, said });
    renameSync(unfinished, folder);
    return new LongChat(folder);
  }

  private constructor(folder: string) {
    this.folder = folder;
  }

  get restorePoint(): string {
    return join(this.folder, 'restore-point.json');
  }

  /** The chat has to be read whole again when it is opened. */
  removeRestorePoint(): void {
    rmSync(this.restorePoint);
  }
}
