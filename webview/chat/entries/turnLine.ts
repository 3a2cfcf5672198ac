import { html, nothing, type TemplateResult } from 'lit';
import type { OutputProgress } from '../../../src/protocol/panel/entries.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { TurnSteps } from '../../../src/protocol/panel/turnSteps.js';
import type { ShownTurn } from '../conversation/shownTurns.js';
import { disclosure, iconButton, linkButton } from '../../shared/controls/buttons.js';
import { post, posting } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { revealHidden } from '../../shared/hidden.js';
import { counted, countedAs, markedPrice, price, priceInWords } from '../../shared/numbers.js';
import { exclusionDetail, exclusionNote } from '../request/exclusion.js';
import type { EntryScope } from '../request/scope.js';
import { outcome } from './toolCalls.js';
import { callInProgress } from './callWords.js';
import { showRequest } from './showRequestButton.js';
import { requestPrice, stepButton, stepRequestButton } from './stepRow.js';

/** Returns what the tools of a turn did: `5 steps · 3 files read · 1 edited`. Omits zero counts. */
export function stepsInWords({ steps, filesRead, filesEdited, filesUndone, commands, servers }: TurnSteps): string {
  return [
    counted(steps, 'step'),
    ...(filesRead === 0 ? [] : [`${counted(filesRead, 'file')} read`]),
    ...(filesEdited === 0 ? [] : [filesRead === 0 ? `${counted(filesEdited, 'file')} edited` : `${String(filesEdited)} edited`]),
    ...(filesUndone === 0 ? [] : [`${String(filesUndone)} undone`]),
    ...(commands === 0 ? [] : [countedAs(commands, 'command', 'commands')]),
    ...servers.map(({ name, calls }) => `${counted(calls, 'call')} to ${revealHidden(name)}`),
  ].join(' · ');
}

/** Returns the calls without a usual result: `1 failed`, `2 refused`. */
function misses({ failed, refused, stopped }: TurnSteps): readonly { readonly kind: string; readonly words: string }[] {
  return Object.entries({ failed, refused, stopped }).flatMap(([kind, count]) =>
    count === 0 ? [] : [{ kind, words: `${String(count)} ${kind}` }],
  );
}

/** Returns the cost of a turn. An unknown cost is named, not 0. */
export function turnPrice({ cost, isAtLeast, isPretended, inherited }: TurnSteps): string {
  if (inherited) {
    return 'inherited';
  }
  return cost === null ? 'price unknown' : priceInWords(isAtLeast ? markedPrice('≥', price(cost)) : price(cost), isPretended);
}

/** Returns the cost of a running turn: of its ended requests, and of the reply that streams. Null when unknown. */
export function priceSoFar({ cost, isPretended }: Pick<TurnSteps, 'cost' | 'isPretended'>, output: OutputProgress | null): string | null {
  const streamed = output?.cost ?? null;
  if (cost === null && streamed === null) {
    return null;
  }
  const sum = price((cost ?? 0) + (streamed ?? 0));
  return priceInWords(streamed === null ? sum : markedPrice('≈', sum), isPretended || output?.isPretended === true);
}

/** Returns what a turn did or does now. `asks`: what needs the user, which comes first and is never cut. */
function wordsOf({ steps, now, asking }: ShownTurn): { readonly asks: readonly string[]; readonly what: string } {
  if (now === null) {
    return { asks: [], what: stepsInWords(steps) };
  }
  const step = `Step ${String(now.step)}`;
  if (asking !== null) {
    return { asks: [outcome(asking)], what: step };
  }
  return { asks: [], what: `${step} · ${revealHidden(now.call === null ? 'writing' : callInProgress(now.call))}` };
}

/** The steps of a turn in one line, with the total of the turn. A click opens a row for each step. */
export function turnLine(turn: ShownTurn, scope: EntryScope): TemplateResult {
  const { steps, now, asking } = turn;
  const { asks, what } = wordsOf(turn);
  const cost = now === null ? turnPrice(steps) : priceSoFar(steps, scope.output);
  const soFar = now === null ? '' : ' so far';
  const failed = misses(steps);
  const label = html`${now === null ? nothing : icon(asking === null ? 'loading' : 'shield')}${asks.map((each) => html`<span class="turn-asks">${each}</span>`)}<span class="turn-what">${what}</span>${failed.map(
    ({ kind, words }) => html`<span class="turn-part turn-${kind}">${words}</span>`,
  )}${cost === null ? nothing : html`<span class="turn-part figures">${cost}${soFar === '' ? nothing : html`<span class="so-far">${soFar}</span>`}</span>`}`;
  const name = [...asks, what, ...failed.map(({ words }) => words), ...(cost === null ? [] : [`${cost}${soFar}`])].join(' · ');
  return html`<div class="turn-line" title=${name}>
    ${disclosure(label, turn.isOpen, () => {
      scope.onToggleTurn(turn);
    })}
    ${turn.isOpen ? nothing : lineActions(fileActions(turn, scope))}
  </div>`;
}

