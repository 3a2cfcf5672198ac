import { figureValue } from '../../../engine/model/usage.js';
import { assertNever } from '../../../engine/assertNever.js';
import type { Cause } from '../../../engine/diagnosis/cause.js';
import type { Diagnosis } from '../../../engine/diagnosis/diagnosis.js';
import type { FirstDifference } from '../../../engine/diagnosis/firstDifference.js';
import type { PastRequest } from '../../../engine/request/pastRequest.js';
import { counted, tokens } from '../../../protocol/numbers.js';
import { changeInWords } from '../../../protocol/uncached.js';

/** Explains the cost of a request, as the end of a sentence after a colon. `input`: number of input tokens. */
export function reasonOf({ cause, again, read, difference, before }: Diagnosis, { attempt, blocks }: PastRequest, input: number): string {
  // A cache that fills automatically has no price for writes, so its content is called "sent uncached".
  const isWritten = (figureValue(attempt.end?.usage?.cacheCreationInputTokens ?? null) ?? 0) > 0;
  const how = isWritten ? 'written to the cache again' : 'sent uncached';
  const anew = `${counted(again, 'token')} ${how}`;
  const isAbove = difference !== null && isAboveConversation(difference, blocks);
  switch (cause.kind) {
    case 'expired':
      return `${anew} because the cache expired in a pause of ${pauseInWords(cause.idleMs)}.`;
    case 'compacted':
      return cause.isUndone ? `${anew} because the summary was undone.` : `${anew} after the summary, as planned.`;
    case 'provider':
      return providerReason(anew, again, cause.rulesAreKnown);
    case 'modelChanged':
      return `${anew} because the model was changed.`;
    case 'marks':
      return `${anew} because the breakpoints of this request do not reach the cached content.`;
    case 'parameters':
      return `${anew} because the settings of the model were changed.`;
    case 'edited':
    case 'item':
    case 'tools':
    case 'systemPrompt':
    case 'laidOutAnew':
    case 'callsForgotten':
    case 'otherForm':
      return `${anew} because ${changeInWords(cause)}${isAbove && cause.kind === 'item' && cause.change === 'changed' ? ' above the conversation' : ''}.`;
    default:
      return nothingLost(cause, { read, input, isFirst: before === null });
  }
}

/** Explains the cost of a request that lost no cached content. */
function nothingLost(
  cause: Extract<Cause, { readonly kind: 'first' | 'alone' | 'held' | 'notAsked' | 'noCache' | 'belowMinimum' }>,
  { read, input, isFirst }: { readonly read: number | null; readonly input: number; readonly isFirst: boolean },
): string {
  if (read === null) {
    return 'the provider does not report what it read from its cache.';
  }
  if (read > 0) {
    return `${share(read, input)} came from the cache, the rest is new.`;
  }
  switch (cause.kind) {
    case 'first':
    case 'held':
      return isFirst
        ? 'this is the first request of the chat, so nothing was in the cache yet.'
        : 'nothing of this request was in the cache yet.';
    case 'alone':
      return 'this is a separate request, and nothing of it was in the cache.';
    case 'notAsked':
      return 'the chat setting "Cache" excluded this content from the cache.';
    case 'noCache':
      return 'the model has no cache.';
    case 'belowMinimum':
      return input < cause.minimumTokens
        ? `the request is too short, as the model caches from ${tokens(cause.minimumTokens)} tokens on.`
        : `the request before was too short, as the model caches from ${tokens(cause.minimumTokens)} tokens on.`;
    default:
      return assertNever(cause);
  }
}

/** Returns a percentage: `91%`. Never rounds up to 100% or down to 0%. */
export function share(part: number, whole: number): string {
  const rounded = Math.round((part / whole) * 100);
  return `${String(part < whole ? Math.min(99, Math.max(1, rounded)) : 100)}%`;
}

function providerReason(anew: string, again: number, rulesAreKnown: boolean): string {
  if (again === 0) {
    return 'the provider had cached nothing of the previous request.';
  }
  return `${anew} although no earlier content differs${rulesAreKnown ? ' and the cache had not expired' : ''}.`;
}

/** Returns a pause in whole minutes, hours or days: `12 min`, `3 h`, `2 days`. */
function pauseInWords(ms: number): string {
  const inMinutes = Math.round(ms / 60_000);
  const hours = Math.round(inMinutes / 60);
  return inMinutes < 90 ? `${String(inMinutes)} min` : hours < 48 ? `${String(hours)} h` : `${String(Math.round(hours / 24))} days`;
}

/** Returns whether the whole conversation comes after the block. */
function isAboveConversation({ at }: FirstDifference, blocks: PastRequest['blocks']): boolean {
  const first = blocks.findIndex(({ category }) => category === 'conversation');
  return first !== -1 && at < first;
}
