import { html, nothing, type TemplateResult } from 'lit';
import type { UserEntry } from '../../../src/protocol/view.js';
import { disclosure, iconButton } from '../../shared/controls.js';
import { copyButton } from '../../shared/copyButton.js';
import { posting } from '../../shared/events.js';
import { icon } from '../../shared/icon.js';
import { visibleText } from '../../shared/visibleText.js';
import type { EntryScope } from './scope.js';

const MARKS = {
  sent: null,
  unsent: { icon: 'circle-slash', text: 'Not sent' },
  queued: { icon: 'watch', text: 'Waiting to be sent' },
} as const satisfies Record<UserEntry['status'], unknown>;

/** Beyond this a message is folded, so that a pasted file does not bury the conversation. */
const FOLD_LINES = 20;
const FOLD_LENGTH = 2_000;

export function userEntry(entry: UserEntry, scope: EntryScope): TemplateResult {
  const isLong = entry.text.length > FOLD_LENGTH || entry.text.split('\n').length > FOLD_LINES;
  const isOpen = scope.isOpen('text');
  const mark = MARKS[entry.status];
  return html`<article class="entry user ${entry.status}" aria-label="You">
    <div class="bubble ${scope.isEdited ? 'edited' : ''} ${mark === null ? '' : 'not-sent'}">
      <div class="user-text ${isLong && !isOpen ? 'folded' : ''}">${userText(entry.text)}</div>
      ${
        isLong
          ? disclosure(isOpen ? 'Show less' : 'Show all', isOpen, () => {
              scope.toggle('text');
            })
          : nothing
      }
      ${mark === null ? nothing : html`<div class="not-sent-mark">${icon(mark.icon)}${mark.text}</div>`}
    </div>
    <div class="actions">
      ${entry.status === 'queued' ? queuedActions(entry, scope) : editButton(entry, scope)}
      ${copyButton(() => entry.text)}
    </div>
  </article>`;
}

function editButton({ id: messageId }: UserEntry, { chatId, isLocked }: EntryScope): TemplateResult {
  return iconButton({ label: 'Edit', icon: 'edit', disabled: isLocked, onClick: posting({ type: 'beginEdit', chatId, messageId }) });
}

/** The window that put it there sends it when the chat is free; when that is gone, somebody has to. */
function queuedActions({ id: messageId }: UserEntry, { chatId, isLocked }: EntryScope): TemplateResult {
  return html`${iconButton({
    label: 'Send now',
    icon: 'send',
    disabled: isLocked,
    onClick: posting({ type: 'sendQueued', chatId, messageId }),
  })}${iconButton({
    label: 'Take back into the message box',
    icon: 'edit',
    disabled: false,
    onClick: posting({ type: 'takeBack', chatId, messageId }),
  })}`;
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
