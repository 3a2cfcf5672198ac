import { html, nothing, type TemplateResult } from 'lit';
import type { LeavingOutPrice } from '../../../src/protocol/panel/leavingOut.js';
import type { ToolCallView } from '../../../src/protocol/panel/toolCalls.js';
import type { AssistantEntry } from '../../../src/protocol/panel/view.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { post } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { counted, price } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from './scope.js';

/** The cost once and per request: `+$0.0300 once (18,204 tokens written again), then $0.0020 less each request`. */
function leavingOutInWords({ state, tokens, writtenAgain, cost, saving }: LeavingOutPrice): string {
  const less = state === 'out' ? 'more' : 'less';
  const later = saving === null ? `${counted(tokens, 'token')} ${less} in each request` : `${price(saving)} ${less} each request`;
  const written = (writtenAgain ?? 0) + (state === 'out' ? tokens : 0);
  if (writtenAgain === null || written === 0) {
    return later;
  }
  const again = `${counted(written, 'token')} written${state === 'out' ? '' : ' again'}`;
  const sum = cost === null ? '' : `${state === 'out' ? '≈ ' : ''}+${price(cost)}`;
  return sum === '' ? `${again} once, then ${later}` : `${sum} once (${again}), then ${later}`;
}

/**
 * The price of including excluded content again, for a button or a menu: `≈ +$0.0300`. It is approximate, because the
 * cache may still have the earlier prompt. Null when free or unknown.
 */
export function bringingBackNote(priced: LeavingOutPrice | null): string | null {
  return priced?.state !== 'out' || priced.cost === null || priced.cost === 0 ? null : `≈ +${price(priced.cost)}`;
}

/** The tooltip for including excluded content again. */
export function bringingBackDetail(what: string, priced: LeavingOutPrice | null): string {
  return priced?.state === 'out'
    ? `${what}: ${leavingOutInWords(priced)}`
    : priced?.state === 'leaving'
      ? `${what}: free, it is still sent`
      : what;
}

/** The price of excluding, for a menu: `later, free`, `+$0.0300`. Null when free or unknown. */
export function leavingOutNote({ writtenAgain, cost, canWait }: LeavingOutPrice): string | null {
  if (writtenAgain === null || writtenAgain === 0) {
    return null;
  }
  return canWait ? 'later, free' : cost === null ? null : `+${price(cost)}`;
}

/** The tooltip for excluding. */
export function leavingOutDetail(what: string, priced: LeavingOutPrice): string {
  const words = leavingOutInWords(priced);
  const isFree = priced.canWait && priced.writtenAgain !== null && priced.writtenAgain > 0;
  return isFree ? `${what}. It leaves when that costs nothing more. Now: ${words}` : `${what}: ${words}`;
}

/** Excluded content, by the id of its entry. A turn has the id of its message. */
export interface LeftOutLine {
  readonly id: string;
  readonly isLeftOut: boolean;
  /** One tool call of a reply; missing for all content of the entry. */
  readonly call?: Pick<ToolCallView, 'callId' | 'name'>;
}

/** The line of excluded content: whether it is still sent, and a button to include it. Nothing for other content. */
export function leftOutLine(
  { id, isLeftOut, call }: LeftOutLine,
  { chatId, from, isLocked, leavingOut }: LineScope,
): TemplateResult | typeof nothing {
  if (!isLeftOut) {
    return nothing;
  }
  const act = (message: { readonly type: 'include' } | { readonly type: 'exclude'; readonly leaves: 'now' }) => (event: Event) => {
    post(from, { ...message, chatId, messageId: id, call: call?.callId ?? null });
    // The button changes or disappears with the line.
    (event.currentTarget as Element).closest('article')?.focus({ preventScroll: true });
  };
  // Figures of an earlier request are not shown: the current ones are not known yet.
  const held = leavingOut?.state === 'leaving' ? leavingOut : null;
  const note = bringingBackNote(leavingOut);
  const back = html`<span title=${bringingBackDetail('Bring back', leavingOut)}>${linkButton(named(note === null ? 'Bring back' : `Bring back, ${note}`, call), act({ type: 'include' }))}</span>`;
  const now =
    held === null || isLocked
      ? nothing
      : html`<span title=${`Leave out now: ${leavingOutInWords(held)}`}>${linkButton(named(nowLabel(held), call), act({ type: 'exclude', leaves: 'now' }))}</span>`;
  return html`<div class="left-out-line">
    ${icon('circle-slash')}<span>${held === null ? 'Left out by you' : 'Left out by you, leaves later'}</span>
    ${now} ${isLocked ? nothing : back}
  </div>`;
}

