import { html, nothing, type TemplateResult } from 'lit';
import type { ExclusionPrice } from '../../../src/protocol/panel/requestRows.js';
import type { ToolCallView } from '../../../src/protocol/panel/toolCalls.js';
import type { AssistantEntry } from '../../../src/protocol/panel/entries.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { post } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { counted, price } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from './scope.js';

/** Returns the price: `+$0.03 once (18,204 tokens written to the cache again), then $0.0020 less each request`. */
function exclusionInWords({ state, tokens, writtenAgain, cost, saving }: ExclusionPrice): string {
  const less = state === 'out' ? 'more' : 'less';
  const later = saving === null ? `${counted(tokens, 'token')} ${less} in each request` : `${price(saving)} ${less} each request`;
  const written = (writtenAgain ?? 0) + (state === 'out' ? tokens : 0);
  if (writtenAgain === null || written === 0) {
    return later;
  }
  const again = `${counted(written, 'token')} written to the cache${state === 'out' ? '' : ' again'}`;
  const sum = cost === null ? '' : `${state === 'out' ? '≈ ' : ''}+${price(cost)}`;
  return sum === '' ? `${again} once, then ${later}` : `${sum} once (${again}), then ${later}`;
}

/**
 * Returns the price of including excluded content again: `≈ +$0.0300`. The price is approximate, because the provider's
 * cache may still contain the content. Null when free or unknown.
 */
export function inclusionNote(priced: ExclusionPrice | null): string | null {
  return priced?.state !== 'out' || priced.cost === null || priced.cost === 0 ? null : `≈ +${price(priced.cost)}`;
}

export function inclusionDetail(what: string, priced: ExclusionPrice | null): string {
  return priced?.state === 'out'
    ? `${what}: ${exclusionInWords(priced)}`
    : priced?.state === 'leaving'
      ? `${what}. This is free: requests still contain the content`
      : what;
}

/** Returns the price of excluding content: `+$0.0300`, or `later, free` if waiting avoids it. Null without a price. */
export function exclusionNote({ writtenAgain, cost, canWait }: ExclusionPrice): string | null {
  if (writtenAgain === null || writtenAgain === 0) {
    return null;
  }
  return canWait ? 'later, free' : cost === null ? null : `+${price(cost)}`;
}

export function exclusionDetail(what: string, priced: ExclusionPrice): string {
  const words = exclusionInWords(priced);
  const isFree = priced.canWait && priced.writtenAgain !== null && priced.writtenAgain > 0;
  return isFree ? `${what} as soon as this costs nothing extra. Removal now: ${words}` : `${what}: ${words}`;
}

/** Content that the user can exclude. `id`: the id of the entry; for a whole turn, of the user message. */
export interface ExclusionLine {
  readonly id: string;
  readonly isExcluded: boolean;
  /** One tool call of a reply. Undefined for the whole entry. */
  readonly call?: Pick<ToolCallView, 'callId' | 'name'>;
}

/** Says that the user excluded content, and whether requests still contain it. Nothing for other content. */
export function exclusionLine(
  { id, isExcluded, call }: ExclusionLine,
  { chatId, from, isLocked, exclusion }: LineScope,
): TemplateResult | typeof nothing {
  if (!isExcluded) {
    return nothing;
  }
  const act = (message: { readonly type: 'include' } | { readonly type: 'exclude'; readonly leaves: 'now' }) => (event: Event) => {
    post(from, { ...message, chatId, messageId: id, call: call?.callId ?? null });
    // Focuses the entry, because the button changes or disappears.
    (event.currentTarget as Element).closest('article')?.focus({ preventScroll: true });
  };
  // Offers to exclude the content now only while the next request still contains the content.
  const held = exclusion?.state === 'leaving' ? exclusion : null;
  const note = inclusionNote(exclusion);
  const back = html`<span title=${inclusionDetail('Include again', exclusion)}>${linkButton(named(note === null ? 'Include again' : `Include again, ${note}`, call), act({ type: 'include' }))}</span>`;
  const now =
    held === null || isLocked
      ? nothing
      : html`<span title=${`Exclude now: ${exclusionInWords(held)}`}>${linkButton(named(nowLabel(held), call), act({ type: 'exclude', leaves: 'now' }))}</span>`;
  return html`<div class="left-out-line">
    ${icon('circle-slash')}<span>${held === null ? 'Excluded by you' : 'Excluded by you, still sent for now'}</span>
    ${now} ${isLocked ? nothing : back}
  </div>`;
}

