import { html, nothing, type TemplateResult } from 'lit';
import type { ToolApprovalView, ToolCallView } from '../../../src/protocol/panel/toolCalls.js';
import { disclosure, iconButton, linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { icon } from '../../shared/controls/icon.js';
import { counted, duration, fileSize, isNotable, tokensWithUnit } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { MOST_THUMBNAILS, thumbnails } from './thumbnails.js';
import type { EntryScope } from '../request/scope.js';
import { failedServerButtons } from '../rows/serverActions.js';
import { toolQuestion } from './toolQuestion.js';

/** Whether a tool call needs no attention of the user. */
export function isQuiet({ status }: ToolCallView): boolean {
  return status.kind === 'done';
}

/** Returns the name of a group of tool calls. `at`: index of the group's first call in the reply. */
export function callsPart(at: number): string {
  return `tools-${String(at)}`;
}

/** Additions to the row of a tool call: content below the row, and whether the row is dimmed. */
export interface CallExtras {
  below(call: ToolCallView, isOpen: boolean): TemplateResult | typeof nothing;
  isDimmed(call: ToolCallView): boolean;
}

/** Shows consecutive tool calls of a reply. After all calls have succeeded, a line replaces the rows until a click. */
export function toolCalls(
  calls: readonly ToolCallView[],
  at: number,
  { scope, beside }: { readonly scope: EntryScope; readonly beside: CallExtras },
): TemplateResult {
  const name = callsPart(at);
  const isOne = calls.every(isQuiet);
  const isOpen = !isOne || scope.isOpen(name);
  const label = calls.length === 1 ? 'Tool' : `Tools (${String(calls.length)})`;
  return html`<div class="tool-calls" role="group" aria-label=${label}>
    ${
      isOne
        ? html`<div class="tool-row tools-done">
            ${disclosure(doneLabel(calls), isOpen, () => {
              scope.toggle(name);
            })}
          </div>`
        : nothing
    }
    ${
      isOpen
        ? calls.map((call, index) => toolCall(call, `${name}-${String(index)}`, { scope, beside }))
        : images(calls, scope, () => {
            scope.toggle(name);
          })
    }
  </div>`;
}

/** Shows the images of results. `onMore` shows all of them after a click. Null if the panel shows all. */
function images(calls: readonly ToolCallView[], { chatId }: EntryScope, onMore: (() => void) | null): TemplateResult | typeof nothing {
  const all = calls.flatMap(({ result }) => result?.images ?? []);
  const shown = onMore === null ? all : all.slice(0, MOST_THUMBNAILS);
  return thumbnails({ chatId, images: shown, more: all.length - shown.length, onMore }, 'tool-images');
}

function doneLabel(calls: readonly ToolCallView[]): TemplateResult {
  const tokens = calls.reduce((sum, { result }) => sum + (result?.tokens ?? 0), 0);
  const names = [...new Set(calls.map(({ name }) => name))].join(', ');
  const [only] = calls;
  const what =
    calls.length === 1 && only !== undefined
      ? html`${icon('pass')}<span class="tool-name">${visibleText(only.name)} <span class="tool-subject">${visibleText(only.subject)}</span></span>`
      : html`<span class="tool-count">${counted(calls.length, 'tool')}</span><span class="tool-name tool-subject">${visibleText(names)}</span>`;
  return html`${what}<span class="figures tool-end">${tokens === 0 ? '' : tokensWithUnit(tokens, 'estimate')}</span>`;
}

const ICONS: Readonly<Record<ToolCallView['status']['kind'], string>> = {
  pending: 'circle-large-outline',
  waiting: 'shield',
  running: 'loading',
  done: 'pass',
  failed: 'error',
  stopped: 'debug-stop',
  refused: 'circle-slash',
  lost: 'circle-slash',
};

function toolCall(
  call: ToolCallView,
  name: string,
  { scope, beside }: { readonly scope: EntryScope; readonly beside: CallExtras },
): TemplateResult {
  const { status, callId } = call;
  const isOpen = scope.isOpen(name);
  const asks = isAsking(call);
  const label = html`${icon(ICONS[asks ? 'waiting' : status.kind])}<span class="tool-name"
      >${visibleText(call.name)} <span class="tool-subject">${visibleText(call.subject)}</span></span
    ><span class="figures tool-end">${outcome(call)}</span>`;
  return html`<div class="tool-call ${beside.isDimmed(call) ? 'call-left-out' : ''}" data-kind=${asks ? 'waiting' : status.kind} data-call=${callId}>
    <div class="tool-row">
      ${disclosure(label, isOpen, () => {
        scope.toggle(name);
      })}
      ${
        status.kind === 'running'
          ? iconButton({
              label: `Stop ${revealHidden(call.name)}`,
              icon: 'debug-stop',
              onClick: posting({ type: 'stopCall', chatId: scope.chatId, callId }),
            })
          : nothing
      }
    </div>
    ${asks ? html`<div class="tool-told">${visibleText(call.serverName ?? call.name)} has a question for you at the top of the window.</div>` : nothing}
    ${status.kind === 'running' ? progress(status) : nothing} ${isOpen ? details(call, scope) : failureReason(call)} ${serverActions(call, scope)} ${images([call], scope, null)}
    ${status.kind === 'waiting' && status.question !== null ? toolQuestion(status.question, { call, scope, row: name }) : nothing}
    ${beside.below(call, isOpen)}
  </div>`;
}

/** Whether the server asks the user a question and waits for the answer. */
function isAsking({ status }: ToolCallView): boolean {
  return status.kind === 'running' && status.progress?.asks === true;
}

/** Shows the server's latest progress report about a running call. Shows a bar when the report contains a total. */
function progress({ progress: latest }: Extract<ToolCallView['status'], { readonly kind: 'running' }>): TemplateResult | typeof nothing {
  if (latest === null) {
    return nothing;
  }
  const { done, total, text } = latest;
  const words = text ?? (total === null ? '' : `${String(done)} of ${String(total)}`);
  return html`${words === '' ? nothing : html`<div class="tool-told">${visibleText(words)}</div>`}
    ${
      total === null || total <= 0
        ? nothing
        : html`<div class="tool-progress" aria-hidden="true"><div .style=${`width:${100 * Math.min(1, done / total)}%`}></div></div>`
    }`;
}

/** Explains why a call was refused or failed. Only for a closed row, because an open row shows the whole result. */
function failureReason({ status, approval, result }: ToolCallView): TemplateResult | typeof nothing {
  const reason = approval?.reason ?? null;
  const words =
    status.kind === 'refused' && reason !== null
      ? `The model got this reason: ${reason}`
      : status.kind === 'failed' && result !== null
        ? `${firstLine(result.text)} The model got this error.`
        : null;
  return words === null ? nothing : html`<div class="tool-told">${visibleText(words)}</div>`;
}

/** Offers to solve the problem of a server, at a call that failed, as long as the server does not run. */
function serverActions({ status, serverName }: ToolCallView, { failedServers }: EntryScope): TemplateResult | typeof nothing {
  const server = status.kind === 'failed' ? failedServers.find(({ name }) => name === serverName) : undefined;
  return server === undefined ? nothing : html`<div class="tool-told tool-actions">${failedServerButtons(server)}</div>`;
}

const MAX_FAILURE_LENGTH = 200;

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0]?.trim() ?? '';
  const cut = line.length > MAX_FAILURE_LENGTH ? `${line.slice(0, MAX_FAILURE_LENGTH)}…` : line;
  return cut === '' || /[.!?…]$/.test(cut) ? cut : `${cut}.`;
}