function nowLabel({ cost }: LeavingOutPrice): string {
  return cost === null || cost === 0 ? 'Leave out now' : `Now, +${price(cost)}`;
}

/** The label of a button. For screen readers, it contains the name of the call. */
function named(label: string, call: LeftOutLine['call']): TemplateResult {
  return html`${label}${call === undefined ? nothing : html`<span class="sr-only"> ${visibleText(call.name)}</span>`}`;
}

/** The line below the calls of a reply: that they are excluded or, while open, a button to exclude them. */
export function callsLine(entry: AssistantEntry, isOpen: boolean, scope: EntryScope): TemplateResult | typeof nothing {
  const { id, leftOut } = entry;
  if (leftOut === 'calls') {
    return leftOutLine({ id, isLeftOut: true }, scope);
  }
  return leftOut === 'turn' || !isOpen
    ? nothing
    : leaveLine({ id, label: callsOf(entry).length > 1 ? 'Leave out all calls' : LEAVE }, ALL_CALLS, scope);
}

const LEAVE = 'Leave out of requests';
const ALL_CALLS = 'All calls of this message, with their results';

function callsOf({ parts }: AssistantEntry): readonly ToolCallView[] {
  return parts.filter((part) => part.type === 'toolCall');
}

/** The line below one of several calls: that it alone is excluded or, while open, a button to exclude or include it. */
export function callLine(
  call: ToolCallView,
  { entry, isOpen, scope }: { readonly entry: AssistantEntry; readonly isOpen: boolean; readonly scope: EntryScope },
): TemplateResult | typeof nothing {
  const { id, leftOut } = entry;
  const { chatId, from, isLocked, leavingOut } = scope;
  if (callsOf(entry).length < 2 || leftOut === 'turn') {
    return nothing;
  }
  const ofCall = { chatId, from, isLocked, leavingOut: leavingOut?.calls?.[call.callId] ?? null };
  const isAlone = isLeftOutAlone(call, entry);
  if (isAlone || (leftOut === 'calls' && isOpen)) {
    return leftOutLine({ id, isLeftOut: true, call }, ofCall);
  }
  return isOpen && leftOut !== 'calls' ? leaveLine({ id, label: LEAVE, call }, 'This call with its result', ofCall) : nothing;
}

/** Whether the user excluded this call, but not all calls of its reply. */
export function isLeftOutAlone({ callId }: Pick<ToolCallView, 'callId'>, { leftOut }: Pick<AssistantEntry, 'leftOut'>): boolean {
  return typeof leftOut === 'object' && leftOut?.callIds.includes(callId) === true;
}

type LineScope = Pick<EntryScope, 'chatId' | 'from' | 'isLocked'> & { readonly leavingOut: LeavingOutPrice | null };

function leaveLine(
  { id, label, call }: Omit<LeftOutLine, 'isLeftOut'> & { readonly label: string },
  what: string,
  { leavingOut, isLocked, chatId, from }: LineScope,
): TemplateResult | typeof nothing {
  if (isLocked || leavingOut === null) {
    return nothing;
  }
  const leave = (event: Event): void => {
    post(from, { type: 'exclude', chatId, messageId: id, call: call?.callId ?? null, leaves: 'later' });
    (event.currentTarget as Element).closest('article')?.focus({ preventScroll: true });
  };
  const note = leavingOutNote(leavingOut);
  return html`<div class="left-out-line" title=${leavingOutDetail(what, leavingOut)}>
    ${linkButton(named(label, call), leave)}${note === null ? nothing : html`<span>${note}</span>`}
  </div>`;
}
