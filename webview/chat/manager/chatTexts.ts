import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ChatTexts, FragmentRow, SessionFileRow } from '../../../src/protocol/panel/chatTexts.js';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import { iconButton } from '../../shared/controls/buttons.js';
import { textArea } from '../../shared/controls/controls.js';
import { post, posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { tokens } from '../../shared/numbers.js';
import { visibleText } from '../../shared/visibleText.js';

/** The last groups of the context pane: the session files of the chat, and custom fragments of its system prompt. */
export class ChatTextsElement extends LightElement {
  static override properties = reactive(['chat', 'texts', 'search'], ['editing']);
  declare chat: ChatView;
  declare texts: ChatTexts;
  declare search: string;
  /** The id of the fragment whose text is open. Null without an open text. */
  declare private editing: string | null;

  constructor() {
    super();
    this.editing = null;
  }

  protected override render(): TemplateResult {
    const wanted = this.search.trim().toLowerCase();
    const matches = (...words: readonly string[]): boolean => words.some((text) => text.toLowerCase().includes(wanted));
    const files = this.texts.files.filter(({ name, summary }) => matches(name, summary));
    const fragments = this.texts.fragments.filter(({ id, text }) => matches(id, text));
    return html`${wanted !== '' && files.length === 0 ? nothing : this.#files(files)}
    ${fragments.length === 0 ? nothing : this.#fragments(fragments)}`;
  }

  #files(files: readonly SessionFileRow[]): TemplateResult {
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
          ? html`<p class="manager-note">The model cannot read these files: the setting Workspace tools is off.</p>`
          : nothing
      }
    </div>`;
  }

  #file({ name, mimeType, summary, tokens: size }: SessionFileRow): TemplateResult {
    const { id: chatId, readOnly } = this.chat;
    const whole = revealHidden(name);
    return html`<li class="manager-row in">
      <div class="manager-line" title=${revealHidden(summary)}>
        <button type="button" class="file-link" title="Open ${whole}" @click=${posting({ type: 'openSessionFile', chatId, name })}>
          <span class="file-name">${visibleText(name)}</span>
        </button>
        <span class="manager-source">${visibleText(mimeType)}</span>
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
        <span class="figures item-tokens">${tokens(sum)}</span>
      </div>
      <ul>
        ${repeat(
          fragments,
          ({ id }) => id,
          (fragment) => this.#fragment(fragment),
        )}
      </ul>
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
