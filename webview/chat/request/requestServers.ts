import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { BlockView, RequestServer } from '../../../src/protocol/panel/requestRows.js';
import { disclosure } from '../../shared/controls/buttons.js';
import { counted, tokens } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import type { RowsScope } from '../rows/blockRows.js';
import { notSelectedRows } from '../rows/contextItem.js';
import { fileLink } from '../rows/fileLink.js';
import { PICKED_WHILE_WRITING, includeModePill, includeModeWords } from '../rows/includeMode.js';
import { itemSwitch } from '../rows/itemSwitch.js';
import { lastCallInWords } from '../rows/lastCall.js';
import { figures, sizeOf } from '../rows/rowFigures.js';
import { posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';

/** Lists the tools of the next request: one row per server. A row opens its tools and the reasons for missing tools. */
export function serverRows(blocks: readonly BlockView[], servers: readonly RequestServer[], scope: RowsScope): TemplateResult {
  const others = blocks.filter(({ server }) => server === null);
  return html`<ul>
    ${servers.map((server) =>
      serverPart(
        server,
        blocks.filter((block) => block.server === server.name),
        scope,
      ),
    )}
    ${others.map((block) => otherRow(block, scope))}
  </ul>`;
}

function serverPart(
  { name, total, notSelected, replies, calls }: RequestServer,
  held: readonly BlockView[],
  scope: RowsScope,
): TemplateResult {
  const group = `server:${name}`;
  const isOpen = scope.isOpen(group);
  const modes = new Set(held.map(({ includeMode }) => includeMode));
  const [mode = null] = modes.size === 1 ? modes : [];
  const count = held.length === total ? counted(total, 'tool') : `${tokens(held.length)} of ${counted(total, 'tool')}`;
  const used = lastCallInWords(calls.length === 0 ? null : Math.min(...calls.map(({ ago }) => ago)), replies);
  const usedTool = (block: BlockView): string =>
    lastCallInWords(calls.find((call) => call.name === toolName(block, name))?.ago ?? null, replies);
  const size = sizeOf(held);
  // Tools that the agent's settings turn off do not count as missing.
  const isWhole = notSelected.first.every(({ canBeAdded }) => !canBeAdded) && notSelected.total === notSelected.first.length;
  return html`<li class="request-row server" title=${used === '' ? nothing : used}>
      <span class="row-mark">${serverSwitch({ chatId: scope.chatId, name, state: isWhole ? 'in' : 'some' })}</span>
      ${disclosure(html`${visibleText(name)}<span class="sr-only">${noteOf(mode, null, used)}</span>`, isOpen, () => {
        scope.toggle(group);
      })}
      ${mode === null ? nothing : includeModePill(mode, null, null)}
      <span class="figures server-count">${count}</span>
      ${size.tokens === 0 ? nothing : figures(size, scope)}
    </li>
    ${
      isOpen
        ? html`${held.map((block) => toolRow(block, { name, mode, used: usedTool(block) }, scope))}
            ${notSelected.total === 0 ? nothing : html`<li class="server-left-out context-group">${notSelectedRows(notSelected, scope)}</li>`}`
        : nothing
    }`;
}

/** Returns a note for screen readers: the include mode, and when the model last called the tool. */
function noteOf(mode: BlockView['includeMode'], score: number | null, used: string): string {
  return `${mode === null ? '' : ` [${includeModeWords(mode, score)}]`}${used === '' ? '' : `. ${used}`}`;
}

function toolName({ label }: BlockView, server: string): string {
  return label.slice(server.length + 1);
}

interface ServerToolContext {
  readonly name: string;
  /** The include mode that all tools of the server have. Null when the modes differ. */
  readonly mode: BlockView['includeMode'];
  readonly used: string;
}

/** The row of a tool. Shows the include mode if the tools of the server have different modes, or if a score decided. */
function toolRow(block: BlockView, { name: server, mode, used }: ServerToolContext, scope: RowsScope): TemplateResult {
  const { file, includeMode, score, loadedTokens } = block;
  const name = toolName(block, server);
  const { chatId } = scope;
  const hasPill = includeMode !== null && (includeMode !== mode || score !== null);
  const note = noteOf(hasPill ? includeMode : null, score, used);
  return html`<li class="request-row tool" title=${used === '' ? nothing : used}>
    <span class="row-mark">
      ${file === null ? nothing : itemSwitch({ chatId, key: file, name, state: includeMode === 'agent' ? 'picked' : 'in' })}
    </span>
    ${file === null ? visibleText(name) : fileLink({ chatId, key: file, path: name, hasFolders: false, note, isTabStop: true })}
    ${hasPill ? includeModePill(includeMode, score, score === null ? null : PICKED_WHILE_WRITING) : nothing}
    ${loadedTokens === undefined ? nothing : html`<span class="server-count" title=${whereLoaded(loadedTokens)}>loaded<span class="sr-only">: ${whereLoaded(loadedTokens)}</span></span>`}
    ${includeMode === 'onDemand' ? nothing : figures(block, scope)}
  </li>`;
}

/** Says where the request contains a loaded tool: in the conversation, and not among the tools. */
function whereLoaded(size: number): string {
  return `${counted(size, 'token')} in the conversation, where the model loaded it`;
}

/** The row for the names of tools on demand, or for an unavailable tool that the conversation mentions. */
function otherRow({ label, ...size }: BlockView, scope: RowsScope): TemplateResult {
  return html`<li class="request-row"><span class="row-mark"></span><span class="row-label" title=${label}>${visibleText(label)}</span>${figures(size, scope)}</li>`;
}

interface ServerSwitch {
  readonly chatId: string;
  readonly name: string;
  /** Whether the next request contains all tools of the server or only some. */
  readonly state: 'in' | 'some';
}

/** The switch that removes all tools of a server from the chat, or adds all tools. Changes when the host replies. */
function serverSwitch({ chatId, name, state }: ServerSwitch): TemplateResult {
  const type = state === 'in' ? 'removeServer' : 'addServer';
  return html`<span class="checkbox">
    <input
      type="checkbox"
      aria-label="Send the tools of ${revealHidden(name)}"
      title=${state === 'in' ? 'Remove the tools of this server from the chat' : 'Add all tools of this server to the chat'}
      .checked=${live(state === 'in')}
      .indeterminate=${live(state === 'some')}
      @click=${(event: Event) => {
        event.preventDefault();
        posting({ type, chatId, server: name })(event);
      }}
    />
  </span>`;
}
