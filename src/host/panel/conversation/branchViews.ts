import { sumReplyUsage } from '../../../engine/accounting/runCost.js';
import type { ReplyUsage } from '../../../engine/model/usage.js';
import type { AccountingMessage } from '../../../engine/chat/message/message.js';
import type { RunsState } from '../../../engine/chat/slices/runs.js';
import { turnVersions, type TurnVersions } from '../../../engine/chat/versions.js';
import type { AccountingEntry, EntryView } from '../../../protocol/panel/entries.js';
import type { ResentMessage } from '../../../engine/chat/slices/slice.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { type BranchState, type Timeline, type TimelineItem, isMessageItem } from '../../../engine/chat/timeline.js';
import { counted, price, priceInWords } from '../../../protocol/numbers.js';
import { entryId, isShown } from '../../../engine/chat/shownMessages.js';

export interface OutlineEntry {
  readonly id: string;
  /** Whether the entry is a user or model message. False for notes. */
  readonly isMessage: boolean;
  readonly derive: () => EntryView;
}

interface ShownPart {
  readonly timeline: Timeline;
  /** Whether this part contains the beginning of the chat. */
  readonly isFirst: boolean;
}

/** Adds a line after the messages that a fork copied. Not in an imported chat: its parent is in another workspace. */
export function withFork(outline: OutlineEntry[], state: ChatState, { timeline, isFirst }: ShownPart): OutlineEntry[] {
  const { parent, importedFrom } = state;
  if (parent === null || importedFrom !== null) {
    return outline;
  }
  const { chatId, messageId, sentAgain } = parent;
  const note: OutlineEntry = {
    id: 'fork',
    isMessage: false,
    derive: () => ({
      kind: 'fork',
      id: 'fork',
      chatId,
      messageId,
      sentAgain:
        sentAgain === undefined ? null : { text: sentAgainText(sentAgain, answerOf(sentAgain, state)), attemptId: sentAgain.attemptId },
    }),
  };
  const lastId = sentAgain === undefined ? messageId : sentAgain.after;
  if (lastId === null) {
    return isFirst ? [note, ...outline] : outline;
  }
  const shown = timeline.flatMap((item) => (item.kind === 'message' && isShown(item.message) ? [item.message] : []));
  const last = shown.find((message) => message.id === lastId || entryId(message) === lastId);
  return last === undefined ? outline : outline.flatMap((entry) => (entry.id === entryId(last) ? [entry, note] : [entry]));
}

/** Returns the usage of the first run after the copied messages. Null until the run has ended. */
function answerOf({ after }: ResentMessage, { timeline, runs, attempts }: ChatState): ReturnType<typeof sumReplyUsage> | null {
  const at = after === null ? -1 : timeline.findIndex((item) => isMessageItem(item, after));
  const answering = timeline.slice(at + 1).find((item) => item.kind === 'run' && runs.get(item.runId)?.userMessageId !== null);
  const run = answering?.kind === 'run' ? runs.get(answering.runId) : undefined;
  return run === undefined || run.status === 'running' ? null : sumReplyUsage(run.attemptIds.flatMap((id) => attempts.get(id) ?? []));
}

/** Returns `Sent again without AGENTS.md: $0.0123 instead of $0.0456`. Without prices while `answer` is null. */
export function sentAgainText({ change, instead }: Pick<ResentMessage, 'change' | 'instead'>, answer: ReplyUsage | null): string {
  const said = `Sent again ${change}`;
  return answer === null ? said : `${said}: ${compared(answer, instead)}`;
}

/** Compares the prices of both replies if known, otherwise the tokens. */
function compared(answer: ReplyUsage, instead: ReplyUsage): string {
  if (answer.usd === null || instead.usd === null) {
    return `${atLeast(counted(answer.tokens, 'token'), answer)} instead of ${atLeast(counted(instead.tokens, 'token'), instead)}`;
  }
  const words = `${atLeast(price(answer.usd), answer)} instead of ${atLeast(price(instead.usd), instead)}`;
  return instead.isPretended && !answer.isPretended ? `${words} (not billed)` : priceInWords(words, answer.isPretended);
}

function atLeast(written: string, { isAtLeast }: ReplyUsage): string {
  return isAtLeast ? `at least ${written}` : written;
}

export function accountingEntry(message: AccountingMessage): AccountingEntry {
  const { id, reason, discardedMessages, totals: soFar, discarded = null, isAfterError, rewindId } = message;
  return { kind: 'accounting', id, reason, isAfterError: isAfterError === true, discardedMessages, discarded, soFar, rewindId };
}

/** Keeps only the last of several version switches in a row, because the user can undo only the last switch. */
export function withLastReturns(timeline: Timeline): Timeline {
  return timeline.filter((item, at) => !isReturn(item) || !isReturn(timeline[at + 1]));
}

function isReturn(item: TimelineItem | undefined): boolean {
  return item?.kind === 'message' && item.message.role === 'accounting' && item.message.reason === 'broughtBack';
}

/** Caches the versions of turns. They change only after rewinds and runs, so streaming does not compute them again. */
export class VersionViews {
  #key = '';
  #rewinds: BranchState['rewinds'] | null = null;
  #known: ReadonlyMap<string, TurnVersions> = new Map();

  /** Returns the versions by id of the user message. */
  of(state: BranchState & RunsState): ReadonlyMap<string, TurnVersions> {
    const key = `${String(state.rewinds.size)} ${String(state.runs.size)}`;
    if (this.#key !== key || this.#rewinds !== state.rewinds) {
      this.#known = turnVersions(state);
      this.#key = key;
      this.#rewinds = state.rewinds;
    }
    return this.#known;
  }
}
