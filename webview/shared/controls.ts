import {
  type Dropdown,
  provideVSCodeDesignSystem,
  type TextArea,
  type TextField,
  vsCodeButton,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextArea,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { html as taggedHtml, literal, type StaticValue } from 'lit/static-html.js';
import { icon } from './icon.js';
import { LightElement, reactive } from './lightElement.js';

/*
 * All form controls of the webviews. The toolkit they are made of is archived upstream: nothing else may import it,
 * so that it can be replaced here. Its square corners and old colours are restyled in controls.css.
 */

/** Registers the toolkit's elements; before the first of them is rendered. */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeDropdown(), vsCodeOption(), vsCodeTextArea(), vsCodeTextField());
  customElements.define('loupe-dropdown', DropdownControl);
}

export function button(label: string, appearance: 'primary' | 'secondary', onClick: (event: Event) => void): TemplateResult {
  return html`<vscode-button appearance=${appearance} @click=${onClick}>${label}</vscode-button>`;
}

export interface IconButton {
  /** The accessible name and the tooltip. */
  readonly label: string;
  readonly icon: string;
  readonly onClick: (event: Event) => void;
  readonly disabled?: boolean;
  /** For a button that opens something. */
  readonly expanded?: boolean;
}

/** A native button: messages have many, and a custom element with a shadow root for each would be slow. */
export function iconButton(options: IconButton): TemplateResult {
  return html`<button
    type="button"
    class="icon-button"
    title=${options.label}
    aria-label=${options.label}
    aria-expanded=${options.expanded ?? nothing}
    ?disabled=${options.disabled ?? false}
    @click=${options.onClick}
  >
    ${icon(options.icon)}
  </button>`;
}

/** A button that looks like a link: for actions in a sentence. */
export function linkButton(label: string, onClick: (event: Event) => void): TemplateResult {
  return html`<button type="button" class="link-button" @click=${onClick}>${label}</button>`;
}

/** A button that opens and closes the detail below it. */
export function disclosure(label: string | TemplateResult, isOpen: boolean, onToggle: () => void): TemplateResult {
  return html`<button type="button" class="disclosure" aria-expanded=${isOpen} @click=${onToggle}>
    ${icon(isOpen ? 'chevron-down' : 'chevron-right')}<span class="disclosure-label">${label}</span>
  </button>`;
}

export interface TextControl {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly disabled: boolean;
  readonly onInput: (value: string) => void;
  /** On Enter in a field, and when the focus leaves after a change. */
  readonly onCommit: (value: string) => void;
}

/** One line of text. The label is its content: the toolkit names the control after it. */
export function textField(options: TextControl): TemplateResult {
  return textControl(literal`vscode-text-field`, options);
}

/** Several lines of text, as high as they are. */
export function textArea(options: TextControl): TemplateResult {
  return textControl(literal`vscode-text-area`, options);
}

function textControl(tag: StaticValue, options: TextControl): TemplateResult {
  return taggedHtml`<${tag}
    placeholder=${options.placeholder}
    ?disabled=${options.disabled}
    .value=${options.value}
    @input=${(event: Event) => {
      options.onInput(textOf(event.currentTarget));
    }}
    @change=${(event: Event) => {
      options.onCommit(textOf(event.currentTarget));
    }}
    >${options.label}</${tag}
  >`;
}

/** What a text control of this file holds. */
export function textOf(target: EventTarget | null): string {
  return (target as TextField | TextArea | null)?.value ?? '';
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
}

/** A choice of one; its label is the combobox's accessible name. */
export function dropdown(label: string, value: string, choices: readonly Choice[], onChoose: (value: string) => void): TemplateResult {
  return html`<loupe-dropdown
    .label=${label}
    .value=${value}
    .choices=${choices}
    .onChoose=${onChoose}
  ></loupe-dropdown>`;
}

/**
 * The toolkit's dropdown takes a value only while it has an option of that value, and it notices its options late:
 * this sets the value again after each rendering.
 */
class DropdownControl extends LightElement {
  static override properties = reactive(['label', 'value', 'choices', 'onChoose'], []);
  declare label: string;
  declare value: string;
  declare choices: readonly Choice[];
  declare onChoose: (value: string) => void;

  protected override render(): TemplateResult {
    return html`<vscode-dropdown
      aria-label=${this.label}
      title=${this.choices.find(({ value }) => value === this.value)?.detail ?? ''}
      @change=${this.#changed}
    >
      ${this.choices.map(
        ({ value, label, detail }) =>
          html`<vscode-option value=${value} title=${detail} ?selected=${value === this.value}>${label}</vscode-option>`,
      )}
    </vscode-dropdown>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('value') || changed.has('choices')) {
      requestAnimationFrame(() => {
        const control = this.#control();
        if (control !== null && control.value !== this.value) {
          control.value = this.value;
        }
      });
    }
  }

  #control(): Dropdown | null {
    return this.querySelector<Dropdown>('vscode-dropdown');
  }

  readonly #changed = (): void => {
    const chosen = this.#control()?.value ?? this.value;
    if (chosen !== this.value) {
      this.onChoose(chosen);
    }
  };
}
