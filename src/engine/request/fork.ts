import { failure } from '../errors.js';
import type { ForkContent } from '../chat/slices/slice.js';
import { type SentMessage, isSent } from '../chat/message/message.js';
import { type NewEvent, SLICES } from '../chat/slices/table.js';
import type { WholeChat } from '../chat/state.js';
import { messagesOf } from '../chat/timeline.js';
import { transcript } from '../chat/transcript.js';
import type { AttemptState } from '../chat/slices/attempts.js';
import { differenceTo } from '../record/difference.js';
import { BLOCK_COMPARISON, CONTEXT_COMPARISON, FORGOTTEN_COMPARISON, type Manifest } from '../record/manifest.js';
import { manifestContentOf, NO_CONTENT } from './rebuild.js';

type Attempts = ReadonlyMap<string, AttemptState>;

/**
 * Returns the attempts of the copied replies, by id. Their manifests refer only to each other. Other attempts are not
 * copied: their requests refer to content that the fork does not contain.
 */
function inheritedAttempts(replies: readonly string[], attempts: Attempts): Attempts {
  const copied = new Set(replies);
  return new Map(
    [...attempts.values()].flatMap((attempt) =>
      copied.has(attempt.id) ? [[attempt.id, { ...attempt, manifest: rebaseManifest(attempt, attempts, copied) }] as const] : [],
    ),
  );
}

/** Returns the manifest as a difference to the nearest copied manifest, or in full. Keeps a damaged manifest. */
function rebaseManifest(attempt: AttemptState, attempts: Attempts, copied: ReadonlySet<string>): Manifest {
  const { manifest } = attempt;
  if (manifest.base === null || copied.has(manifest.base)) {
    return manifest;
  }
  const base = nearestCopied(attempt, attempts, copied);
  const after = manifestContentOf(attempt, attempts);
  const before = base === null ? NO_CONTENT : manifestContentOf(base, attempts);
  if (after === null || before === null) {
    return manifest;
  }
  const forgotten =
    after.forgotten.length === 0 ? {} : { forgotten: differenceTo(before.forgotten, after.forgotten, FORGOTTEN_COMPARISON) };
  const { forgotten: _forgotten, ...rest } = manifest;
  return {
    ...rest,
    base: base?.id ?? null,
    blocks: differenceTo(before.blocks, after.blocks, BLOCK_COMPARISON),
    context: differenceTo(before.context, after.context, CONTEXT_COMPARISON),
    ...forgotten,
  };
}

function nearestCopied({ manifest }: AttemptState, attempts: Attempts, copied: ReadonlySet<string>): AttemptState | null {
  let { base } = manifest;
  while (base !== null) {
    const attempt = attempts.get(base);
    if (attempt === undefined || copied.has(base)) {
      return attempt ?? null;
    }
    ({ base } = attempt.manifest);
  }
  return null;
}

type Fork = (state: WholeChat, copied: ForkContent) => readonly NewEvent[];

/**
 * Returns the first events of a fork: the events that each slice copies, and the conversation up to message or attempt
 * `id`. Throws `invalidInput` when `id` is not part of the conversation.
 */
export function forkEvents(chat: WholeChat, id: string): NewEvent[] {
  return copyEvents(chat, messagesUpTo(transcript(chat).messages, id));
}

/** Returns the first events of a fork that ends before user message `id`. Throws `invalidInput` if `id` is unknown. */
export function forkEventsBefore(chat: WholeChat, id: string): NewEvent[] {
  const sent = transcript(chat).messages;
  const at = sent.findIndex((message) => message.id === id);
  if (at === -1) {
    throw failure('chat.notForkable');
  }
  return copyEvents(chat, sent.slice(0, at));
}

function copyEvents(chat: WholeChat, sent: readonly SentMessage[]): NewEvent[] {
  const replies = sent.flatMap((message) => (message.role === 'assistant' ? [message.attemptId] : []));
  const attempts = inheritedAttempts(replies, chat.attempts);
  const copied: ForkContent = { chatId: chat.chatId, messages: withSummaries(chat, sent), attempts: new Set(attempts.keys()) };
  return Object.values(SLICES).flatMap(({ fork }) => (fork as Fork)({ ...chat, attempts }, copied));
}

/** Returns `sent`, and each summary that replaces only messages of `sent`, in the order of the chat. */
function withSummaries({ timeline, compactions }: WholeChat, sent: readonly SentMessage[]): ForkContent['messages'] {
  const ids = new Set(sent.map((message) => message.id));
  const summaries = new Set(
    [...compactions.values()].flatMap(({ to, summaryId, isUndone }) => (ids.has(to) && !isUndone ? [summaryId] : [])),
  );
  return messagesOf(timeline).flatMap((message) =>
    (isSent(message) && ids.has(message.id)) || (message.role === 'summary' && summaries.has(message.id)) ? [message] : [],
  );
}

function messagesUpTo(sent: readonly SentMessage[], id: string): readonly SentMessage[] {
  const at = sent.findIndex((message) => message.id === id || ('attemptId' in message && message.attemptId === id));
  if (at === -1) {
    throw failure('chat.notForkable');
  }
  // Also copies the results of the tool calls of the last message.
  const after = sent.findIndex((message, index) => index > at && message.role !== 'tool-results');
  return sent.slice(0, after === -1 ? sent.length : after);
}
