import type { AttemptState } from '../chat/slices/attempts.js';
import type { ChatState } from '../chat/state.js';
import { modelKey } from '../model/modelRef.js';
import type { PlacedBreakpoint } from '../model/prompt.js';
import { usageOfOneRequest } from '../model/usage.js';
import { ManifestContents } from '../request/manifestContents.js';
import { parametersOf, wasAnswered } from '../request/pastRequest.js';
import { cachedRequest, requestParts } from '../request/requestParts.js';
import type { PrefixIds } from '../cache/prefixIds.js';
import type { MonitoredRequest } from './trials.js';

/** Maximum number of answered requests to read of each chat and model. More would delay opening the chat. */
export const MOST_READ = 100;

/** Maximum number of requests of closed chats per model. As many as `charges.ts` compares, and more than `Trials`. */
const MOST_CLOSED = 400;

/** Maximum number of blocks in these requests: half of the prefixes that a model's cache may have in memory. */
const MOST_CLOSED_BLOCKS = 50_000;

/** An answered request, independent of the VS Code window: with hashes of blocks instead of names of prefixes. */
export interface RecordedRequest extends Omit<MonitoredRequest, 'parts'> {
  readonly blocks: readonly { readonly hash: string; readonly tokens: number }[];
  readonly marks: readonly PlacedBreakpoint[];
  /** The tokens of the whole request, as measured before sending. */
  readonly tokens: number;
}

/** Returns null when a manifest of the request's chain is missing. */
export function recordedRequest(attempt: AttemptState, contents: ManifestContents, chatId: string): RecordedRequest | null {
  const content = contents.of(attempt);
  if (content === null) {
    return null;
  }
  const { id, inheritedFrom, startedAt, end, manifest } = attempt;
  return {
    at: startedAt,
    endedAt: end?.at ?? startedAt,
    blocks: content.blocks.map(({ hash, tokens }) => ({ hash, tokens })),
    marks: manifest.marks,
    tokens: manifest.size.tokens,
    usage: usageOfOneRequest(end?.usage ?? null),
    chatId: inheritedFrom ?? chatId,
    attemptId: id,
    parameters: parametersOf(attempt),
  };
}

/** Returns the latest answered requests of a chat, by model key. */
export function recordedRequests({
  chatId,
  attempts,
}: Pick<ChatState, 'chatId' | 'attempts'>): ReadonlyMap<string, readonly RecordedRequest[]> {
  const contents = new ManifestContents(attempts);
  const answered = new Map<string, readonly AttemptState[]>();
  for (const attempt of [...attempts.values()].filter(wasAnswered)) {
    const key = modelKey(attempt.model);
    answered.set(key, [...(answered.get(key) ?? []).slice(1 - MOST_READ), attempt]);
  }
  return new Map(
    [...answered].map(([model, all]) => [model, all.flatMap((attempt) => recordedRequest(attempt, contents, chatId) ?? [])] as const),
  );
}

export function monitoredRequest({ blocks, marks, tokens, ...rest }: RecordedRequest, prefixes: PrefixIds): MonitoredRequest {
  return { ...rest, parts: requestParts(cachedRequest(blocks, marks), tokens, prefixes) };
}

/** Joins the latest requests of closed chats, each once and oldest first. The order of calls makes no difference. */
export function latestRequests(a: readonly RecordedRequest[], b: readonly RecordedRequest[]): readonly RecordedRequest[] {
  const all = [...new Map([...a, ...b].map((request) => [request.attemptId, request])).values()].toSorted(bySending).slice(-MOST_CLOSED);
  let blocks = 0;
  const from = all.findLastIndex((request) => (blocks += request.blocks.length) > MOST_CLOSED_BLOCKS);
  return all.slice(from + 1);
}

type Sent = Pick<MonitoredRequest, 'at' | 'attemptId'>;

/** Sorts by the time of sending, then by id, so that every VS Code window learns the same. */
export function bySending(a: Sent, b: Sent): number {
  return a.at === b.at ? (a.attemptId < b.attemptId ? -1 : 1) : a.at - b.at;
}
