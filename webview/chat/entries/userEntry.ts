import { html, nothing, type TemplateResult } from 'lit';
import type { ImageView, UserEntry, TurnVersions } from '../../../src/protocol/panel/entries.js';
import { disclosure, iconButton, linkButton } from '../../shared/controls/buttons.js';
import { copyButton } from '../../shared/controls/copyButton.js';
import { posting } from '../../shared/events.js';
import { dotted } from '../../shared/dotted.js';
import { icon } from '../../shared/controls/icon.js';
import { counted, tokensWithUnit } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';
import { exclusionLine } from '../request/exclusion.js';
import { menuItems, messageMenu, pinned } from './messageMenu.js';
import { MOST_THUMBNAILS, thumbnails } from './thumbnails.js';
import type { EntryScope } from '../request/scope.js';

const MARKS = {
  sent: null,
  unsent: {
    icon: 'circle-slash',
    text: 'Failed, not part of the chat',
    about: 'This message got no complete reply. Later requests do not contain it.',
  },
  queued: {
    icon: 'watch',
    text: 'Waiting to be sent',
    about: 'Loupe sends this message after the current reply. If the reply fails or you stop it, the message waits for you.',
  },
} as const satisfies Record<UserEntry['status'], unknown>;

/** Shown on a queued message that Loupe does not send automatically. The user must send it or take it back. */
const HELD = {
  icon: 'debug-pause',
  text: 'Not sent yet',
  about: 'The reply before this message failed or was stopped, or VS Code was closed.',
} as const;

/** Number of visible lines of a long message. A click shows the rest. */
const FOLD_LINES = 20;
const FOLD_LENGTH = 2_000;

export function userEntry(entry: UserEntry, scope: EntryScope): TemplateResult {
  const isLong = entry.text.length > FOLD_LENGTH || entry.text.split('\n').length > FOLD_LINES;
  const isOpen = scope.isOpen('text');
  const mark = markOf(entry, scope);
  return html`<article tabindex="-1" class="entry user ${stateClasses(entry)}" aria-label="You">
    ${pinned(entry, scope)}
    <div class="bubble ${scope.isEdited ? 'edited' : ''} ${mark === null ? '' : 'not-sent'}">
      ${content(entry, scope, isLong && !isOpen)}
      ${
        isLong
          ? disclosure(isOpen ? 'Show less' : 'Show all', isOpen, () => {
              scope.toggle('text');
            })
          : nothing
      }
      ${entry.versions === null ? nothing : versionsOf(entry.versions, scope)}
      ${mark === null ? nothing : markLine(mark, entry, scope)}
    </div>
    ${exclusionLine(entry, scope)}
    <div class="actions">
      ${entry.status === 'queued' ? nothing : editButton(entry, scope)}
      ${entry.status === 'unsent' ? retryButton(entry, scope) : nothing}
      ${copying(entry)} ${entry.status === 'sent' ? messageMenu(menuItems({ ...entry, isTurnExcluded: entry.isExcluded, canFork: false }, scope)) : nothing}
    </div>
  </article>`;
}

function content({ text, images, imagesFirst, imageTokens }: UserEntry, scope: EntryScope, isFolded: boolean): TemplateResult {
  const shown = scope.isOpen('images') ? images : images.slice(0, MOST_THUMBNAILS);
  const more = images.length - shown.length;
  const isMoreBefore = shown.length < imagesFirst || images.length === imagesFirst;
  return html`${userImages(shown.slice(0, imagesFirst), isMoreBefore ? more : 0, scope)}
    ${text === '' ? nothing : html`<div dir="auto" class="user-text ${isFolded ? 'folded' : ''}">${userText(text)}</div>`}
    ${userImages(shown.slice(imagesFirst), isMoreBefore ? 0 : more, scope)} ${imageTokens === null ? nothing : tokensLine(images.length, imageTokens)}`;
}

function userImages(images: readonly ImageView[], more: number, scope: EntryScope): TemplateResult | typeof nothing {
  const onMore = (): void => {
    scope.toggle('images');
  };
  return thumbnails({ chatId: scope.chatId, images, more, onMore }, 'user-images');
}

function tokensLine(images: number, { tokens, isEstimate }: NonNullable<UserEntry['imageTokens']>): TemplateResult {
  return html`<div class="image-tokens">${counted(images, 'image')}, ${tokensWithUnit(tokens, isEstimate ? 'estimate' : 'exact')}</div>`;
}

/** The button that copies the text of a message. A message with only images has no such button. */
function copying({ text }: UserEntry): TemplateResult | typeof nothing {
  return text === '' ? nothing : copyButton(() => text);
}

function stateClasses({ status, isExcluded }: UserEntry): string {
  return isExcluded ? `${status} is-left-out` : status;
}

type Mark = NonNullable<(typeof MARKS)[keyof typeof MARKS]> | typeof HELD;

function markOf({ status }: UserEntry, { isLocked }: EntryScope): Mark | null {
  return status === 'queued' && !isLocked ? HELD : MARKS[status];
}

function editButton({ id: messageId }: UserEntry, { chatId, isLocked }: EntryScope): TemplateResult {
  return iconButton({ label: 'Edit', icon: 'edit', disabled: isLocked, onClick: posting({ type: 'beginEdit', chatId, messageId }) });
}

/** Sends a failed message again. After a later message has failed, too, this message has no note of its own. */
function retryButton({ id: messageId }: UserEntry, { chatId, isLocked }: EntryScope): TemplateResult {
  return iconButton({ label: 'Retry', icon: 'refresh', disabled: isLocked, onClick: posting({ type: 'retry', chatId, messageId }) });
}

/** What becomes of a message that is not in the chat. A queued message has its buttons here. */
function markLine(mark: Mark, { id: messageId, status }: UserEntry, { chatId }: EntryScope): TemplateResult {
  return html`<div class="not-sent-mark">
    ${dotted([
      html`<span title=${mark.about}>${icon(mark.icon)} ${mark.text}</span>`,
      ...(mark === HELD ? [linkButton('Send now', posting({ type: 'sendQueued', chatId, messageId }))] : []),
      ...(status === 'queued' ? [linkButton('Take back', posting({ type: 'takeBack', chatId, messageId }))] : []),
    ])}
  </div>`;
}

const CODE = /(`[^`\n]+`)/;

/**
 * Shows the user's text as typed, not as Markdown. Only text between backticks is shown as code, without the backticks,
 * because people write names this way.
 */
function userText(text: string): TemplateResult {
  return html`${text.split(CODE).map((piece, index) =>
    // `split` puts the code between backticks at odd indexes.
    index % 2 === 1 ? html`<code>${visibleText(piece.slice(1, -1))}</code>` : visibleText(piece),
  )}`;
}

/** Shows the number of the visible version of a message, with buttons for the other versions. */
function versionsOf({ number, count, earlier, later }: TurnVersions, scope: EntryScope): TemplateResult {
  const words = `Version ${String(number)} of ${String(count)}`;
  return html`<div class="versions" role="group" aria-label=${words}>
    ${step('Earlier version', 'chevron-left', earlier, scope)}
    <span class="figures" aria-hidden="true" title=${`${words} of this message and its reply`}>${number}/${count}</span>
    ${step('Later version', 'chevron-right', later, scope)}
  </div>`;
}

function step(label: string, icon: string, rewindId: string | null, { chatId, isLocked }: EntryScope): TemplateResult {
  return iconButton({
    label,
    icon,
    disabled: isLocked || rewindId === null,
    onClick: rewindId === null ? () => undefined : posting({ type: 'showVersion', chatId, rewindId }),
  });
}
