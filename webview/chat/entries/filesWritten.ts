import { type TemplateResult, html, nothing } from 'lit';
import type { WhyUnapplied, WrittenFileView } from '../../../src/protocol/panel/toolCalls.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { posting } from '../../shared/events.js';
import { fileIcon, icon } from '../../shared/controls/icon.js';
import { revealHidden } from '../../shared/hidden.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from '../request/scope.js';

type RowScope = Pick<EntryScope, 'chatId' | 'isLocked'>;
type WrittenRow = Extract<WrittenFileView, { readonly kind: 'written' }>;
type UnappliedRow = Extract<WrittenFileView, { readonly kind: 'unapplied' }>;

/** Lists the file changes of a reply's tools. The user can open and undo changes, and compare failed edits. */
export function filesWritten(files: readonly WrittenFileView[], scope: RowScope): TemplateResult | typeof nothing {
  const count = files.filter(({ kind }) => kind === 'written').length;
  return files.length === 0
    ? nothing
    : html`<ul class="files-written" aria-label=${`Files written (${String(count)})`}>
        ${files.map((file) => (file.kind === 'written' ? writtenRow(file, scope) : unappliedRow(file, scope)))}
      </ul>`;
}

const STATES: Readonly<Record<WrittenRow['state'], { readonly word: string; readonly sign: string }>> = {
  applied: { word: 'applied', sign: 'check' },
  deleted: { word: 'deleted', sign: 'check' },
  undone: { word: 'undone', sign: 'discard' },
};

function writtenRow({ path, added, removed, state, messageId, hasEarlier }: WrittenRow, { chatId, isLocked }: RowScope): TemplateResult {
  const { word, sign } = STATES[state];
  const known = hasEarlier ? messageId : null;
  const open =
    known === null ? posting({ type: 'openFile', path, line: 1 }) : posting({ type: 'showWritten', chatId, messageId: known, path });
  const lines = added === null || removed === null ? 'changed' : `+${String(added)} −${String(removed)}`;
  return html`<li class="file-row is-${state}">
    <button type="button" class="file-written" title=${revealHidden(path)} @click=${open}>
      ${icon(fileIcon(path))}${fileName(path)} <span class="figures">${lines}</span>
      <span class="figures file-state">${icon(sign)}${word}</span>
    </button>
    ${
      known === null || isLocked || state === 'undone'
        ? nothing
        : html`<button
            type="button"
            class="link-button"
            aria-label=${`Undo ${revealHidden(path)}`}
            title="Restores the file as it was before this reply"
            @click=${posting({ type: 'undoWritten', chatId, messageId: known, path })}
          >
            Undo
          </button>`
    }
  </li>`;
}

const WHY: Readonly<Record<WhyUnapplied, string>> = {
  changed: 'changed after the model read it',
  repeated: 'contains the old text more than once',
  same: 'old and new text are the same',
  gone: 'file was deleted',
  there: 'file already exists',
  outside: 'outside the workspace folder',
  unreadable: 'cannot be read as text',
  notebook: 'tools cannot edit notebooks',
  notSaved: 'could not be saved',
};

function unappliedRow({ path, why, callId }: UnappliedRow, { chatId }: RowScope): TemplateResult {
  return html`<li class="file-row is-unapplied">
    <span class="file-unapplied" title=${revealHidden(path)}>
      ${icon(fileIcon(path))}${fileName(path)} <span class="file-why">${WHY[why]}</span> <span class="figures">not applied</span>
    </span>
    ${linkButton('Compare', posting({ type: 'showUnapplied', chatId, callId }))}
  </li>`;
}

function fileName(path: string): TemplateResult {
  const cut = path.lastIndexOf('/') + 1;
  return html`<span class="tool-name"
    >${visibleText(path.slice(cut))} <span class="tool-subject">${visibleText(path.slice(0, Math.max(0, cut - 1)))}</span></span
  >`;
}
