import { lastReply } from '../chat/branch.js';
import type { AssistantMessage, Message, SummaryMessage } from '../chat/message/message.js';
import { replyText } from '../chat/message/reply.js';
import type { AttemptState } from '../chat/slices/attempts.js';
import { activeCompaction, type KnownCompaction } from '../chat/slices/compaction.js';
import type { ChatState } from '../chat/state.js';
import { isMessageItem, messagesOf } from '../chat/timeline.js';
import { compacted } from '../chat/checkpoint.js';
import { messageBehind, SUMMARY_KEY, summaryKey } from '../request/gather.js';
import { manifestBlocksOf } from '../request/rebuild.js';
import type { ManifestBlock } from '../record/manifest.js';
import { figureValue, inputTokens, usageOfOneRequest, type Usage } from '../model/usage.js';
import { scaledTokens } from '../record/requestSize.js';
import { sumTokens } from '../sumTokens.js';

/*
 * How much of the model's context window is used after a message, computed from the log and never stored. The result is
 * the same for a running chat, a loaded chat, and a chat with only its end loaded.
 */

/** The context used after a reply: the request's input, and the reply, which becomes a part of the next input. */
export interface ReplyWindow {
  readonly kind: 'reply';
  readonly attemptId: string;
  /** Input and output tokens together; null when one of the two figures is unknown. */
  readonly tokens: number | null;
  readonly usage: Usage | null;
}

/** The context used after a summary, before the next reply. */
export interface SummaryWindow {
  readonly kind: 'summary';
  /** `summary` and `kept` together; null when `kept` is null. */
  readonly tokens: number | null;
  /** Output tokens of the summary's request, or the tokens of the summary's text if the user changed the text. */
  readonly summary: number;
  /** Tokens of pinned messages and of messages after the summary. Null when the latest reply's output is unknown. */
  readonly kept: number | null;
}

export type ContextWindow = ReplyWindow | SummaryWindow;

/** Reads the blocks of an attempt's request, like `manifestBlocksOf`. */
export type ReadBlocks = (attempt: AttemptState, attempts: ChatState['attempts']) => readonly ManifestBlock[] | null;

/**
 * Returns the context used after the latest message; null before the first reply. In a turn with several steps, only
 * the latest step counts, not the sum of all steps. Titles, requests for summaries and rolled-back runs are ignored. If
 * a summary follows the latest reply, the result is the context used after the summary.
 */
export function contextWindow(state: ChatState, read: ReadBlocks): ContextWindow | null {
  const reply = lastReply(state);
  if (reply === null) {
    return null;
  }
  const { timeline } = state;
  const active = activeCompaction(state);
  const at = timeline.findLastIndex((item) => isMessageItem(item, active?.summaryId ?? ''));
  const summary = timeline[at];
  const isNew = at > timeline.findLastIndex((item) => isMessageItem(item, reply.id));
  return active !== null && isNew && summary?.kind === 'message' && summary.message.role === 'summary'
    ? summaryWindow(summarySize(summary.message, summary.runId, active, state), keptBeside(active, reply, { state, read }))
    : replyWindow(reply, state);
}

/** Returns the tokens of `contextWindow`; null before the first reply, and when unknown. */
export function contextWindowTokens(state: ChatState): number | null {
  return contextWindow(state, manifestBlocksOf)?.tokens ?? null;
}

/** Returns the context used after a reply of the conversation. Null for a reply that an edit or retry removed. */
export function windowAfterReply(attemptId: string, state: ChatState): ReplyWindow | null {
  const { timeline } = state;
  const at = timeline.findLastIndex(
    (item) => item.kind === 'message' && item.message.role === 'assistant' && item.message.attemptId === attemptId,
  );
  const reply = at === -1 ? null : lastReply({ ...state, timeline: timeline.slice(0, at + 1) });
  return reply?.attemptId === attemptId ? replyWindow(reply, state) : null;
}

/**
 * Returns the context used after a summary, as counted in the first request with the summary. Before that request, the
 * result equals `contextWindow`. Null for a summary that was undone, or replaced before a request used it.
 */
export function windowAfterSummary(summaryId: string, state: ChatState, read: ReadBlocks): SummaryWindow | null {
  const { timeline, compactions } = state;
  const at = timeline.findLastIndex((item) => isMessageItem(item, summaryId));
  const item = timeline[at];
  const compaction = [...compactions.values()].find((each) => each.summaryId === summaryId);
  if (item?.kind !== 'message' || item.message.role !== 'summary' || compaction === undefined || compaction.isUndone) {
    return null;
  }
  const behind = messagesOf(timeline.slice(at + 1));
  const held = firstWithSummary(behind, state, read);
  if (held === null) {
    const now = contextWindow(state, read);
    return now?.kind === 'summary' && activeCompaction(state)?.id === compaction.id ? now : null;
  }
  if (!holdsSummary(held, summaryKey(compaction.id))) {
    return null;
  }
  const later = new Set(behind.map(({ id }) => id));
  const kept = held.filter((block) => isOf(block, (id) => !later.has(id)));
  return summaryWindow(summarySize(item.message, item.runId, compaction, state), sumTokens(kept));
}

