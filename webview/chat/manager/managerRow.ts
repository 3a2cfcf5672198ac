import { type TemplateResult, html, nothing } from 'lit';
import {
  type ListedType,
  type ManagerRow,
  UNUSED_REPLIES,
  type ItemProofView,
  proofSentences,
} from '../../../src/protocol/panel/manager.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { iconButton, linkButton } from '../../shared/controls/buttons.js';
import { post, posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { heldMode } from '../../../src/protocol/panel/requestRows.js';
import { age, fileSize } from '../../../src/protocol/numbers.js';
import { aboutPrice, counted, dateTime, tokens } from '../../shared/numbers.js';
import { splitName } from '../../shared/paths.js';
import { visibleText } from '../../shared/visibleText.js';
import { fileLink, openLine } from '../rows/fileLink.js';
import { includeModeWords } from '../rows/includeMode.js';
import { isSwitchedOff, OFF_SENTENCES } from '../rows/offMenu.js';
import { modePill } from './managerMode.js';
import { live } from 'lit/directives/live.js';
import { isPlain } from '../../shared/keys.js';

export interface ManagerRowScope {
  readonly type: ListedType;
  readonly chatId: string;
  /** The agent for whose chats the user changes include modes. Null for all chats. */
  readonly agent: string | null;
  readonly canChange: boolean;
  readonly isLocked: boolean;
  readonly proof: OpenProof;
  /** Price of a token of the next request in US dollars. Null when unknown. */
  readonly costPerToken: number | null;
  /** Number of latest requests that Loupe checked for the last use of an item. */
  readonly requests: number;
  /** Opens the menu of a row with the choices where its item is off. */
  readonly openMenu: OpenMenu;
  /** Called before a row disappears, with the check box of the row. */
  readonly blur: (box: EventTarget | null) => void;
}

const BOX_TITLES = {
  in: 'This item is in the chat. Clear the checkbox to remove it.',
  picked: 'Loupe picked this item for your message or your files. Select the checkbox to send it with each message.',
  out: 'Select the checkbox to send this item with each message of the chat.',
  off: 'You cannot add this item: its mode is Off, or Loupe cannot read it.',
} as const;

/** The row of an item with its check box. Space adds or removes the item. Enter opens the item's file. */
export function managerRow(row: ManagerRow, scope: ManagerRowScope): TemplateResult {
  const { key, name, source, state, note, place } = row;
  const { type } = scope;
  // The text after the name: the folders of a file, or the source of another item.
  const apart = type === 'file' ? splitName(name).folders : (source ?? '');
  const mode = modeInWords(row);
  return html`<li class="manager-row ${state} ${isBelow(row, scope) ? 'below' : ''}">
    <div class="manager-line" title=${lastUseInWords(row, scope.requests)}>
      ${hasProof(scope) ? proofButton(key, scope.proof) : nothing} ${box(row, scope, mode)}
      ${nameLink(row, scope, mode)}
      <span class="manager-source" title=${revealHidden(apart)}>${visibleText(apart)}</span>
      <span class="manager-end">
        ${pageFacts(row, scope)} ${modeOf(row, scope)} ${hasProof(scope) ? menuButton({ ...row, isEmpty: false }, scope) : nothing}
        ${rowSize(row, scope)}
      </span>
    </div>
    ${hasProof(scope) && scope.proof.key === key ? proofDetails(scope.chatId, scope.proof) : nothing}
    ${offNote(row, scope.chatId)}
    ${note === null ? nothing : html`<p class="manager-note">${visibleText(note)} ${place === null ? nothing : openLine(place)}</p>`}
    ${
      row.isUnused
        ? html`<p class="manager-note">
            The last ${UNUSED_REPLIES} replies did not use this item.
            ${linkButton('Remove it', posting({ type: 'removeItems', chatId: scope.chatId, keys: [key] }))}
          </p>`
        : nothing
    }
  </li>`;
}

function modeInWords({ includeMode, isForFiles, score }: ManagerRow): string {
  return includeMode === null ? '' : ` [${includeModeWords(isForFiles ? heldMode(includeMode, score) : includeMode, score)}]`;
}

/** The name as a button that opens the item. A title of a web page is not split like a path. */
function nameLink({ key, name, page }: ManagerRow, { chatId, type }: ManagerRowScope, mode: string): TemplateResult {
  if (type === 'repository') {
    return html`<span class="file-link" title=${revealHidden(name)}><span class="file-name">${visibleText(name)}</span></span>`;
  }
  if (page === undefined) {
    return fileLink({ chatId, key, path: name, hasFolders: type !== 'file', note: mode, isTabStop: false });
  }
  return html`<button
    type="button"
    class="file-link"
    title=${revealHidden(name)}
    tabindex="-1"
    @click=${posting({ type: 'openContextItem', chatId, key })}
  >
    <span class="file-name">${visibleText(name)}</span>
  </button>`;
}

/** The age and size of a web page, and the button that fetches it again. Nothing for other items. */
function pageFacts({ page }: ManagerRow, { chatId, isLocked }: ManagerRowScope): TemplateResult | typeof nothing {
  if (page === undefined) {
    return nothing;
  }
  const { address, fetchedAt, bytes } = page;
  const facts = `${age(fetchedAt, Date.now())}, ${fileSize(bytes)}`;
  return html`<span class="figures page-facts" title="Fetched ${dateTime(fetchedAt)}">${facts}</span>
    ${iconButton({ label: 'Refresh', icon: 'refresh', disabled: isLocked, onClick: posting({ type: 'addPage', chatId, address }) })}`;
}

/** Whether the row is of an item of the catalog. Such a row can show the requests that contained its item. */
function hasProof({ type }: ManagerRowScope): boolean {
  return type !== 'file' && type !== 'page' && type !== 'repository';
}

/** Whether the row is part of the row above: a folder of the repository map is part of its definitions. */
function isBelow({ name }: ManagerRow, { type }: ManagerRowScope): boolean {
  return type === 'repository' && name.endsWith('/');
}

function modeOf(
  { key, name, includeMode, isForFiles, score, state }: ManagerRow,
  { agent, canChange, chatId }: ManagerRowScope,
): TemplateResult | typeof nothing {
  if (includeMode === null) {
    return nothing;
  }
  // Shows `off` only if the user can change the mode.
  const shown = canChange && state === 'off' ? 'off' : includeMode;
  return modePill({ chatId, key, name, includeMode: shown, isForFiles, score, agent, canChange, canBeLoaded: false, isQuiet: false });
}

/** Describes when a request last contained the item. Empty before the first request of the chat. */
export function lastUseInWords({ lastUse }: Pick<ManagerRow, 'lastUse'>, requests: number): string {
  if (requests === 0) {
    return '';
  }
  if (lastUse === null) {
    return requests === 1 ? 'Not in the last request.' : `Not in any of the last ${String(requests)} requests.`;
  }
  return lastUse === 0 ? 'In the last request.' : `Last sent ${counted(lastUse, 'request')} ago.`;
}

function box(row: ManagerRow, scope: ManagerRowScope, mode: string): TemplateResult {
  const { type, chatId, isLocked, blur, requests, proof } = scope;
  const { key, name, state } = row;
  const title = [BOX_TITLES[state], lastUseInWords(row, requests)].join(' ').trim();
  const isOpen = hasProof(scope) ? proof.key === key : null;
  return managerBox(
    { label: `${revealHidden(name)}${mode}`, title, state, isOff: isLocked || state === 'off', isOpen },
    {
      click: (target) => {
        if (state === 'in' && (type === 'file' || type === 'page')) {
          blur(target);
        }
        post(target, { type: state === 'in' ? 'removeItems' : 'addCatalogItems', chatId, keys: [key] });
      },
      enter: (target) => {
        if (type !== 'repository') {
          post(target, { type: 'openContextItem', chatId, key });
        }
      },
      open:
        isOpen === null
          ? null
          : () => {
              proof.toggle(key);
            },
    },
  );
}

/** The open row, which lists the requests that contained the item of the row, with their prices. */
interface OpenProof {
  readonly key: string | null;
  /** Null without an open row, and while the list loads. */
  readonly view: ItemProofView | null;
  readonly toggle: (key: string) => void;
}

/** The button that opens or closes the list of requests. The right and left arrow keys do the same in the check box. */
function proofButton(key: string, open: OpenProof): TemplateResult {
  const isOpen = open.key === key;
  return html`<span class="manager-proof-button">${iconButton({
    label: isOpen ? 'Hide the requests with this item' : 'Show the requests with this item',
    icon: isOpen ? 'chevron-down' : 'chevron-right',
    expanded: isOpen,
    shortcut: isOpen ? 'Left' : 'Right',
    onClick: () => {
      open.toggle(key);
    },
  })}</span>`;
}

function proofDetails(chatId: string, { key, view }: OpenProof): TemplateResult {
  if (view === null || view.key !== key) {
    return html`<p class="manager-note" role="status">Counting the requests with this item…</p>`;
  }
  const duplicates = view.duplicates.map(
    ({ text, source }) =>
      html` ${visibleText(text)} ${linkButton('Compare', posting({ type: 'compareItem', chatId, key: view.key, source }))}`,
  );
  return html`<p class="manager-note" role="status">${visibleText(proofSentences(view, Date.now()).join(' '))}${duplicates}</p>`;
}

/** Opens the menu of a row at its button. `off`: where the item is off. */
export type OpenMenu = (button: HTMLElement, row: MenuRow) => void;

/** `isEmpty`: a server without known tools, which cannot be off in one chat. */
export type MenuRow = Pick<ManagerRow, 'key' | 'name' | 'off'> & { readonly isEmpty: boolean };

/** The button for the menu of a row. Shift+F10 in the check box does the same. */
export function menuButton({ key, name, off, isEmpty }: MenuRow, { openMenu }: { readonly openMenu: OpenMenu }): TemplateResult {
  return html`<span class="manager-menu-button">${iconButton({
    label: `Where to use ${revealHidden(name)}`,
    icon: 'ellipsis',
    popup: 'menu',
    expanded: false,
    shortcut: 'Shift+F10',
    onClick: ({ currentTarget }) => {
      openMenu(currentTarget as HTMLElement, { key, name, off, isEmpty });
    },
  })}</span>`;
}

/** Says where an item is off, with the button that switches it on again. */
export function offNote({ key, name, off }: Pick<ManagerRow, 'key' | 'name' | 'off'>, chatId: string): TemplateResult | typeof nothing {
  if (off === null) {
    return nothing;
  }
  const onAgain = andToRow({ type: 'switchItem', chatId, key, to: 'on' });
  return html`<p class="manager-note">
    ${OFF_SENTENCES[off]}
    ${
      isSwitchedOff(off)
        ? html`<button type="button" class="link-button" aria-label="Include again: ${revealHidden(name)}" @click=${onAgain}>Include again</button>`
        : nothing
    }
  </p>`;
}

/** Returns a click handler for a button that disappears after the click. Keeps the focus in the row. */
export function andToRow(message: ToHost): (event: Event) => void {
  return (event) => {
    posting(message)(event);
    (event.currentTarget as HTMLElement).closest('.manager-row')?.querySelector('input')?.focus();
  };
}

interface CheckBox {
  readonly label: string;
  readonly title: string;
  readonly state: ManagerRow['state'];
  readonly isOff: boolean;
  /** Whether the content below the check box is visible. Null for a check box without content below. */
  readonly isOpen: boolean | null;
}

interface BoxKeys {
  readonly click: (target: HTMLElement) => void;
  readonly enter: (target: HTMLElement) => void;
  /** Opens or closes the content below the check box. Null for a check box without content below. */
  readonly open: (() => void) | null;
}

/**
 * A check box. Space changes its state; arrow keys open and close the content below. A click sends a message, and the
 * state changes when the host replies.
 */
export function managerBox({ label, title, state, isOff, isOpen }: CheckBox, { click, enter, open }: BoxKeys): TemplateResult {
  const toggle = (event: Event): void => {
    event.preventDefault();
    if (!isOff) {
      click(event.currentTarget as HTMLElement);
    }
  };
  const keyed = (event: KeyboardEvent): void => {
    if (!isPlain(event)) {
      return;
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      enter(event.currentTarget as HTMLElement);
    } else if (open !== null && event.key === (isOpen === true ? 'ArrowLeft' : 'ArrowRight')) {
      event.stopPropagation();
      open();
    }
  };
  return html`<span class="checkbox">
    <input
      type="checkbox"
      aria-label=${label}
      aria-disabled=${isOff ? 'true' : nothing}
      aria-keyshortcuts="Enter"
      title=${title}
      .checked=${live(state === 'in')}
      .indeterminate=${live(state === 'picked')}
      @click=${toggle}
      @keydown=${keyed}
    />
  </span>`;
}

/** The tokens of a row. The tooltip shows the price, because the column is too narrow. Null figures are unknown. */
export function rowSize(
  { tokens: of, state }: { readonly tokens: number | null; readonly state: ManagerRow['state'] | 'some' },
  { costPerToken }: { readonly costPerToken: number | null },
): TemplateResult {
  const cost = of === null || costPerToken === null ? null : aboutPrice(of * costPerToken);
  const isIn = state !== 'out' && state !== 'off';
  return html`<span class="figures item-tokens" title=${cost === null ? nothing : isIn ? `Costs ${cost} per request` : `Would add ${tokens(of ?? 0)} tokens, ${cost} per request`}
    >${cost === null || isIn ? nothing : html`<span class="sr-only">would add </span>`}${of === null ? '' : tokens(of)}${cost === null ? nothing : html`<span class="sr-only"> tokens, ${cost} per request</span>`}</span
  >`;
}
