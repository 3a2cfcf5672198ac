import { chatFolder } from '../../../src/storage/files/layout.js';
import { writeLongLog } from '../storage/longLog.js';
import { DEFAULTS } from './window.js';

export const LONG_CHAT = 'sess_1700000000000_aaaaaa';

/** So many that the middle of the chat is far from both ends. */
export const EXCHANGES = 300;

/** Writes a chat with `EXCHANGES` questions (`Question 0`, `Question 2`, ...) and answers. */
export async function writeLongChat(folder: string): Promise<void> {
  const said = (message: number): string => (message % 2 === 0 ? `Question ${String(message)}` : `Answer ${String(message)}`);
  await writeLongLog(chatFolder(folder, LONG_CHAT), { chatId: LONG_CHAT, writer: 'earlier', exchanges: EXCHANGES, config: DEFAULTS, said });
}

/** Bytes of log between two restore points, for chats of some hundred messages. */
export const RESTORE_STEP = 8_000;
