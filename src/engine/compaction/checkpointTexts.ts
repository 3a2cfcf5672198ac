import { splitAtCheckpoint } from '../chat/checkpoint.js';
import { excludedParts, withoutExcluded } from '../chat/excludedParts.js';
import type { SentMessage } from '../chat/message/message.js';
import { activeCompaction } from '../chat/slices/compaction.js';
import type { ChatState } from '../chat/state.js';
import { SUMMARY_HEADING } from '../chat/summaryHeading.js';
import { failure } from '../errors.js';
import type { Pause, TokenCounter } from '../ports.js';
import type { MessageFacts } from './facts/messageFacts.js';
import { survivorsOf, withSurvivors } from './facts/survivors.js';
import type { MessageTokens } from './neededAgainReader.js';
import { openMessages, type Range } from './range.js';
import { summaryBudget } from './summaryBudget.js';

export interface CheckpointText {
  readonly text: string;
  /** Lines that Loupe added to the summary and keeps word for word. */
  readonly lines: readonly string[];
  readonly tokens: { readonly before: number; readonly after: number };
}

export interface CheckpointTexts {
  /** The maximum number of tokens of the summary. */
  readonly mostTokens: number;
  /** Returns the text of a checkpoint with this summary. Throws if it is not shorter than the replaced messages. */
  readonly finish: (summary: string) => CheckpointText;
  /** Returns the text of a checkpoint without a summary: `note`, and the facts that must not be lost. */
  readonly leftOut: (note: string) => CheckpointText;
}

/** Returns the messages to summarize and the first message after them. Omits excluded messages. Throws without any. */
export function summarized(range: Range, state: ChatState): Pick<Range, 'messages' | 'next'> {
  const open = openMessages(state);
  const excluded = excludedParts({ pinned: [], messages: open }, state);
  const messages = withoutExcluded(range.messages, excluded).filter(hasParts);
  if (messages.length === 0) {
    throw failure('chat.nothingToSummarize');
  }
  const later = range.next === null ? [] : open.slice(open.findIndex(({ id }) => id === range.next?.id));
  return { messages, next: withoutExcluded(later, excluded).find(hasParts) ?? null };
}

function hasParts({ parts }: SentMessage): boolean {
  return parts.length > 0;
}

/** Returns the texts that can replace the summarized messages, with at most `most` tokens. */
export async function checkpointTexts(
  state: ChatState,
  messages: readonly SentMessage[],
  { tokens, counter, most }: Pick<MessageTokens, 'tokens' | 'counter'> & { readonly most: number },
  { facts, pause }: { readonly facts: MessageFacts; readonly pause: Pause },
): Promise<CheckpointTexts> {
  const { checkpoint } = splitAtCheckpoint(state);
  const before = tokens.reduce((sum, each) => sum + each, checkpoint === null ? 0 : checkpointTokens(checkpoint.text, counter));
  const mostTokens = Math.min(summaryBudget(before), most);
  for (const message of messages) {
    await facts.read(message, pause);
  }
  const survivors = survivorsOf(messages, activeCompaction(state)?.lines ?? [], facts);
  const leftOut = (note: string): CheckpointText => {
    const { text, lines } = withSurvivors(note, survivors, { tokens: mostTokens - counter.count(note), counter });
    return { text, lines, tokens: { before, after: checkpointTokens(text, counter) } };
  };
  const finish = (summary: string): CheckpointText => {
    const made = leftOut(summary);
    if (made.tokens.after >= before) {
      throw failure('summary.tooLong');
    }
    return made;
  };
  return { mostTokens, finish, leftOut };
}

export function checkpointTokens(text: string, counter: TokenCounter): number {
  return counter.count(`${SUMMARY_HEADING}\n\n${text}`);
}
