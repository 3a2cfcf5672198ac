import type { Clock, RandomHex } from '../../ports.js';

/** Returns a chat id of the form `sess_{epoch_ms}_{uuid6}`. */
export function newChatId(clock: Clock, random: RandomHex): string {
  return `sess_${String(clock.now())}_${random.hex(6)}`;
}

/** Returns the creation time in a chat id, in epoch milliseconds. */
export function chatCreation(chatId: string): number {
  return Number(chatId.split('_')[1]);
}

/** Returns an id of the form `{epoch_ms}-{uuid8}` for a message, run, attempt or rewind. */
export function newId(clock: Clock, random: RandomHex): string {
  return `${String(clock.now())}-${random.hex(8)}`;
}

const CHAT_ID = /^sess_\d{1,16}_[0-9a-f]{6}$/;

/** Returns whether a text is a valid chat id. Call this before a chat id is used as a folder name. */
export function isChatId(text: string): boolean {
  return CHAT_ID.test(text);
}
