import { html, nothing, type TemplateResult } from 'lit';
import { assertNever } from '../shared/assertNever.js';
import type { ChatView, ModelOption, SettingControl, SettingRow, SettingValue } from '../../src/protocol/view.js';
import { iconButton, linkButton } from '../shared/buttons.js';
import { dropdown, textArea, textField } from '../shared/controls.js';
import { post, posting } from '../shared/events.js';
import { LightElement, reactive } from '../shared/lightElement.js';
import { settingChoices } from './choices.js';
import { type IntegerControl, parseInteger } from './integerSetting.js';

type TextKind = Extract<SettingControl, { readonly kind: 'text' }>;

/** The configuration of this chat. A change is sent when it is complete and valid. */
export class SettingsElement extends LightElement {
  static override properties = reactive(['chat', 'models', 'onClose'], ['problems']);
  declare chat: ChatView;
  declare models: readonly ModelOption[];
  declare onClose: () => void;
  /** By the names of the settings. */
  declare private problems: ReadonlyMap<string, string>;

  constructor() {
    super();
    this.problems = new Map();
  }

  /** Takes the focus, so that Escape and Tab work from the start. */
  protected override firstUpdated(): void {
    this.querySelector<HTMLElement>('.pane')?.focus();
  }

  protected override render(): TemplateResult {
    return html`<section
      class="pane settings"
      role="region"
      aria-label="Chat settings"
      tabindex="-1"
    >
      <div class="pane-head">
        <h2>Chat settings</h2>
        ${iconButton({ label: 'Close', icon: 'close', onClick: this.onClose })}
      </div>
      <div class="pane-body">
        <p class="hint">These apply to this chat only.</p>
        ${this.chat.settings.map((row) => this.#field(row))}
      </div>
    </section>`;
  }

  #field(row: SettingRow): TemplateResult {
    const { control } = row;
    switch (control.kind) {
      case 'model':
        return this.#choice(row, this.#modelLinks());
      case 'choice':
        return this.#choice(row, nothing);
      case 'text':
        return this.#text(row, control);
      case 'integer':
        return this.#integer(row, control);
      default:
        return assertNever(control);
    }
  }

  #choice(row: SettingRow, more: TemplateResult | typeof nothing): TemplateResult {
    return html`<div class="field" title=${row.help}>
      <span class="field-label" aria-hidden="true">${row.label}</span>
      ${dropdown(row.label, String(row.value), settingChoices(row, this.models), (value) => {
        this.#change(row, value);
      })}
      ${more}
    </div>`;
  }

  #modelLinks(): TemplateResult {
    return html`<p class="field-links">
      ${linkButton('Add a provider', posting({ type: 'addProvider' }))}
      ${linkButton('Set key', posting({ type: 'setApiKey', chatId: this.chat.id }))}
    </p>`;
  }

  #text(row: SettingRow, { placeholder }: TextKind): TemplateResult {
    return html`<div class="field" title=${row.help}>
      ${textArea({
        label: row.label,
        value: String(row.value),
        placeholder,
        disabled: this.chat.readOnly !== null,
        onInput: () => undefined,
        onCommit: (text) => {
          this.#change(row, text);
        },
      })}
    </div>`;
  }

  #integer(row: SettingRow, control: IntegerControl): TemplateResult {
    const problem = this.problems.get(row.name);
    return html`<div class="field ${problem === undefined ? '' : 'invalid'}" title=${row.help}>
      ${textField({
        label: row.label,
        value: row.value === null ? '' : String(row.value),
        placeholder: control.empty ?? '',
        disabled: this.chat.readOnly !== null,
        onInput: (text) => {
          this.#validate(row, text, control);
        },
        onCommit: (text) => {
          const parsed = parseInteger(text, control);
          if (parsed.ok) {
            this.#change(row, parsed.value);
          }
        },
      })}
      ${problem === undefined ? nothing : html`<div class="field-problem" role="alert">${problem}</div>`}
    </div>`;
  }

  #validate({ name }: SettingRow, text: string, control: IntegerControl): void {
    const parsed = parseInteger(text, control);
    const others = [...this.problems].filter(([other]) => other !== name);
    this.problems = new Map(parsed.ok ? others : [...others, [name, parsed.problem]]);
  }

  #change({ name, value: before }: SettingRow, value: SettingValue): void {
    if (value !== before) {
      post(this, { type: 'changeSetting', chatId: this.chat.id, name, value });
    }
  }
}
