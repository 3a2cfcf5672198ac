import { type TemplateResult, html, nothing } from 'lit';
import { assertNever } from '../../shared/assertNever.js';
import type { SettingControl, SettingRow, ChatView } from '../../../src/protocol/panel/view.js';
import { button, disclosure, iconButton, linkButton } from '../../shared/controls/buttons.js';
import { limitButton } from '../../shared/controls/limits.js';
import { dropdown, textArea, textField } from '../../shared/controls/controls.js';
import type { Disclosures } from '../../shared/controls/disclosures.js';
import { post, posting } from '../../shared/events.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { type IntegerControl, parseInteger } from './integerSetting.js';
import { agentButton, modelButton } from './chooserButtons.js';
import { checkbox } from '../../shared/controls/checkbox.js';

/** The settings of this chat. Sends a change to the host when the value is complete and valid. */
export class SettingsElement extends LightElement {
  static override properties = reactive(['chat', 'disclosures', 'onClose'], ['problems']);
  declare chat: ChatView;
  declare disclosures: Disclosures;
  declare onClose: () => void;
  /** What is wrong with each typed value, by setting name. Null for a valid value. */
  declare private problems: ReadonlyMap<string, string | null>;

  constructor() {
    super();
    this.problems = new Map();
  }

  /** Focuses this pane, so that Escape and Tab work at once. */
  protected override firstUpdated(): void {
    this.querySelector<HTMLElement>('.pane')?.focus();
  }