/**
 * Returns the blocks of the first request that contains a summary, possibly a later summary. The request of a reply can
 * be older than the summary, although the reply comes after the summary.
 */
function firstWithSummary(messages: readonly Message[], state: ChatState, read: ReadBlocks): readonly ManifestBlock[] | null {
  for (const message of messages) {
    const blocks = message.role === 'assistant' ? blocksOf(message, state, read) : [];
    if (holdsSummary(blocks, SUMMARY_KEY)) {
      return blocks;
    }
  }
  return null;
}

function holdsSummary(blocks: readonly ManifestBlock[], begin: string): boolean {
  return blocks.some(({ key }) => key.startsWith(begin));
}

function replyWindow({ attemptId }: AssistantMessage, { attempts }: ChatState): ReplyWindow {
  const billed = attempts.get(attemptId)?.end?.usage ?? null;
  const usage = usageOfOneRequest(billed);
  const input = usage === null ? null : inputTokens(usage);
  const output = usage === null ? null : figureValue(usage.completionTokens);
  return { kind: 'reply', attemptId, usage: billed, tokens: input === null || output === null ? null : input + output };
}

function summaryWindow(summary: number, kept: number | null): SummaryWindow {
  return { kind: 'summary', summary, kept, tokens: kept === null ? null : summary + kept };
}

/**
 * Returns the tokens of the messages that remain in addition to a summary: their blocks in the latest reply's request,
 * and the reply's output if the reply is kept. Later messages are not included, because no request contains them yet.
 */
function keptBeside(
  active: KnownCompaction,
  reply: AssistantMessage,
  { state, read }: { readonly state: ChatState; readonly read: ReadBlocks },
): number | null {
  const { timeline } = state;
  const pinned = new Set(compacted(state).pinned.map(({ id }) => id));
  const blocks = blocksOf(reply, state, read);
  const isBehind =
    timeline.findIndex((item) => isMessageItem(item, active.to)) < timeline.findIndex((item) => isMessageItem(item, reply.id));
  // Messages after the last replaced message (`active.to`) remain. If an earlier summary already replaced that message,
  // the request does not contain it. `replaced` is then -1, and all messages of the request remain.
  const replaced = blocks.findLastIndex((block) => isOf(block, (id) => id === active.to));
  const kept = blocks.filter((block, at) => isOf(block, (id) => pinned.has(id) || (isBehind && at > replaced)));
  if (!isBehind && !pinned.has(reply.id)) {
    return sumTokens(kept);
  }
  const output = state.attempts.get(reply.attemptId)?.end?.usage?.completionTokens ?? null;
  return output === null ? null : sumTokens(kept) + output.value;
}

function blocksOf({ attemptId }: AssistantMessage, { attempts }: ChatState, read: ReadBlocks): readonly ManifestBlock[] {
  const attempt = attempts.get(attemptId);
  return (attempt === undefined ? null : read(attempt, attempts)) ?? [];
}

function isOf(block: ManifestBlock, fits: (messageId: string) => boolean): boolean {
  const id = messageBehind(block);
  return id !== null && fits(id);
}

/** Returns the output tokens of a summary's request, or the tokens of the summary's text if the user changed it. */
function summarySize({ text }: SummaryMessage, runId: string | null, { tokens }: KnownCompaction, { runs, attempts }: ChatState): number {
  const run = runId === null ? undefined : runs.get(runId);
  const attempt = attempts.get(run?.attemptIds.at(-1) ?? '');
  const isAsWritten = attempt !== undefined && replyText(attempt.reply).trim() === text;
  return (isAsWritten ? attempt.end?.usage?.completionTokens?.value : null) ?? tokens.after;
}

/**
 * Returns the tokens of a compaction on the scale of the provider: corrected like the request for the summary, or like
 * the last reply for a summary without a request. `runId`: the run that wrote the summary, or null.
 */
export function correctedTokens(
  { before, after }: KnownCompaction['tokens'],
  runId: string | null,
  state: ChatState,
): KnownCompaction['tokens'] {
  const attempt = state.runs.get(runId ?? '')?.attemptIds.at(-1) ?? lastReply(state)?.attemptId;
  const size = state.attempts.get(attempt ?? '')?.manifest.size;
  const corrected = (tokens: number): number => (size === undefined ? tokens : scaledTokens(tokens, size));
  return { before: corrected(before), after: corrected(after) };
}
