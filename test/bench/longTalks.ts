import type { ChatConfig } from '../../src/engine/chat/settings/config.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { scriptedHouse, type ScriptedHouse } from '../support/host/scriptedHouse.js';
import { Windows } from '../support/host/window.js';
import { WORDS } from '../support/engine/words.js';

/** A chat in a window of its own, with a model that says what it is told to. */
export interface Talk {
  readonly house: ScriptedHouse;
  readonly session: ChatSession;
  readonly windows: Windows;
}

/** Most requests between two messages: a topic, and a summary with its parts. */
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

/** Says `text`; the model answers `answer`, and gives summaries of a few that hold nothing of what was said. */
export async function exchange({ house, session }: Talk, turn: number, text: string, answer: string): Promise<void> {
  house.replies.length = 0;
  house.replies.push([{ text: answer }], ...Array.from({ length: MOST_ASKED }, () => [{ text: prose(turn, 30) }]));
  await session.conversation.send(text);
  await session.compactor.settled();
}

/** `count` words that differ from turn to turn, in sentences. */
export function prose(turn: number, count: number): string {
  const words = Array.from({ length: count }, (_, index) => WORDS[(turn * 31 + index * 7) % WORDS.length] ?? '');
  return words.map((word, index) => (index % 12 === 11 ? `${word}.` : word)).join(' ');
}
