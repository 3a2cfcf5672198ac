import { promptBudget } from '../../../engine/budget/budget.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { ContextRows } from '../../../protocol/panel/requestRows.js';
import type { PanelState } from '../../../protocol/panel/state.js';
import { type InputLimit, replyWindowView } from '../../../engine/accounting/replyWindow.js';
import { inputLimit } from '../shell/modelView.js';
import type { HandlerRoom, RoomHandlers } from '../shell/handles.js';
import { type ChatNow, ofChat, type PanelRoom, type PanelSlices } from '../shell/slice.js';
import { contextRows } from './contextUsed.js';
import { Diagnoses } from '../../../engine/diagnosis/diagnoses.js';
import { uncachedSentence } from '../../request/verdict/verdict.js';

type KnownRows = Omit<ContextRows, 'window'> | null;

/** Derives the next request, and the rows of sent requests. */
export function nextRequestSlices({
  models,
  limits,
  chats: { learned },
}: PanelRoom): PanelSlices<
  'nextRequest' | 'nextRequestRows' | 'exclusionPrices' | 'repeats' | 'neededAgain' | 'contextRows' | 'failedServers' | 'limits'
> {
  // Caches rows by attempt, because the request of an attempt never changes.
  const known = new WeakMap<AttemptState, KnownRows>();
  const diagnoses = new Diagnoses(() => models.list());
  const rowsOf = (attempt: AttemptState, state: ChatState): KnownRows => {
    const found = known.get(attempt);
    if (found !== undefined) {
      return found;
    }
    const rows = contextRows(attempt, state);
    const made = rows === null ? null : { ...rows, uncached: uncachedSentence(attempt, diagnoses.of(state, attempt)) };
    known.set(attempt, made);
    return made;
  };
  return {
    nextRequest: ofChat(['next'], ({ next }) => next.request),
    nextRequestRows: ofChat(['next', 'open'], ({ next, open }) => (open.nextRequest ? next.rows : null)),
    exclusionPrices: ofChat(['next'], ({ next }) => next.exclusionPrices),
    repeats: ofChat(['next'], ({ next }) => next.repeats),
    neededAgain: ofChat(['next'], ({ next }) => next.neededAgain),
    limits: { from: ['window'], derive: limits },
    failedServers: ofChat(['next'], ({ next }) => next.failedServers),
    contextRows: ofChat(['chat', 'window', 'open'], (now) => openRows(now, rowsOf, inputLimit({ providers: models.providers(), learned }))),
  };
}

/** Returns rows by entry id. Only for entries that the user opened, because an entry may have a thousand rows. */
function openRows(
  { session: { state }, shown, open }: ChatNow,
  rowsOf: (attempt: AttemptState, state: ChatState) => KnownRows,
  limitOf: InputLimit,
): PanelState['contextRows'] {
  // The meter in the header shows the same limit.
  const budgetOf: InputLimit = (model) => {
    const maxInputTokens = limitOf(model);
    return maxInputTokens === null ? null : promptBudget(state.config, { maxInputTokens });
  };
  const rows = shown.entries.flatMap((entry) => {
    const attempt = state.attempts.get(entry.id);
    if (attempt === undefined || entry.kind !== 'assistant' || entry.contextUsed === null || !open.contextUsed.includes(entry.id)) {
      return [];
    }
    const found = rowsOf(attempt, state);
    return found === null ? [] : [[entry.id, { ...found, window: replyWindowView(attempt, state, budgetOf) }] as const];
  });
  return Object.fromEntries(rows);
}

/** Returns the handlers of messages about the next request and its price. */
export function nextRequestHandlers({ features, limits }: HandlerRoom) {
  const { editors, inspectors, providers } = features;
  return {
    previewNextRequest: ({ chatId }) => inspectors.showNext(chatId),
    setProviderCount: ({ provider, isOn }) => providers.setCountsTokens(provider, isOn),
    showLimits: ({ inChat }) => limits.show(inChat),
    setLimit: ({ inChat, limit, usd }) => limits.set(inChat, limit, usd),
    openSpendSettings: () => editors.showSpendSettings(),
    showPrices: () => providers.showSettings(),
    setModelLimit: ({ provider, model }) => providers.editModel(provider, model),
  } satisfies RoomHandlers;
}
