import { html, nothing, type TemplateResult } from 'lit';
import type { WrittenFileView } from '../../../src/protocol/restorableFile.js';
import { posting } from '../../shared/events.js';
import { fileIcon } from '../../shared/fileIcon.js';
import { icon } from '../../shared/icon.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from './scope.js';

/** What the tools of a reply wrote: a row for each file, which shows its difference. */
export function filesWritten(files: readonly WrittenFileView[], { chatId, userMessageId }: EntryScope): TemplateResult | typeof nothing {
  return files.length === 0
    ? nothing
    : html`<ul class="files-written" aria-label=${`Files written (${String(files.length)})`}>
        ${files.map((file) => row(file, { chatId, userMessageId }))}
      </ul>`;
}

function row(
  { path, added, removed, isGone }: WrittenFileView,
  { chatId, userMessageId }: Pick<EntryScope, 'chatId' | 'userMessageId'>,
): TemplateResult {
  const cut = path.lastIndexOf('/') + 1;
  const open =
    userMessageId === null
      ? posting({ type: 'openFile', path, line: 1 })
      : posting({ type: 'compareRestored', chatId, messageId: userMessageId, path });
  const lines = added === null || removed === null ? 'changed' : `+${String(added)} −${String(removed)}`;
  return html`<li>
    <button type="button" class="file-written" title=${path} @click=${open}>
      ${icon(fileIcon(path))}<span class="tool-name">${visibleText(path.slice(cut))} <span class="tool-subject">${visibleText(path.slice(0, Math.max(0, cut - 1)))}</span></span>
      <span class="figures">${lines}</span><span class="figures file-state">${icon('check')}${isGone ? 'deleted' : 'applied'}</span>
    </button>
  </li>`;
}
