import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ChatTexts, FragmentRow, SessionFileRow } from '../../../src/protocol/panel/manager.js';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import { button, iconButton } from '../../shared/controls/buttons.js';
import { textArea, textField } from '../../shared/controls/controls.js';
import { post, posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { tokens } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';

type NewFragment = Pick<FragmentRow, 'id' | 'text'>;

/** The last groups of the context pane: the session files of the chat, and custom fragments of its system prompt. */
export class ChatTextsElement extends LightElement {
  static override properties = reactive(['chat', 'texts', 'search'], ['editing', 'adding']);
  declare chat: ChatView;
  declare texts: ChatTexts;
  declare search: string;
  /** The id of the fragment whose text is open. Null without an open text. */
  declare private editing: string | null;
  /** The fragment that the user writes. Null while its form is closed. */
  declare private adding: NewFragment | null;
  /** The fragment that the user added last. The host can refuse it. */
  #added: NewFragment | null = null;

  constructor() {
    super();
    this.editing = null;
    this.adding = null;
  }

  /** Closes the form once the chat has its fragment, or for another chat. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    const isOtherChat = changed.get('chat') !== undefined && changed.get('chat')?.id !== this.chat.id;
    const isAdded = this.adding !== null && this.adding === this.#added && this.#has(this.adding.id);
    if (isOtherChat || isAdded) {
      this.adding = null;
    }
  }

  #has(id: string): boolean {
    return this.texts.fragments.some((each) => each.id === id.trim());
  }

  protected override render(): TemplateResult {
    const wanted = this.search.trim().toLowerCase();
    const matches = (...words: readonly string[]): boolean => words.some((text) => text.toLowerCase().includes(wanted));
    const files = this.texts.files.filter(({ name, summary }) => matches(name, summary));
    const fragments = this.texts.fragments.filter(({ id, text }) => matches(id, text));
    const deleted = this.texts.deletedFiles.filter((name) => matches(name));
    return html`${wanted !== '' && files.length + deleted.length === 0 ? nothing : this.#files(files, deleted)}
    ${wanted !== '' && fragments.length === 0 ? nothing : this.#fragments(fragments)}`;
  }

  #files(files: readonly SessionFileRow[], deleted: readonly string[]): TemplateResult {
    const { id: chatId, readOnly } = this.chat;
    const sum = files.reduce((total, each) => total + (each.tokens ?? 0), 0);
    return html`<div class="manager-section" role="group" aria-label="Session files (${String(files.length)})">
      <div class="manager-head">
        <span class="manager-plain"
          ><span class="manager-title">Session files</span> <span class="figures">${tokens(files.length)}</span></span
        >
        ${readOnly === null ? iconButton({ label: 'New session file', icon: 'add', onClick: posting({ type: 'newSessionFile', chatId }) }) : nothing}
        <span class="figures item-tokens" title="Tokens when the model reads the files">${tokens(sum)}</span>
      </div>
      ${
        files.length === 0
          ? html`<p class="none">No session files yet. They are files of this chat only, for you and the model.</p>`
          : html`<ul>
              ${repeat(
                files,
                ({ name }) => name,
                (file) => this.#file(file),
              )}
            </ul>`
      }
      ${
        files.length > 0 && this.texts.lacksTools
          ? html`<p class="manager-note">The model cannot read these files: the next request has no tool for them.</p>`
          : nothing
      }
      ${deleted.length === 0 ? nothing : html`<ul aria-label="Deleted session files">${deleted.map((name) => this.#deleted(name))}</ul>`}
    </div>`;
  }

  #deleted(name: string): TemplateResult {
    return html`<li class="manager-row out">
      <div class="manager-line">
        <span class="file-name">${visibleText(name)}</span>
        <span class="figures">deleted</span>
        ${this.#restore(`Restore ${revealHidden(name)}`, name)}
      </div>
    </li>`;
  }

  #restore(label: string, name: string): TemplateResult | typeof nothing {
    const { id: chatId, readOnly } = this.chat;
    return readOnly === null
      ? iconButton({ label, icon: 'discard', onClick: posting({ type: 'restoreSessionFile', chatId, name }) })
      : nothing;
  }

  #file({ name, mimeType, summary, tokens: size, hasEarlier }: SessionFileRow): TemplateResult {
    const { id: chatId, readOnly } = this.chat;
    const whole = revealHidden(name);
    return html`<li class="manager-row in">
      <div class="manager-line" title=${revealHidden(summary)}>
        <button type="button" class="file-link" title="Open ${whole}" @click=${posting({ type: 'openSessionFile', chatId, name })}>
          <span class="file-name">${visibleText(name)}</span>
        </button>
        <span class="manager-source">${visibleText(mimeType)}</span>
        ${hasEarlier ? this.#restore(`Restore an earlier version of ${whole}`, name) : nothing}
        ${
          readOnly === null
            ? iconButton({ label: `Delete ${whole}`, icon: 'trash', onClick: posting({ type: 'deleteSessionFile', chatId, name }) })
            : nothing
        }
        <span class="figures item-tokens">${size === null ? '' : tokens(size)}</span>
      </div>
    </li>`;
  }

  #fragments(fragments: readonly FragmentRow[]): TemplateResult {
    const sum = fragments.reduce((total, each) => total + each.tokens, 0);
    return html`<div class="manager-section" role="group" aria-label="System prompt (${String(fragments.length)})">
      <div class="manager-head">
        <span class="manager-plain"
          ><span class="manager-title">System prompt</span> <span class="figures">${tokens(fragments.length)}</span></span
        >
        ${
          this.chat.readOnly === null
            ? iconButton({
                label: 'New instructions',
                icon: 'add',
                expanded: this.adding !== null,
                onClick: () => {
                  this.adding = this.adding === null ? { id: '', text: '' } : null;
                },
              })
            : nothing
        }
        <span class="figures item-tokens">${tokens(sum)}</span>
      </div>
      ${this.adding === null ? nothing : this.#newFragment(this.adding)}
      ${
        fragments.length === 0
          ? html`<p class="none">No instructions yet. Every request of this chat contains them.</p>`
          : html`<ul>
              ${repeat(
                fragments,
                ({ id }) => id,
                (fragment) => this.#fragment(fragment),
              )}
            </ul>`
      }
    </div>`;
  }

  /** The form for a new fragment. A name that is taken would replace another text. */
  #newFragment(fragment: NewFragment): TemplateResult {
    const { id, text } = fragment;
    const name = id.trim();
    const isTaken = this.#has(id);
    const field = (label: string, value: string, onInput: (value: string) => void) => ({
      ...{ label, value, placeholder: label, disabled: false, onInput, onCommit: () => undefined },
    });
    return html`<div class="manager-form">
      ${textField(
        field('Name of the instructions', id, (value) => {
          this.adding = { id: value, text: this.adding?.text ?? '' };
        }),
      )}
      ${textArea(
        field('Instructions', text, (value) => {
          this.adding = { id: this.adding?.id ?? '', text: value };
        }),
      )}
      ${isTaken ? html`<p class="manager-note">This chat already has instructions with this name.</p>` : nothing}
      ${button('Add', 'primary', () => {
        if (name !== '' && text.trim() !== '' && !isTaken) {
          this.#added = fragment;
          post(this, { type: 'setFragment', chatId: this.chat.id, id: name, text });
        }
      })}
    </div>`;
  }

  #fragment({ id, text, tokens: size }: FragmentRow): TemplateResult {
    const { id: chatId, readOnly } = this.chat;
    const isOpen = this.editing === id;
    const name = revealHidden(id);
    return html`<li class="manager-row in">
      <div class="manager-line">
        <button
          type="button"
          class="file-link"
          title="Instructions from ${name}, which every request of this chat contains"
          aria-expanded=${isOpen}
          @click=${() => {
            this.editing = isOpen ? null : id;
          }}
        >
          <span class="file-name">Instructions from ${visibleText(id)}</span>
        </button>
        <span class="manager-source"></span>
        ${
          readOnly === null
            ? iconButton({
                label: `Remove the instructions from ${name}`,
                icon: 'trash',
                onClick: posting({ type: 'removeFragment', chatId, id }),
              })
            : nothing
        }
        <span class="figures item-tokens">${tokens(size)}</span>
      </div>
      ${
        isOpen
          ? textArea({
              label: `Text of the instructions from ${name}`,
              value: text,
              placeholder: '',
              disabled: readOnly !== null,
              onInput: () => undefined,
              onCommit: (written) => {
                post(this, { type: 'setFragment', chatId, id, text: written });
              },
            })
          : nothing
      }
    </li>`;
  }
}
