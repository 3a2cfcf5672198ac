import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { ChatState } from '../../../src/engine/chat/state.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import type { SummaryEntry } from '../../../src/protocol/panel/entries.js';
import { ANY_MODEL } from '../../../webview/preview/views.js';
import { scriptedHouse, type ScriptedHouse } from './scriptedHouse.js';
import type { Window, Windows } from './window.js';

export interface LongTalk {
  readonly house: ScriptedHouse;
  readonly window: Window;
  readonly session: ChatSession;
}

/** About as many tokens as a short page. */
export const PAGE = 'The tide tables of the harbour are read every hour. '.repeat(20);

/** A rule in the user's first message. No summary in these tests contains it. */
export const RULE = 'You must never change the tide tables.';

/** A chat of `Question 1`, `Answer 1` and so on, without automatic summaries. `RULE` is in the first question. */
export async function longTalk(windows: Windows, exchanges: number, options: Parameters<Windows['open']>[0]): Promise<LongTalk> {
  const house = await scriptedHouse('openai-compatible', {});
  const config: Partial<ChatConfig> = { model: house.large, compaction: 'off', ...options.config };
  const { window, session } = await windows.openChat({ ...options, sources: [house.source], config });
  for (let number = 1; number <= exchanges; number += 1) {
    house.replies.push([{ text: `Answer ${String(number)}. ${PAGE}` }]);
    await session.conversation.send(`Question ${String(number)}.${number === 1 ? ` ${RULE}` : ''}`);
  }
  return { house, window, session };
}

/** Replaces the messages up to `upTo` (null: all) with a summary `text`. */
export async function summarize({ house, session }: LongTalk, upTo: string | null, text: string): Promise<void> {
  house.replies.push([{ text }]);
  await session.compactor.summarize(upTo);
}

export function messagesIn(body: string | undefined): string {
  return JSON.stringify((JSON.parse(body ?? '{"messages":[]}') as { readonly messages: unknown }).messages);
}

export function summariesShown(state: ChatState): readonly SummaryEntry[] {
  return new EntryViews(() => ANY_MODEL).derive(state, 1_000).entries.filter((entry) => entry.kind === 'summary');
}