function nowLabel({ cost }: ExclusionPrice): string {
  return cost === null || cost === 0 ? 'Exclude now' : `Exclude now, +${price(cost)}`;
}

/** Returns the label of a button. Adds the name of the call for screen readers. */
function named(label: string, call: ExclusionLine['call']): TemplateResult {
  return html`${label}${call === undefined ? nothing : html`<span class="sr-only"> ${visibleText(call.name)}</span>`}`;
}

/** Shows below a reply's calls that all are excluded. While the calls are open, shows a button to exclude them. */
export function callsLine(entry: AssistantEntry, isOpen: boolean, scope: EntryScope): TemplateResult | typeof nothing {
  const { id, excluded } = entry;
  if (excluded === 'calls') {
    return exclusionLine({ id, isExcluded: true }, scope);
  }
  return excluded === 'turn' || !isOpen
    ? nothing
    : excludeLine({ id, label: callsOf(entry).length > 1 ? 'Exclude all calls' : EXCLUDE }, ALL_CALLS, scope);
}

const EXCLUDE = 'Exclude from requests';
const ALL_CALLS = 'Excludes all calls of this message with their results';

function callsOf({ parts }: AssistantEntry): readonly ToolCallView[] {
  return parts.filter((part) => part.type === 'toolCall');
}

/** Says below one of several calls that this call is excluded. An open call has a button to exclude or include it. */
export function callLine(
  call: ToolCallView,
  { entry, isOpen, scope }: { readonly entry: AssistantEntry; readonly isOpen: boolean; readonly scope: EntryScope },
): TemplateResult | typeof nothing {
  const { id, excluded } = entry;
  const { chatId, from, isLocked, exclusion } = scope;
  if (callsOf(entry).length < 2 || excluded === 'turn') {
    return nothing;
  }
  const ofCall = { chatId, from, isLocked, exclusion: exclusion?.calls?.[call.callId] ?? null };
  const isAlone = isExcludedAlone(call, entry);
  if (isAlone || (excluded === 'calls' && isOpen)) {
    return exclusionLine({ id, isExcluded: true, call }, ofCall);
  }
  return isOpen && excluded !== 'calls' ? excludeLine({ id, label: EXCLUDE, call }, 'Excludes this call with its result', ofCall) : nothing;
}

/** Whether the user excluded this call but not the other calls of the reply. */
export function isExcludedAlone({ callId }: Pick<ToolCallView, 'callId'>, { excluded }: Pick<AssistantEntry, 'excluded'>): boolean {
  return typeof excluded === 'object' && excluded?.callIds.includes(callId) === true;
}

type LineScope = Pick<EntryScope, 'chatId' | 'from' | 'isLocked'> & { readonly exclusion: ExclusionPrice | null };

function excludeLine(
  { id, label, call }: Omit<ExclusionLine, 'isExcluded'> & { readonly label: string },
  what: string,
  { exclusion, isLocked, chatId, from }: LineScope,
): TemplateResult | typeof nothing {
  if (isLocked || exclusion === null) {
    return nothing;
  }
  const exclude = (event: Event): void => {
    post(from, { type: 'exclude', chatId, messageId: id, call: call?.callId ?? null, leaves: 'later' });
    (event.currentTarget as Element).closest('article')?.focus({ preventScroll: true });
  };
  const note = exclusionNote(exclusion);
  return html`<div class="left-out-line" title=${exclusionDetail(what, exclusion)}>
    ${linkButton(named(label, call), exclude)}${note === null ? nothing : html`<span>${note}</span>`}
  </div>`;
}