  protected override render(): TemplateResult {
    const { settings } = this.chat;
    const groups = [...new Set(settings.map(({ group }) => group))].filter((group) => group !== null);
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
        <p class="hint">
          These settings apply only to this chat. ${linkButton('Defaults for new chats', posting({ type: 'showDefaults' }))} · ${limitButton()}
        </p>
        ${settings.filter(({ group }) => group === null).map((row) => this.#field(row))}
        <div>${groups.map((group) =>
          this.#group(
            group,
            settings.filter((row) => row.group === group),
          ),
        )}</div>
        ${this.#actions()}
      </div>
    </section>`;
  }

  /** A group of settings. A closed group stays in the page, so that the user does not lose invalid text. */
  #group(heading: string, rows: readonly SettingRow[]): TemplateResult {
    const name = `settings:${heading}`;
    const isOpen = this.disclosures.isOpen(name);
    const changed = rows.filter(({ isChanged }) => isChanged).length;
    const invalid = rows.filter((row) => this.#problem(row) !== null).length;
    const label = html`<span class="setting-group-name">${heading}</span> ${changed === 0 ? nothing : html`<span class="figures">${changed} changed</span>`}
      ${invalid === 0 ? nothing : html`<span class="setting-group-problem">${invalid} invalid</span>`}`;
    const toggle = (): void => {
      this.disclosures.toggle(name);
      this.requestUpdate();
    };
    return html`<div class="setting-group" role="group" aria-label=${heading}>
      ${disclosure(label, isOpen, toggle)}
      <div class="setting-group-fields" ?hidden=${!isOpen}>${rows.map((row) => this.#field(row))}</div>
    </div>`;
  }

  #actions(): TemplateResult {
    const { id: chatId, readOnly } = this.chat;
    return html`<div class="field-actions">
      ${button('Use for new chats', 'secondary', posting({ type: 'useForNewChats', chatId }))}
      ${readOnly === null ? button('Reset', 'secondary', posting({ type: 'resetSettings', chatId })) : nothing}
    </div>`;
  }

  #field(row: SettingRow): TemplateResult {
    const { name, label, help } = row;
    const problem = this.#problem(row);
    const helpId = `help-${name}`;
    return html`<div
      class="field ${problem === null ? '' : 'invalid'}"
      role="group"
      aria-label=${label}
      aria-describedby=${helpId}
    >
      ${this.#control(row)}
      ${problem === null ? nothing : html`<div class="field-problem" role="alert">${problem}</div>`}
      <p class="field-help" id=${helpId}>${help}</p>
      ${row.control.kind === 'model' ? this.#modelLinks() : nothing}
    </div>`;
  }

  #control(row: SettingRow): TemplateResult {
    const { control, label } = row;
    switch (control.kind) {
      case 'model':
        return html`<span class="field-label" aria-hidden="true">${label}</span> ${modelButton(this.chat)}`;
      case 'agent':
        return html`<span class="field-label" aria-hidden="true">${label}</span> ${agentButton(this.chat)}`;
      case 'choice':
        return html`<span class="field-label" aria-hidden="true">${label}</span>
          ${dropdown(label, String(row.value), control.options, (value) => {
            this.#change(row, value);
          })}
          <p class="field-choice">${control.options.find(({ value }) => value === String(row.value))?.detail ?? nothing}</p>`;
      case 'switch':
        return switchSetting(row, control, (value) => {
          this.#change(row, value);
        });
      case 'text':
        return this.#text(row, control);
      case 'integer':
        return this.#integer(row, control);
      default:
        return assertNever(control);
    }
  }

  #modelLinks(): TemplateResult {
    return html`<p class="field-links">
      ${linkButton('Add a provider', posting({ type: 'addProvider' }))}
      ${this.chat.model.hasKey ? linkButton('Set key', posting({ type: 'setApiKey', chatId: this.chat.id })) : nothing}
    </p>`;
  }

  #text(row: SettingRow, { placeholder }: Extract<SettingControl, { readonly kind: 'text' }>): TemplateResult {
    return textArea({
      label: row.label,
      value: String(row.value),
      placeholder,
      disabled: this.chat.readOnly !== null,
      onInput: () => undefined,
      onCommit: (text) => {
        this.#change(row, text);
      },
    });
  }

  #integer(row: SettingRow, control: IntegerControl): TemplateResult {
    return textField({
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
          this.problems = without(this.problems, row.name);
          this.#change(row, parsed.value);
        }
      },
    });
  }

  #validate({ name }: SettingRow, text: string, control: IntegerControl): void {
    const parsed = parseInteger(text, control);
    this.problems = new Map([...this.problems, [name, parsed.ok ? null : parsed.problem]]);
  }

  /** Returns the mistake in the typed value, otherwise in the stored value: the limit of a new model can be lower. */
  #problem({ name, value, control }: SettingRow): string | null {
    const typed = this.problems.get(name);
    if (typed !== undefined || control.kind !== 'integer') {
      return typed ?? null;
    }
    const parsed = parseInteger(String(value ?? ''), control);
    return parsed.ok ? null : parsed.problem;
  }

  #change({ name, value: before }: SettingRow, value: SettingRow['value']): void {
    if (value !== before) {
      post(this, { type: 'changeSetting', chatId: this.chat.id, name, value });
    }
  }
}

function without<T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  return new Map([...map].filter(([other]) => other !== key));
}

/** A check box. While checked, also a list of numbers. The tooltip explains the current value. */
function switchSetting(
  { label, value }: SettingRow,
  { on, turnsOn, off, numbers }: Extract<SettingControl, { readonly kind: 'switch' }>,
  onChange: (value: number | null) => void,
): TemplateResult {
  const chosen = numbers.find((number) => number.value === value);
  const choices = numbers.map((number) => ({ ...number, value: String(number.value) }));
  return html`<span class="field-label" aria-hidden="true">${label}</span>
    <div class="switch-setting">
      ${checkbox({
        label: turnsOn,
        help: chosen?.detail ?? off,
        isChecked: chosen !== undefined,
        onChange: (isOn) => {
          onChange(isOn ? on : null);
        },
      })}
      ${
        chosen === undefined
          ? html`<span class="switch-off">${off}</span>`
          : dropdown(label, String(chosen.value), choices, (choice) => {
              onChange(Number(choice));
            })
      }
    </div>`;
}
