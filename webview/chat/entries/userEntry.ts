import { html, nothing, type TemplateResult } from 'lit';
import type { UserEntry } from '../../../src/protocol/view.js';
import { disclosure, iconButton } from '../../shared/controls.js';
import { copyButton } from '../../shared/copyButton.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/icon.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from './scope.js';

/** Beyond this a message is folded, so that a pasted file does not bury the conversation. */
const FOLD_LINES = 20;
const FOLD_LENGTH = 2_000;

export function userEntry(entry: UserEntry, scope: EntryScope): TemplateResult {
  const isLong = entry.text.length > FOLD_LENGTH || entry.text.split('\n').length > FOLD_LINES;
  const isOpen = scope.isOpen('text');
  return html`<article class="entry user" aria-label="You">
    <div class="bubble ${scope.isEdited ? 'edited' : ''} ${entry.unsent ? 'unsent' : ''}">
      <div class="user-text ${isLong && !isOpen ? 'folded' : ''}">${userText(entry.text)}</div>
      ${
        isLong
          ? disclosure(isOpen ? 'Show less' : 'Show all', isOpen, () => {
              scope.toggle('text');
            })
          : nothing
      }
      ${entry.unsent ? html`<div class="unsent-mark">${icon('circle-slash')}Not sent</div>` : nothing}
    </div>
    <div class="actions">
      ${iconButton({
        label: 'Edit',
        icon: 'edit',
        disabled: scope.isLocked,
        onClick: posting({ type: 'beginEdit', chatId: scope.chatId, messageId: entry.id }),
      })}
      ${copyButton(() => entry.text)}
    </div>
  </article>`;
}

const CODE = /(`[^`\n]+`)/;

/**
 * The user's text as it was typed. It is no Markdown: only code between backticks is set as code, since that is
 * how people write names; everything else keeps its lines and its characters.
 */
function userText(text: string): TemplateResult {
  return html`${text.split(CODE).map((piece, index) =>
    // split() puts what the group matched at the odd places.
    index % 2 === 1 ? html`<code>${visibleText(piece.slice(1, -1))}</code>` : visibleText(piece),
  )}`;
}
