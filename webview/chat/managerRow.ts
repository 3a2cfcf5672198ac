import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { UNUSED_REPLIES, type ManagedType, type ManagerRow } from '../../src/protocol/manager.js';
import { linkButton } from '../shared/buttons.js';
import { post, posting } from '../shared/events.js';
import { revealHidden } from '../shared/hidden.js';
import { isPlain } from '../shared/keys.js';
import { tokens } from '../shared/numbers.js';
import { visibleText } from '../shared/visibleText.js';
import { fileLink } from './fileLink.js';
import { includeModePill, includeModeWords } from './includeMode.js';

export interface ManagerRowScope {
  readonly type: ManagedType;
  readonly chatId: string;
  /** Whether the chat cannot be changed. */
  readonly isLocked: boolean;
  /** Is called before a row goes, with its box. */
  readonly leave: (box: EventTarget | null) => void;
}

const BOX_TITLES = {
  in: 'In this chat. Uncheck to remove it.',
  picked: 'The next request holds it for your message or your files. Check to send it with each message.',
  out: 'Check to send it with each message of this chat.',
  off: 'It cannot be added.',
} as const;

/** An item with its box: Space adds and removes it, Enter opens its file. */
export function managerRow(row: ManagerRow, scope: ManagerRowScope): TemplateResult {
  const { key, name, source, state, score, includeMode, note } = row;
  const mode = includeMode === null ? '' : ` [${includeModeWords(includeMode, score)}]`;
  return html`<li class="manager-row ${state}">
    <div class="manager-line">
      ${box(row, scope, mode)}
      ${fileLink({ chatId: scope.chatId, key, path: name, note: mode, isTabStop: false })}
      <span class="manager-source" title=${revealHidden(source ?? '')}>${visibleText(source ?? '')}</span>
      ${includeMode === null ? nothing : includeModePill(includeMode, score)}
      <span class="figures item-tokens">${row.tokens === null ? '' : tokens(row.tokens)}</span>
    </div>
    ${note === null ? nothing : html`<p class="manager-note">${visibleText(note)}</p>`}
    ${
      row.isUnused
        ? html`<p class="manager-note">
            Not named in ${UNUSED_REPLIES} replies.
            ${linkButton('Remove it', posting({ type: 'removeItems', chatId: scope.chatId, keys: [key] }))}
          </p>`
        : nothing
    }
  </li>`;
}

function box({ key, name, state }: ManagerRow, { type, chatId, isLocked, leave }: ManagerRowScope, mode: string): TemplateResult {
  const isOff = isLocked || state === 'off';
  const toggle = (event: Event): void => {
    event.preventDefault();
    const target = event.currentTarget as HTMLElement;
    if (isOff) {
      return;
    }
    if (state === 'in' && type === 'file') {
      leave(target);
    }
    post(target, state === 'in' ? { type: 'removeContext', chatId, key } : { type: 'addCatalogItems', chatId, keys: [key] });
  };
  const open = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && isPlain(event)) {
      event.preventDefault();
      post(event.currentTarget as HTMLElement, { type: 'openContextItem', chatId, key });
    }
  };
  return html`<span class="checkbox">
    <input
      type="checkbox"
      aria-label="${revealHidden(name)}${mode}"
      aria-disabled=${isOff ? 'true' : nothing}
      aria-keyshortcuts="Enter"
      title=${BOX_TITLES[state]}
      .checked=${live(state === 'in')}
      .indeterminate=${live(state === 'picked')}
      @click=${toggle}
      @keydown=${open}
    />
  </span>`;
}
