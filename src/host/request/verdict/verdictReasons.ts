import { figureValue } from '../../../engine/model/usage.js';
import { assertNever } from '../../../engine/assertNever.js';
import type { Cause, ItemChange } from '../../../engine/diagnosis/cause.js';
import type { Diagnosis } from '../../../engine/diagnosis/diagnosis.js';
import type { FirstDifference } from '../../../engine/diagnosis/firstDifference.js';
import type { PastRequest } from '../../../engine/request/pastRequest.js';
import { counted, tokens } from '../../../protocol/numbers.js';

/** Explains the cost of a request, as the end of a sentence after a colon. `input`: number of input tokens. */
export function reasonOf({ cause, again, read, difference }: Diagnosis, { attempt, blocks }: PastRequest, input: number): string {
  // A cache that fills automatically has no price for writes, so its content is called "sent uncached".
  const isWritten = (figureValue(attempt.end?.usage?.cacheCreationInputTokens ?? null) ?? 0) > 0;
  const how = isWritten ? 'written to the cache again' : 'sent uncached';
  const anew = `${counted(again, 'token')} ${how}`;
  const isAbove = difference !== null && isAboveConversation(difference, blocks);
  switch (cause.kind) {
    case 'expired':
      return `the cache had expired, ${counted(again, 'token')} ${again === 1 ? 'was' : 'were'} ${how}.`;
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
      return `${anew} because ${whatChanged(cause, isAbove)}.`;
    default:
      return nothingLost(cause, read, input);
  }
}

/** Explains the cost of a request that lost no cached content. */
function nothingLost(
  cause: Extract<Cause, { readonly kind: 'first' | 'alone' | 'held' | 'notAsked' | 'noCache' | 'belowMinimum' }>,
  read: number | null,
  input: number,
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
      return 'nothing of this request was in the cache yet.';
    case 'alone':
      return 'this is a separate request, and nothing of it was in the cache.';
    case 'notAsked':
      return 'Loupe requested no caching.';
    case 'noCache':
      return 'the provider caches nothing.';
    case 'belowMinimum':
      return `the provider caches nothing shorter than ${tokens(cause.minimumTokens)} tokens.`;
    default:
      return assertNever(cause);
  }
}

/** Returns a percentage: `91 %`. Never rounds up to 100 % or down to 0 %. */
export function share(part: number, whole: number): string {
  const rounded = Math.round((part / whole) * 100);
  return `${String(part < whole ? Math.min(99, Math.max(1, rounded)) : 100)} %`;
}

function providerReason(anew: string, again: number, rulesAreKnown: boolean): string {
  if (again === 0) {
    return 'the provider had cached nothing of the previous request.';
  }
  return `${anew} although no earlier content differs${rulesAreKnown ? ' and the cache had not expired' : ''}.`;
}

function whatChanged(
  cause: Extract<Cause, { readonly kind: 'edited' | 'item' | 'tools' | 'systemPrompt' | 'laidOutAnew' | 'callsForgotten' | 'otherForm' }>,
  isAbove: boolean,
): string {
  switch (cause.kind) {
    case 'edited':
      return cause.what === 'message' ? 'an earlier message was edited' : 'an earlier reply was replaced';
    case 'item':
      return `${cause.name} ${ITEM_CHANGES[cause.change]}${isAbove && cause.change === 'changed' ? ' above the conversation' : ''}`;
    case 'tools':
      return 'the tool list changed';
    case 'systemPrompt':
      return cause.fragment === null ? 'the system prompt changed' : `the instructions from ${cause.fragment} changed`;
    case 'laidOutAnew':
      return cause.layout === null ? 'the prompt was rebuilt' : 'the prompt layout was changed';
    case 'callsForgotten':
      return 'Loupe removed old tool calls';
    case 'otherForm':
      return 'a part of an earlier message was sent in another form';
    default:
      return assertNever(cause);
  }
}

const ITEM_CHANGES: Readonly<Record<ItemChange, string>> = {
  changed: 'changed',
  cut: 'was cut in another way to fit',
  picked: 'matches this message, but not the previous one',
  unpicked: 'matches the previous message, but not this one',
  added: 'was added',
  removed: 'was removed',
};

/** Returns whether the whole conversation comes after the block. */
function isAboveConversation({ at }: FirstDifference, blocks: PastRequest['blocks']): boolean {
  const first = blocks.findIndex(({ category }) => category === 'conversation');
  return first !== -1 && at < first;
}