const APPROVED: Readonly<Record<Exclude<ToolApprovalView['scope'], 'refused'>, string>> = {
  once: 'allowed once',
  turn: 'allowed in this turn',
  chat: 'allowed in this chat',
  always: 'always allowed',
};

function outcome(call: ToolCallView): TemplateResult | string {
  const { status, approval, durationMs, result } = call;
  const allowed = approval === null || approval.scope === 'refused' ? null : APPROVED[approval.scope];
  const time = durationMs !== null && isNotable(durationMs) ? duration(durationMs) : null;
  switch (status.kind) {
    case 'pending':
      return '';
    case 'waiting':
      return 'needs approval';
    case 'running':
      return isAsking(call) ? 'needs your answer' : 'running';
    case 'done':
      return figures(allowed, result === null ? null : tokensWithUnit(result.tokens, 'estimate'), time);
    case 'failed':
      return 'failed';
    case 'stopped':
      return 'stopped';
    case 'refused':
      return 'refused';
    case 'lost':
      return 'no result: VS Code was closed';
  }
}

/** The figures of a call. A narrow panel hides the approval first, then the time. */
function figures(allowed: string | null, tokens: string | null, time: string | null): TemplateResult {
  const parts = [
    allowed === null ? null : html`<span class="tool-allowed">${allowed}</span>`,
    tokens === null ? null : html`<span>${tokens}</span>`,
    time === null ? null : html`<span class="tool-time">${time}</span>`,
  ];
  return html`${parts.filter((part) => part !== null)}`;
}

function details(call: ToolCallView, scope: EntryScope): TemplateResult {
  const { args, result, serverName, approval } = call;
  return html`<div class="tool-details">
    ${serverName === null ? nothing : html`<div class="tool-fact">Server: ${visibleText(serverName)}</div>`}
    ${approval === null || approval.scope === 'refused' ? nothing : allowedFact(approval, scope)}
    ${args === '' ? nothing : block('Arguments', args)}
    ${result === null || (result.text === '' && result.images.length > 0) ? nothing : block('Result', result.text)}
    ${cutNote(call, scope)}
  </div>`;
}

function allowedFact({ scope: reach, binding }: ToolApprovalView, { chatId }: EntryScope): TemplateResult {
  const words = reach === 'refused' ? '' : APPROVED[reach];
  return html`<div class="tool-fact">
    ${words.charAt(0).toUpperCase()}${words.slice(1)}${binding === null && reach !== 'once' ? ', taken back' : ''}
    ${binding === null ? nothing : linkButton('Take back', posting({ type: 'takeBackApproval', chatId, binding }))}
  </div>`;
}

function block(label: string, text: string): TemplateResult {
  return html`<div class="tool-label">${label}</div>
    <pre tabindex="0" aria-label=${label}><code>${visibleText(text)}</code></pre>`;
}

/** Says how much of a large result is visible, with a link to the whole result. */
function cutNote({ callId, result }: ToolCallView, scope: EntryScope): TemplateResult | typeof nothing {
  if (result === null || result.cut === null) {
    return nothing;
  }
  const { cut, messageId } = result;
  return html`<div class="tool-result-cut">
    <span>First ${counted(cut.characters, 'character')} of ${fileSize(cut.bytes)}</span>
    ${messageId === null ? nothing : linkButton('Show all', posting({ type: 'openResult', chatId: scope.chatId, messageId, callId }))}
  </div>`;
}
