import type { ContentCause, ItemChange, ToolChanges } from '../engine/diagnosis/cause.js';
import type { CacheWay, UncachedReason } from '../engine/next/uncachedReason.js';
import { tokens } from './numbers.js';

export type { CacheWay };

/* Why a request reads nothing from the provider's cache, in words for host and views. */

/** Why the next request reads nothing, or only little, from the cache, and what the user can do. */
export interface UncachedView {
  readonly reason: UncachedReason;
  /** The cheapest change of the chat's settings that helps. Null if none does. */
  readonly way: CacheWay | null;
}

/** Returns the reason as a clause without a full stop. `clock` formats a time in epoch ms: `at 14:02`. */
export function uncachedInWords(reason: UncachedReason, clock: (at: number) => string): string {
  switch (reason.kind) {
    case 'unknown':
      return 'Loupe does not know whether this provider caches';
    case 'noCache':
      return 'this model has no cache';
    case 'off':
      return 'the cache is off in the chat settings';
    case 'tooShort':
      return reason.isSystemOnly
        ? `the chat caches only the system prompt, which is shorter than ${tokens(reason.minimumTokens)} tokens`
        : `the request is too short, as this model caches from ${tokens(reason.minimumTokens)} tokens on`;
    case 'new':
      return reason.isNewChat ? 'this chat is new' : 'nothing of the last request was cached';
    case 'expired':
      return `${reason.isPartly ? 'a part of the cache' : 'the cache'} expired ${clock(reason.at)}`;
    case 'otherModel':
      return 'the last reply came from another model, and each model has its own cache';
    case 'changed':
      return changeInWords(reason.change);
    case 'lost':
      return 'the provider no longer has the last request in its cache, although nothing changed';
  }
}

/** Returns what the user can change in the chat settings, as a sentence. */
export function wayInWords(way: CacheWay): string {
  return WAYS[way];
}

const WAYS: Readonly<Record<CacheWay, string>> = {
  cacheOn: 'To cache the whole conversation, change "Cache" in the chat settings.',
  longer: 'To keep content in the cache for longer, change "Cache lifetime" in the chat settings.',
  inPlace: 'To send changes at the end of the request, change "Prompt layout" in the chat settings.',
};

/** Returns the reason in a few words, for a line with little room: `too short`, `bpe.ts changed`. */
export function uncachedInBrief(reason: UncachedReason): string {
  switch (reason.kind) {
    case 'unknown':
      return 'unknown';
    case 'noCache':
      return 'no cache';
    case 'off':
      return 'turned off';
    case 'tooShort':
      return 'too short';
    case 'new':
      return reason.isNewChat ? 'new chat' : 'first time';
    case 'expired':
      return 'expired';
    case 'otherModel':
      return 'other model';
    case 'changed':
      return BRIEF[reason.change.kind](reason.change);
    case 'lost':
      return 'lost';
  }
}

const BRIEF: Readonly<Record<ContentCause['kind'], (change: ContentCause) => string>> = {
  edited: () => 'edited',
  item: (change) =>
    change.kind === 'item' ? `${change.name.slice(change.name.lastIndexOf('/') + 1)} ${BRIEF_CHANGES[change.change]}` : '',
  tools: () => 'tools changed',
  systemPrompt: () => 'system prompt changed',
  compacted: () => 'summary',
  laidOutAnew: () => 'prompt rebuilt',
  callsForgotten: () => 'tool calls removed',
  otherForm: () => 'message changed',
};

const BRIEF_CHANGES: Readonly<Record<ItemChange, string>> = {
  changed: 'changed',
  cut: 'cut',
  picked: 'picked',
  unpicked: 'not picked',
  added: 'added',
  removed: 'removed',
};

/** Returns what changed in the prompt as a clause: `src/a.ts changed`, `the tools changed: added list`. */
export function changeInWords(change: ContentCause): string {
  switch (change.kind) {
    case 'edited':
      return change.what === 'message' ? 'an earlier message was edited' : 'an earlier reply was replaced';
    case 'item':
      return `${change.name} ${ITEM_CHANGES[change.change]}`;
    case 'tools':
      return toolChangesInWords(change);
    case 'systemPrompt':
      return change.fragment === null ? 'the system prompt changed' : `the instructions from ${change.fragment} changed`;
    case 'compacted':
      return change.isUndone ? 'the summary was undone' : 'a summary replaced earlier messages';
    case 'laidOutAnew':
      return change.layout === null ? 'the prompt was rebuilt' : 'the prompt layout was changed';
    case 'callsForgotten':
      return 'Loupe removed old tool calls';
    case 'otherForm':
      return 'a part of an earlier message was sent in another form';
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

function toolChangesInWords(changes: ToolChanges): string {
  const names = namedChanges(changes);
  return names === '' ? 'the order of the tools changed' : `the tools changed (${names})`;
}

/** Maximum number of tool names in a sentence. */
const MOST_NAMED = 3;

/** Names the changes: `added move, copy, find and 1 more; removed write`. Empty without a change. */
export function namedChanges({ added, removed, changed }: ToolChanges): string {
  return Object.entries({ added, removed, changed })
    .flatMap(([what, names]) => (names.length === 0 ? [] : [`${what} ${namesInWords(names)}`]))
    .join('; ');
}

function namesInWords(names: readonly string[]): string {
  const others = names.length - MOST_NAMED;
  return others > 0 ? `${names.slice(0, MOST_NAMED).join(', ')} and ${String(others)} more` : names.join(', ');
}
