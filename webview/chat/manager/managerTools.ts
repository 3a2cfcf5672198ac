import { type TemplateResult, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import {
  type ServerRow,
  type ServersMistake,
  type ToolRow,
  type ToolSection,
  UNUSED_REPLIES,
} from '../../../src/protocol/panel/manager.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { failedServerActions, type ServerAction, serverActionButton } from '../rows/serverActions.js';
import { post, posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { icon } from '../../shared/controls/icon.js';
import { aboutPrice, counted, tokens } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { fileLink } from '../rows/fileLink.js';
import { includeModeWords } from '../rows/includeMode.js';
import { lastCallInWords } from '../rows/lastCall.js';
import { andToRow, managerBox, menuButton, type OpenMenu, offNote, rowSize } from './managerRow.js';
import { modePill } from './managerMode.js';

/** Shown for a stopped server that has never listed its tools. */
const UNKNOWN_TOOLS = 'Start the server to see its tools.';

const ACTIONS: Readonly<Record<ServerRow['status'], readonly ServerAction[]>> = {
  running: ['Stop', 'Restart', 'Show log'],
  starting: ['Stop', 'Show log'],
  stopped: ['Start', 'Show log'],
  failed: failedServerActions(false),
  gone: [],
};

function actionsOf({ status, signIn, hasLog }: ServerRow): readonly ServerAction[] {
  if (!hasLog || signIn === 'wanted') {
    return hasLog ? failedServerActions(true) : [];
  }
  return signIn === 'done' && status !== 'starting' ? [...ACTIONS[status], 'Sign out'] : ACTIONS[status];
}

/** The note below a server: an error, or why the server has no tools. An open row also shows last use and actions. */
function serverNote(row: ServerRow, replies: number): TemplateResult | typeof nothing {
  const { name, status, problem, signIn } = row;
  const isUnknown = status === 'stopped' && row.total === 0;
  if (row.tools === null && problem === null && !isUnknown) {
    return nothing;
  }
  const told = problem ?? (isUnknown ? UNKNOWN_TOOLS : usedText(row, replies));
  const actions = actionsOf(row);
  return told === '' && actions.length === 0
    ? nothing
    : html`<p class="manager-note server-note">
        ${problem === null || signIn === 'wanted' ? html`<span>${visibleText(told)}</span>` : html`<span class="server-problem">${visibleText(told)}</span>`}
        ${actions.map((action) => serverActionButton(action, name, action === 'Show log' ? posting : andToRow))}
      </p>`;
}

/** Describes the last use of a server. Empty without known tools, or when another line describes the last use. */
function usedText({ total, isUnused, lastCall }: ServerRow, replies: number): string {
  return total === 0 || isUnused ? '' : lastCallInWords(lastCall, replies);
}

export interface ManagerToolsScope {
  readonly chatId: string;
  /** The agent for whose chats the user changes include modes. Null for all chats. */
  readonly agent: string | null;
  readonly isLocked: boolean;
  /** Price of a token of the next request in US dollars. Null when unknown. */
  readonly costPerToken: number | null;
  readonly toggle: (server: string) => void;
  readonly openMenu: OpenMenu;
  /** The button that shows more tools of a server. */
  readonly more: (key: string, more: number) => TemplateResult;
}

type RowScope = ManagerToolsScope & Pick<ToolSection, 'notOffered' | 'loadsTools'>;

/** Shows errors in the configuration, then the chat's servers with their states. An open server lists its tools. */
export function managerTools(section: ToolSection, given: ManagerToolsScope): TemplateResult {
  const { servers, mistakes, replies, notOffered, loadsTools, lacksOwn } = section;
  const scope = { ...given, notOffered, loadsTools, costPerToken: notOffered === null ? given.costPerToken : null };
  return html`${modelNote(section)}
  ${mistakes.map(mistakeRow)}
  ${lacksOwn ? html`<li class="none">Loupe's own tools are off in the settings of this chat.</li>` : nothing}
  ${repeat(
    servers,
    ({ name }) => name,
    (server) =>
      html`${serverRow(server, replies, scope)}
      ${repeat(
        server.tools ?? [],
        ({ key }) => key,
        (tool) => toolRow(tool, server, replies, scope),
      )}
      ${server.more === 0 ? nothing : html`<li class="manager-more manager-tool">${scope.more(server.key, server.more)}</li>`}`,
  )}`;
}

export function configurations(): TemplateResult {
  return html`${linkButton('.vscode/mcp.json', posting({ type: 'configureServers', of: 'folder' }))}, .mcp.json,
  .cursor/mcp.json and ${linkButton('your settings', posting({ type: 'configureServers', of: 'user' }))}`;
}

/** Explains what the chat's model cannot do with tools. */
function modelNote({ servers, notOffered, loadsTools }: ToolSection): TemplateResult | typeof nothing {
  if (notOffered !== null) {
    return html`<li class="none">${visibleText(notOffered)}</li>`;
  }
  return loadsTools || !servers.some(isOnDemand)
    ? nothing
    : html`<li class="none">This model cannot load tools. Loupe picks tools with the mode On demand like tools with the mode Agent.</li>`;
}

function isOnDemand({ includeMode, tools }: ServerRow): boolean {
  return includeMode === 'onDemand' || (tools ?? []).some((tool) => tool.includeMode === 'onDemand');
}

function mistakeRow({ place, line, text }: ServersMistake): TemplateResult {
  const open = linkButton(
    line === null ? `Open ${place}` : `Open line ${String(line)}`,
    posting({ type: 'openServers', place, line: line ?? 1 }),
  );
  return html`<li class="manager-mistake">${icon('warning')}<span>${visibleText(text)} ${open}</span></li>`;
}

const STATES = {
  running: { sign: 'circle-filled', word: 'running', title: 'The server is running' },
  stopped: { sign: 'circle-large', word: 'stopped', title: 'Loupe starts the server when it first needs the server' },
  starting: { sign: 'loading codicon-modifier-spin', word: 'starting', title: 'The server is starting' },
  failed: { sign: 'error', word: 'failed', title: 'The server failed' },
  wanted: { sign: 'account', word: 'sign-in needed', title: 'The server wants you to sign in' },
  gone: { sign: 'circle-slash', word: 'missing', title: 'The settings contain no server with this name' },
} as const;

const SERVER_TITLES = {
  in: 'The tools of this server are in the next request. Clear the checkbox to remove them.',
  some: 'Some tools of this server are in the next request. Select the checkbox to send all with each message.',
  out: 'Select the checkbox to send the tools of this server with each message of the chat.',
  off: 'You cannot add this server: it has no tools, or the mode of all tools is Off.',
} as const;

/** Tooltips for a model that does not accept tools. These tooltips replace `SERVER_TITLES`. */
const NOT_OFFERED_TITLES: Readonly<Record<ServerRow['state'], string>> = {
  in: 'The tools of this server are in the chat. Clear the checkbox to remove them.',
  some: 'Some tools of this server are in the chat. Select the checkbox to add all.',
  out: 'Select the checkbox to add the tools of this server to the chat.',
  off: SERVER_TITLES.off,
};

function boxTitle({ state, status, total }: ServerRow, { notOffered }: RowScope): string {
  if (status === 'failed') {
    return 'The server does not run, so Loupe does not offer its tools.';
  }
  if (total === 0 && status !== 'running') {
    return UNKNOWN_TOOLS;
  }
  return (notOffered === null ? SERVER_TITLES : NOT_OFFERED_TITLES)[state];
}

function serverRow(row: ServerRow, replies: number, scope: RowScope): TemplateResult {
  const { key, name, status, state, includeMode, tools, held, total } = row;
  const shownState = row.signIn === 'wanted' ? 'wanted' : status;
  const { sign, word, title } = STATES[shownState];
  const isOpen = tools !== null;
  const shown = revealHidden(name);
  const count = held === total ? counted(total, 'tool') : `${tokens(held)} of ${counted(total, 'tool')}`;
  const open = (): void => {
    scope.toggle(name);
  };
  return html`<li class="manager-row manager-server ${state}">
    <div class="manager-line">
      ${managerBox(
        {
          label: `${shown}, ${word}, ${count} [${wordsOf(includeMode)}]`,
          title: boxTitle(row, scope),
          state: state === 'some' ? 'picked' : state,
          isOff: scope.isLocked || state === 'off' || status === 'failed',
          isOpen,
        },
        {
          click: (target) => {
            post(target, { type: state === 'in' ? 'removeServer' : 'addServer', chatId: scope.chatId, server: name });
          },
          enter: open,
          open,
        },
      )}
      <button type="button" class="disclosure" tabindex="-1" aria-expanded=${isOpen} title="${shown}: ${count}" @click=${open}>
        ${icon(isOpen ? 'chevron-down' : 'chevron-right')}<span class="disclosure-label">${visibleText(name)}</span>
      </button>
      <span class="server-state ${shownState}" title=${title}>${icon(sign)}<span class="server-word">${word}</span></span>
      <span class="manager-end">
        ${status === 'gone' ? nothing : modePill({ chatId: scope.chatId, key, name, includeMode, isForFiles: false, score: null, agent: scope.agent, canChange: true, canBeLoaded: scope.loadsTools, isQuiet: false })}
        ${status === 'gone' ? nothing : menuButton({ ...row, isEmpty: total === 0 }, scope)} ${rowSize(row, scope)}
      </span>
    </div>
    ${serverOffNote(row, scope.chatId)} ${wouldAdd(row, scope)} ${serverNote(row, replies)} ${row.isUnused ? unused(name, scope.chatId) : nothing}
  </li>`;
}

/** An agent that names single tools switches off all other tools of their server. */
function serverOffNote(row: ServerRow, chatId: string): TemplateResult | typeof nothing {
  return row.off === 'agent' && row.held > 0
    ? html`<p class="manager-note">Only the tools that the agent names.</p>`
    : offNote(row, chatId);
}

/** What the tools of a server would add to each request. Nothing for a server with a tool in the request. */
function wouldAdd({ state, off, tokens: size }: ServerRow, { costPerToken }: RowScope): TemplateResult | typeof nothing {
  if (state !== 'out' || off !== null || size === null) {
    return nothing;
  }
  const cost = costPerToken === null ? '' : `, ${aboutPrice(size * costPerToken)}`;
  return html`<p class="manager-note">Would add ${counted(size, 'token')}${cost} per request.</p>`;
}

/** The note about a server whose tools the model has not called for a long time. */
function unused(server: string, chatId: string): TemplateResult {
  return html`<p class="manager-note">
    The last ${UNUSED_REPLIES} replies did not use this server. ${linkButton('Remove it', andToRow({ type: 'removeServer', chatId, server }))}
  </p>`;
}

const TOOL_TITLES = {
  in: 'This tool is in the chat. Clear the checkbox to remove it.',
  picked: 'Loupe picked this tool for your message. Select the checkbox to send it with each message.',
  out: 'Select the checkbox to send this tool with each message of the chat.',
  off: 'You cannot add this tool: its mode is Off.',
} as const;

function toolRow(row: ToolRow, server: ServerRow, replies: number, scope: RowScope): TemplateResult {
  const { key, name, state, score, includeMode, note, description } = row;
  const { chatId } = scope;
  const used = lastCallInWords(row.lastCall, replies);
  const differs = includeMode !== server.includeMode || score !== null;
  const mode = differs ? ` [${wordsOf(includeMode)}${score === null ? '' : ` - ${score.toFixed(2)}`}]` : '';
  return html`<li class="manager-row manager-tool ${state}">
    <div class="manager-line" title=${used}>
      ${managerBox(
        {
          label: `${revealHidden(name)}${mode}`,
          title: [TOOL_TITLES[state], used].join(' ').trim(),
          state,
          isOff: scope.isLocked || state === 'off',
          isOpen: null,
        },
        {
          click: (target) => {
            post(target, { type: state === 'in' ? 'removeItems' : 'addCatalogItems', chatId, keys: [key] });
          },
          enter: (target) => {
            post(target, { type: 'openContextItem', chatId, key });
          },
          open: null,
        },
      )}
      ${fileLink({ chatId, key, path: name, hasFolders: false, note: mode, isTabStop: false })}
      <span class="manager-end">
        ${modePill({ chatId, key, name, includeMode, isForFiles: false, score, agent: scope.agent, canChange: true, canBeLoaded: scope.loadsTools, isQuiet: !differs })}
        ${server.off === null ? menuButton({ ...row, isEmpty: false }, scope) : nothing} ${rowSize(row, scope)}
      </span>
    </div>
    ${offNote(row, chatId)}
    ${description === '' ? nothing : html`<p class="manager-note tool-description" title=${revealHidden(description)}>${visibleText(description)}</p>`}
    ${row.lastCall === null ? nothing : html`<p class="manager-note">${used}</p>`}
    ${note === null ? nothing : html`<p class="manager-note">${visibleText(note)}</p>`}
  </li>`;
}

function wordsOf(mode: ServerRow['includeMode']): string {
  return mode === 'off' ? 'Off' : includeModeWords(mode, null);
}