/** The buttons of a closed turn's line, which appear on hover and focus. */
function lineActions(actions: readonly FileAction[]): TemplateResult | typeof nothing {
  return actions.length === 0
    ? nothing
    : html`<span class="turn-buttons">${actions.map(({ label, sign, message }) => iconButton({ label, icon: sign, onClick: posting(message) }))}</span>`;
}

/** Whether the user excluded all calls of a turn from requests. */
export function areCallsExcluded({ entries }: Pick<ShownTurn, 'entries'>): boolean {
  return entries.every(({ excluded }) => excluded === 'calls');
}

/** The row of the reply, and what the user can do with all steps. */
export function turnFoot(turn: ShownTurn, scope: EntryScope): TemplateResult {
  const { reply } = turn;
  return html`<div class="turn-foot">
    ${reply === null ? nothing : replyRow(reply, scope)}
    ${
      turn.now === null
        ? html`<div class="turn-actions">
          ${fileActions(turn, scope).map(({ label, message }) => linkButton(label, posting(message)))} ${sendingAction(turn, scope)}
        </div>`
        : nothing
    }
  </div>`;
}

function replyRow(reply: NonNullable<ShownTurn['reply']>, scope: EntryScope): TemplateResult {
  const row = { icon: 'comment', verb: 'reply', subject: '', lines: '', outcome: '', tokens: reply.usage?.outputTokens ?? null };
  return html`<div class="step-row reply-row">
    ${stepButton({ ...row, price: requestPrice(reply) }, undefined, posting(showRequest(reply.id, scope)))}
    <span class="step-actions">${stepRequestButton(reply.id, scope)}</span>
  </div>`;
}

interface FileAction {
  readonly label: string;
  readonly sign: string;
  readonly message: ToHost;
}

/** After the end of a turn, offers to show and to undo the changes of all files whose earlier texts are known. */
function fileActions({ steps, entries, now }: ShownTurn, { chatId, isLocked }: EntryScope): readonly FileAction[] {
  const hasChange = entries.some(({ files }) =>
    files.some((file) => file.kind === 'written' && file.hasEarlier && file.state !== 'undone'),
  );
  const turn = { chatId, messageId: steps.id };
  const show: FileAction = { label: 'Show the change', sign: 'diff', message: { type: 'showTurnChange', ...turn } };
  const undo: FileAction = { label: 'Undo all', sign: 'discard', message: { type: 'undoTurn', ...turn } };
  return now !== null || !hasChange ? [] : isLocked ? [show] : [show, undo];
}

/** Offers to exclude the calls of all steps from requests, or to include them again. */
function sendingAction({ entries }: ShownTurn, { chatId, from, isLocked, exclusion }: EntryScope): TemplateResult | typeof nothing {
  const sent = entries.filter(({ excluded }) => excluded !== 'calls' && excluded !== 'turn');
  if (isLocked || (sent.length > 0 && exclusion === null)) {
    return nothing;
  }
  if (sent.length === 0) {
    return areCallsExcluded({ entries })
      ? html`<span class="turn-excluded">${icon('circle-slash')}Results not sent</span>
        ${linkButton('Send these results again', () => {
          for (const { id } of entries) {
            post(from, { type: 'include', chatId, messageId: id, call: null });
          }
        })}`
      : nothing;
  }
  // Waiting costs nothing, and is what the button does. So only a price that waiting does not avoid is named.
  const note = exclusion === null || exclusion.canWait ? null : exclusionNote(exclusion);
  const label = html`Stop sending these results${note === null ? nothing : html` <span class="turn-note">(${note})</span>`}`;
  return html`<span title=${exclusion === null ? '' : exclusionDetail('Excludes the tool calls of this turn with their results', exclusion)}
    >${linkButton(label, () => {
      for (const { id } of sent) {
        post(from, { type: 'exclude', chatId, messageId: id, call: null, leaves: 'later' });
      }
    })}</span
  >`;
}
