import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { ChatState } from '../../../src/engine/chat/state.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import type { SummaryEntry } from '../../../src/protocol/panel/compaction.js';
import { ANY_MODEL } from '../../../webview/preview/views.js';
import { scriptedHouse, type ScriptedHouse } from './scriptedHouse.js';
import type { Window, Windows } from './window.js';

/** A chat whose messages are long enough for a summary, and the model that answers and summarizes as it is told to. */
export interface LongTalk {
  readonly house: ScriptedHouse;
  readonly window: Window;
  readonly session: ChatSession;
}

/** About as many tokens as a short page. */
export const PAGE = 'The tide tables of the harbour are read every hour. '.repeat(20);

/** What the user demands in the first message. No summary of these tests says it. */
export const RULE = 'You must never change the tide tables.';

/** A chat of some exchanges, `Question 1` with `Answer 1`, and so on; the first question holds `RULE`. Nothing is summarized by itself. */
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

/** Replaces the conversation up to a message (all of it for null) by a summary that says `text`. */
export async function summarize({ house, session }: LongTalk, upTo: string | null, text: string): Promise<void> {
  house.replies.push([{ text }]);
  await session.compactor.summarize(upTo);
}

/** The messages of a request, as text. */
export function messagesIn(body: string | undefined): string {
  return JSON.stringify((JSON.parse(body ?? '{"messages":[]}') as { readonly messages: unknown }).messages);
}

/** The summaries as the panel shows them. */
export function summariesShown(state: ChatState): readonly SummaryEntry[] {
  return new EntryViews(() => ANY_MODEL)
    .derive(state, 1_000)

    .entries.filter((entry) => entry.kind === 'summary');
}
