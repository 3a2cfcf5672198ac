import { html, nothing, type TemplateResult } from 'lit';
import { isAsking, type ToolApprovalView, type ToolCallView } from '../../../src/protocol/panel/toolCalls.js';
import { iconButton, linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { counted, duration, fileSize, isNotable } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { callIcon, callVerb } from './callWords.js';
import { stepButton, stepRequestButton } from './stepRow.js';
import { thumbnails } from './thumbnails.js';
import type { EntryScope } from '../request/scope.js';
import { failedServerButtons } from '../rows/serverActions.js';
import { toolQuestion } from './toolQuestion.js';

/** Additions to the row of a tool call. */
export interface CallExtras {
  /** Content below the row. */
  below(call: ToolCallView, isOpen: boolean): TemplateResult | typeof nothing;
  isDimmed(call: ToolCallView): boolean;
  /** The lines that an edit changed: `+12 −3`. Empty for other calls. */
  lines(call: ToolCallView): string;
  /** The cost of the request that made the call. Empty for a further call of the same request, and until known. */
  price(call: ToolCallView): string;
}

interface RowScope {
  readonly scope: EntryScope;
  readonly beside: CallExtras;
  /** Id of the request that made the calls. */
  readonly attemptId: string;
}

/** Returns the name of the row of a call. `at`: index of the group's first call in the reply. */
export function callPart(at: number, index: number): string {
  return `tools-${String(at)}-${String(index)}`;
}

/** Shows rows of consecutive tool calls of a reply. */
export function toolCalls(
  calls: readonly ToolCallView[],
  at: number,
  { isOpen, ...rows }: RowScope & { readonly isOpen: boolean },
): TemplateResult {
  const shown = calls.map((call, index) => ({ call, name: callPart(at, index) })).filter(({ call }) => isOpen || isAsking(call));
  return html`<div class="tool-calls" role="group" aria-label=${calls.length === 1 ? 'Tool' : `Tools (${String(calls.length)})`}>
    ${shown.map(({ call, name }) => toolCall(call, name, rows))}
  </div>`;
}

function stopButton({ name, callId }: ToolCallView, { chatId }: EntryScope): TemplateResult {
  return iconButton({ label: `Stop ${revealHidden(name)}`, icon: 'debug-stop', onClick: posting({ type: 'stopCall', chatId, callId }) });
}

/** Shows the images of a result. */
function images({ result }: ToolCallView, { chatId }: EntryScope): TemplateResult | typeof nothing {
  return thumbnails({ chatId, images: result?.images ?? [], more: 0, onMore: null }, 'tool-images');
}

const ICONS: Readonly<Record<Exclude<ToolCallView['status']['kind'], 'done'>, string>> = {
  pending: 'circle-large-outline',
  waiting: 'shield',
  running: 'loading',
  failed: 'error',
  stopped: 'debug-stop',
  refused: 'circle-slash',
  lost: 'circle-slash',
};

function toolCall(call: ToolCallView, name: string, { scope, beside, attemptId }: RowScope): TemplateResult {
  const { status, callId } = call;
  const isOpen = scope.isOpen(name);
  const kind = isAsking(call) ? 'waiting' : status.kind;
  return html`<div class="tool-call ${beside.isDimmed(call) ? 'call-left-out' : ''}" data-kind=${kind} data-call=${callId} data-part=${name}>
    <div class="step-row ${kind === 'waiting' ? 'asks' : ''}">
      ${stepButton(
        {
          ...{ icon: kind === 'done' ? callIcon(call) : ICONS[kind], verb: callVerb(call), subject: call.subject },
          ...{ lines: beside.lines(call), outcome: outcome(call), tokens: call.result?.tokens ?? null, price: beside.price(call) },
        },
        isOpen,
        () => {
          scope.toggle(name);
        },
      )}
      <span class="step-actions">
        ${status.kind === 'running' ? stopButton(call, scope) : nothing}
        ${stepRequestButton(attemptId, scope)}
      </span>
    </div>
    ${serverQuestion(call)}
    ${status.kind === 'running' ? progress(status) : nothing} ${isOpen ? details(call, scope) : failureReason(call)} ${serverActions(call, scope)} ${images(call, scope)}
    ${status.kind === 'waiting' && status.question !== null ? toolQuestion(status.question, { call, scope, row: name }) : nothing}
    ${beside.below(call, isOpen)}
  </div>`;
}

function serverQuestion(call: ToolCallView): TemplateResult | typeof nothing {
  return isAsking(call) && call.status.kind === 'running'
    ? html`<div class="tool-told">${visibleText(call.serverName ?? call.name)} has a question for you at the top of the window.</div>`
    : nothing;
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

/** Says why a call has no result yet, or no usual result. Empty for a result without an error. */
export function outcome({ status }: ToolCallView): string {
  switch (status.kind) {
    case 'pending':
    case 'done':
      return '';
    case 'waiting':
      return 'needs approval';
    case 'running':
      return status.progress?.asks === true ? 'needs your answer' : 'running';
    case 'lost':
      return 'no result: VS Code was closed';
    case 'failed':
    case 'stopped':
    case 'refused':
      return status.kind;
  }
}

function details(call: ToolCallView, scope: EntryScope): TemplateResult {
  const { name, args, result, serverName, approval, durationMs } = call;
  const time = durationMs !== null && isNotable(durationMs) ? `, ${duration(durationMs)}` : '';
  return html`<div class="tool-details">
    <div class="tool-fact">Tool: ${visibleText(name)}${serverName === null ? nothing : html` of ${visibleText(serverName)}`}${time}</div>
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
