import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import type { MentionRow, Mentions } from '../../../src/protocol/panel/toWebview.js';
import type { RestoreOfferView } from '../../../src/protocol/panel/toolCalls.js';
import type { ChatCommand } from '../../../src/protocol/panel/chatCommands.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { WithMessageRow } from '../../../src/protocol/panel/composer.js';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import { caretOf, replaceText, textArea } from '../../shared/controls/controls.js';
import { announce, post } from '../../shared/events.js';
import { icon } from '../../shared/controls/icon.js';
import { isPlain } from '../../shared/keys.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { restoreStrip } from '../questions/restoreStrip.js';
import { visibleText } from '../../shared/visibleText.js';
import { addItems } from './addMenu.js';
import { awaitedStrip } from './awaitedStrip.js';
import type { PendingImage } from './pendingImages.js';
import { commandIn, type Mention } from './mention.js';
import { MentionPopup } from './mentionPopup.js';
import { agentButton, agentOf, modelButton } from '../settings/chooserButtons.js';
import { pageOffer, pastedAddress } from './pageOffer.js';
import { PromptHistory } from './promptHistory.js';
import { editStrip, elsewhereStrip, refusedStrip, shortenedStrip } from './strips.js';
import { summarizeFirst } from './summarizeFirst.js';
import { withMessageRows } from './withMessage.js';

/** Time in ms in which a second Enter does not send the same text again, because the host clears the text late. */
const SEND_AGAIN_MS = 1_000;

