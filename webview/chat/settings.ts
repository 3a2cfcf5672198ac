import { html, nothing, type TemplateResult } from 'lit';
import type { ChatView, ModelOption } from '../../src/protocol/view.js';
import type { ToHost } from '../../src/protocol/toHost.js';
import { dropdown, iconButton, linkButton, textArea, textField } from '../shared/controls.js';
import { post } from '../shared/events.js';
import { LightElement } from '../shared/lightElement.js';
import { CACHE_CHOICES, isCacheMode, modelChoices } from './choices.js';
import { type CountRule, parseCount } from './integerSetting.js';

type Change = Extract<ToHost, { type: 'changeConfig' }>['change'];
type CountName = 'maxPromptTokens' | 'reservedResponseTokens';

const COUNTS: Readonly<Record<CountName, CountRule>> = {
  maxPromptTokens: { least: 1, emptyIsNull: true },
  reservedResponseTokens: { least: 0, emptyIsNull: false },
};

/** The configuration of this one chat. A change is sent when it is complete, and only when it is valid. */
export class SettingsElement extends LightElement {
  static override properties = {
    chat: { attribute: false },
    models: { attribute: false },
    onClose: { attribute: false },
    problems: { state: true },
  };
  declare chat: ChatView;
  declare models: readonly ModelOption[];
  declare onClose: () => void;
  declare private problems: Readonly<Partial<Record<CountName, string>>>;

  constructor() {
    super();
    this.problems = {};
  }

  /** The focus comes along, so that Escape and Tab work from the start. */
  protected override firstUpdated(): void {
    this.querySelector<HTMLElement>('.pane')?.focus();
  }

  protected override render(): TemplateResult {
    return html`<section
      class="pane settings"
      role="region"
      aria-label="Chat settings"
      tabindex="-1"
      @keydown=${this.#keyed}
    >
      <div class="pane-head">
        <h2>Chat settings</h2>
        ${iconButton({ label: 'Close', icon: 'close', onClick: this.onClose })}
      </div>
      <div class="pane-body">
        <p class="hint">They hold for this chat only.</p>
        ${this.#choices()} ${this.#prompt()}
        ${this.#count('maxPromptTokens', 'Max prompt tokens', 'Model limit')}
        ${this.#count('reservedResponseTokens', 'Reserved response tokens', '')}
      </div>
    </section>`;
  }

  #choices(): TemplateResult {
    const { settings } = this.chat;
    return html`<div class="field">
        <span class="field-label" aria-hidden="true">Model</span>
        ${dropdown('Model', settings.model, modelChoices(this.models, settings.model), (model) => {
          this.#change({ model });
        })}
        <p class="field-links">
          ${linkButton('Add a provider', () => {
            post(this, { type: 'addProvider' });
          })}
          ${linkButton('Set key', () => {
            post(this, { type: 'setApiKey', chatId: this.chat.id });
          })}
        </p>
      </div>
      <div class="field">
        <span class="field-label" aria-hidden="true">Cache</span>
        ${dropdown('Cache', settings.cacheMode, CACHE_CHOICES, (cacheMode) => {
          if (isCacheMode(cacheMode)) {
            this.#change({ cacheMode });
          }
        })}
      </div>`;
  }

  #prompt(): TemplateResult {
    return html`<div class="field">
      ${textArea({
        label: 'System prompt',
        value: this.chat.settings.systemPrompt,
        placeholder: 'Instructions for every request of this chat',
        disabled: this.chat.readOnly !== null,
        onInput: () => undefined,
        onCommit: (systemPrompt) => {
          this.#change({ systemPrompt });
        },
      })}
    </div>`;
  }

  #count(name: CountName, label: string, placeholder: string): TemplateResult {
    const problem = this.problems[name];
    const value = this.chat.settings[name];
    return html`<div class="field ${problem === undefined ? '' : 'invalid'}">
      ${textField({
        label,
        value: value === null ? '' : String(value),
        placeholder,
        disabled: this.chat.readOnly !== null,
        onInput: (text) => {
          this.#validate(name, text);
        },
        onCommit: (text) => {
          this.#commitCount(name, text);
        },
      })}
      ${problem === undefined ? nothing : html`<div class="field-problem" role="alert">${problem}</div>`}
    </div>`;
  }

  #validate(name: CountName, text: string): void {
    const parsed = parseCount(text, COUNTS[name]);
    const { [name]: _resolved, ...others } = this.problems;
    this.problems = parsed.ok ? others : { ...others, [name]: parsed.problem };
  }

  #commitCount(name: CountName, text: string): void {
    const parsed = parseCount(text, COUNTS[name]);
    if (!parsed.ok || parsed.value === this.chat.settings[name]) {
      return;
    }
    if (name === 'maxPromptTokens') {
      this.#change({ maxPromptTokens: parsed.value });
    } else if (parsed.value !== null) {
      this.#change({ reservedResponseTokens: parsed.value });
    }
  }

  #change(change: Change): void {
    post(this, { type: 'changeConfig', chatId: this.chat.id, change });
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    // An open dropdown takes Escape for itself first.
    if (event.key === 'Escape' && !event.defaultPrevented) {
      event.preventDefault();
      this.onClose();
    }
  };
}
