import type { ChatConfig } from '../../src/engine/chat/settings/config.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { scriptedHouse, type ScriptedHouse } from '../support/host/scriptedHouse.js';
import { Windows } from '../support/host/window.js';
import { WORDS } from '../support/engine/words.js';

export interface Talk {
  readonly house: ScriptedHouse;
  readonly session: ChatSession;
  readonly windows: Windows;
}

/** The most requests between two messages: a topic, and a summary with its parts. */
const MOST_ASKED = 12;

export async function inTalk<T>(config: Partial<ChatConfig>, measure: (talk: Talk) => Promise<T>): Promise<T> {
  const windows = new Windows();
  await windows.load();
  await windows.newFolder();
  try {
    const house = await scriptedHouse('openai-compatible', {});
    const window = windows.open({ sources: [house.source], config: { model: house.large, ...config } });
    return await measure({ house, session: await window.chats.create(), windows });
  } finally {
    await windows.closeAll();
  }
}

/** Sends `text`. The model replies `answer`, and summaries contain nothing of the conversation. */
export async function exchange({ house, session }: Talk, turn: number, text: string, answer: string): Promise<void> {
  house.replies.length = 0;
  house.replies.push([{ text: answer }], ...Array.from({ length: MOST_ASKED }, () => [{ text: prose(turn, 30) }]));
  await session.conversation.send(text);
  await session.compactor.settled();
}

/** `count` words in sentences. They differ from turn to turn. */
export function prose(turn: number, count: number): string {
  const words = Array.from({ length: count }, (_, index) => WORDS[(turn * 31 + index * 7) % WORDS.length] ?? '');
  return words.map((word, index) => (index % 12 === 11 ? `${word}.` : word)).join(' ');
}