/** The message box with its controls. The panel stores the text, and clears the text when the host says so. */
export class ComposerElement extends LightElement {
  static override properties = reactive(
    [
      'chat',
      'text',
      'rows',
      'pending',
      'hasFolder',
      'isEditing',
      'restoreOffer',
      'isShortened',
      'isAnsweredElsewhere',
      'isAwaitingSummary',
      'firstSummary',
      'problem',
      'prompts',
      'onInput',
    ],
    ['isRefused', 'pasted'],
  );
  declare chat: ChatView;
  declare text: string;
  declare rows: readonly WithMessageRow[];
  /** Images that the host has not added to the draft yet. */
  declare pending: readonly PendingImage[];
  declare hasFolder: boolean;
  declare isEditing: boolean;
  /** Files that tools changed after the edited message and that the user can restore. Null without such files. */
  declare restoreOffer: RestoreOfferView | null;
  declare isShortened: boolean;
  /** Whether another VS Code window is writing a reply in this chat. New messages then wait until the reply ends. */
  declare isAnsweredElsewhere: boolean;
  declare isAwaitingSummary: boolean;
  /** The cost of a summary before the first message after the expiry of the cache, in US dollars. Null without one. */
  declare firstSummary: number | null;
  /** The reason why the next request cannot be sent. Null when the request can be sent. */
  declare problem: string | null;
  /** Returns the texts of the user's earlier messages in this chat, oldest first. */
  declare prompts: () => readonly string[];
  declare onInput: (text: string) => void;
  /** Whether the user pressed Enter while the request could not be sent. */
  declare private isRefused: boolean;
  /** The address of a web page that the user pasted last and has not added. */
  declare private pasted: string | undefined;
  readonly #mentions = new MentionPopup({
    ask: ({ mark, text }) => {
      post(this, { type: 'findMentions', chatId: this.chat.id, mark, text });
    },
    pick: (row, mention) => {
      this.#take(row, mention);
    },
    send: () => {
      this.#enter();
    },
    announce: (text) => {
      announce(this, text);
    },
    changed: () => {
      this.requestUpdate();
    },
  });
  #history = new PromptHistory();
  #sent: { readonly chatId: string; readonly text: string; readonly at: number } | null = null;

  override focus(): void {
    this.#box()?.focus();
  }

  mentioned(mentions: Mentions): void {
    this.#mentions.found(mentions);
  }

  #box(): HTMLElement | null {
    return this.querySelector<HTMLElement>('vscode-text-area');
  }

  protected override render(): TemplateResult {
    const { chat } = this;
    const isReadOnly = chat.readOnly !== null;
    return html`${this.isAnsweredElsewhere ? elsewhereStrip() : nothing} ${this.isAwaitingSummary ? awaitedStrip(chat.id) : nothing}
      ${this.isEditing ? editStrip(this.#cancelEdit) : nothing}
      ${this.restoreOffer === null ? nothing : restoreStrip(this.restoreOffer, this.chat.id, this.#post)} ${this.isShortened ? shortenedStrip(this.#takeOriginalBack) : nothing}
      ${this.isRefused && this.problem !== null ? refusedStrip() : nothing} ${pageOffer(this.pasted, this.text, this.#addPage)} ${this.#mentions.render()}
      <div
        class="composer ${isReadOnly ? 'disabled' : ''}"
        @keydown=${this.#keyed}
        @keyup=${this.#caretMoved}
        @click=${this.#caretMoved}
        @focusout=${this.#left}
        @paste=${this.#pasted}
      >
        ${withMessageRows(this.rows, this.pending, { chatId: chat.id, from: this, hasFolder: this.hasFolder, onRemoved: this.#focus })}
        ${isReadOnly ? html`<div class="read-only">${icon('lock')}<span>${visibleText(chat.readOnly)}</span></div>` : nothing}
        ${textArea({
          label: 'Message',
          value: this.text,
          placeholder: isReadOnly ? '' : 'Ask anything, @ adds context, / runs commands',
          disabled: isReadOnly,
          onInput: this.#typed,
          onCommit: () => undefined,
        })}
        <div class="composer-tools">
          <loupe-menu .label=${'Add'} .icon=${'add'} .isDisabled=${isReadOnly} .items=${addItems(chat.id, this.#post)}></loupe-menu>
          ${isReadOnly ? nothing : repliers(chat)}
          <span class="spring"></span>
          ${this.#sendOrStop()}
        </div>
      </div>`;
  }

  #sendOrStop(): TemplateResult {
    return this.chat.running
      ? html`${this.#canSubmit() ? this.#sendButton('Send after this reply') : nothing}
          <button type="button" class="send stop" title="Stop (Escape)" aria-label="Stop" @click=${this.#stop}>
            ${icon('debug-stop')}
          </button>`
      : html`${this.firstSummary === null || this.isEditing ? nothing : summarizeFirst(this.firstSummary, this.chat.id, this.#canSend() && commandIn(this.text) === null ? this.text : null)}
          ${this.#sendButton('Send')}`;
  }

  #sendButton(label: string): TemplateResult {
    const problem = commandIn(this.text) === null ? this.problem : null;
    return html`<button
      type="button"
      class="send"
      title=${problem ?? `${label} (Enter)`}
      aria-label=${label}
      ?disabled=${!this.#canSubmit()}
      @mousedown=${keepFocus}
      @click=${this.#submit}
    >
      ${icon('send')}
    </button>`;
  }

  /** Whether the user can send or queue a message. During a reply, the user can queue a new message, not an edit. */
  #canSend(): boolean {
    const { chat, text, rows, pending, problem } = this;
    const isFree = !this.isEditing || !(chat.running || this.isAnsweredElsewhere);
    // Sending waits for pending images.
    const hasImage = pending.length > 0 || rows.some(({ kind }) => kind === 'image');
    return isFree && problem === null && chat.readOnly === null && (text.trim() !== '' || hasImage);
  }

  /** Whether *Send* has an effect. A command runs also when the next request has a problem. */
  #canSubmit(): boolean {
    return this.#canSend() || (this.chat.readOnly === null && commandIn(this.text) !== null);
  }

  readonly #focus = (): void => {
    this.focus();
  };

  readonly #post = (message: ToHost): void => {
    post(this, message);
  };

  readonly #keyed = (event: KeyboardEvent): void => {
    const isInText = event.target instanceof Element && event.target.localName === 'vscode-text-area';
    // While an input method composes a character, all keys belong to the input method.
    if (event.isComposing || !isInText) {
      return;
    }
    if (isPlain(event) && event.key !== 'Enter' && this.#mentions.key(event.key)) {
      event.preventDefault();
    } else {
      this.#keyedInText(event);
    }
  };

  #keyedInText(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      this.#submit();
    } else if ((event.key === 'ArrowUp' || event.key === 'ArrowDown') && isPlain(event) && !this.isEditing) {
      this.#recall(event);
    }
  }

  /** Handles Enter and *Send*. While the list of a mention is open, uses its chosen row. */
  readonly #submit = (): void => {
    if (this.#mentions.submit(this.text)) {
      this.focus();
    } else {
      this.#enter();
    }
  };

  #enter(): void {
    this.isRefused = this.problem !== null;
    if (this.problem !== null) {
      announce(this, this.problem);
    }
    this.#send();
  }

  readonly #typed = (text: string): void => {
    this.onInput(text);
    this.#mentions.typed(text, caretOf(this.#box()));
  };

  readonly #pasted = (event: ClipboardEvent): void => {
    this.pasted = pastedAddress(event) ?? this.pasted;
  };

  readonly #addPage = (): void => {
    post(this, { type: 'addPage', chatId: this.chat.id, address: this.pasted ?? null });
    this.pasted = undefined;
    this.focus();
  };

  readonly #caretMoved = (): void => {
    this.#mentions.typed(this.text, caretOf(this.#box()));
  };

  readonly #left = (): void => {
    this.#mentions.typed(this.text, null);
  };

  /** Adds the chosen item and inserts its name, or runs the command. The host inserts prompts. */
  #take({ key, kind, name }: MentionRow, { mark, from, text }: Mention): void {
    if (kind === 'serverLog') {
      post(this, { type: 'showServerLog', server: key });
      return;
    }
    if (kind === 'server') {
      post(this, { type: 'startToFind', chatId: this.chat.id, server: key, mark, text });
      return;
    }
    const isItem = mark === '@';
    const before = this.text.slice(0, from) + (isItem ? `@${name} ` : '');
    const behind = this.text.slice(from + 1 + text.length);
    const written = before + (isItem ? behind.replace(/^ /, '') : behind);
    const box = this.#box();
    if (box !== null) {
      replaceText(box, written, before.length);
    }
    this.onInput(written);
    const chatId = this.chat.id;
    if (kind === 'command') {
      post(this, { type: 'chatCommand', chatId, command: key as ChatCommand, text: text.replace(/^\S*\s*/, '') });
    } else {
      post(this, isItem ? { type: 'mention', chatId, key } : { type: 'usePrompt', chatId, key, at: from });
    }
  }

  /** Shows an earlier or later prompt, if the cursor is at the start or the end of the text. */
  #recall(event: KeyboardEvent): void {
    const { text } = this;
    const caret = caretOf(event.target);
    const isAtStart = caret === 0;
    const isAtEnd = caret === text.length && this.#history.isShowing(text);
    if (isAtStart || isAtEnd) {
      const recalled = event.key === 'ArrowUp' ? this.#history.older(text, this.prompts()) : this.#history.newer(text, this.prompts());
      if (recalled !== null) {
        event.preventDefault();
        this.onInput(recalled);
      }
    }
  }

  protected override updated(): void {
    this.querySelector('.mention.chosen')?.scrollIntoView({ block: 'nearest' });
  }

  /** Resets state that belongs to an earlier text, problem or chat. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('text')) {
      this.#sent = null;
      this.#mentions.shown(this.text);
    }
    if (this.problem === null) {
      this.isRefused = false;
    }
    if (changed.get('chat') !== undefined && changed.get('chat')?.id !== this.chat.id) {
      this.#history = new PromptHistory();
    }
  }

  readonly #send = (): void => {
    const { chat, text } = this;
    const sent = this.#sent;
    const isRepeated = sent?.chatId === chat.id && sent.text === text && performance.now() - sent.at < SEND_AGAIN_MS;
    if (!this.#canSend() || isRepeated) {
      return;
    }
    this.#sent = { chatId: chat.id, text, at: performance.now() };
    post(this, { type: 'send', chatId: chat.id, text });
    this.focus();
  };

  readonly #stop = (): void => {
    post(this, { type: 'stop', chatId: this.chat.id });
    this.focus();
  };

  readonly #takeOriginalBack = (): void => {
    post(this, { type: 'takeOriginalBack', chatId: this.chat.id });
    this.focus();
  };

  readonly #cancelEdit = (): void => {
    post(this, { type: 'cancelEdit', chatId: this.chat.id });
    this.focus();
  };
}

/** Keeps the focus in the message box, because the list of a mention closes without the focus. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

function repliers(chat: ChatView): TemplateResult {
  return html`${modelButton(chat)} ${agentOf(chat) === '' ? nothing : agentButton(chat)}`;
}
