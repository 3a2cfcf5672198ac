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
import { html, type PropertyValues, type TemplateResult } from 'lit';
import { html as taggedHtml, literal, type StaticValue } from 'lit/static-html.js';
import { isSelectAll } from '../keys.js';
import { LightElement, reactive } from '../lightElement.js';
import { CopyButton } from './copyButton.js';
import { MenuElement } from './menu.js';

/*
 * The form controls of the webviews, except the check box. Only this file may import the toolkit: its authors no longer
 * maintain it, so Loupe may have to replace it. controls.css changes its square corners and old colours.
 */

/** Registers the toolkit's elements and Loupe's own controls. Call this before the first rendering. */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeDropdown(), vsCodeOption(), vsCodeTextArea(), vsCodeTextField());
  customElements.define('loupe-dropdown', DropdownControl);
  customElements.define('loupe-copy-button', CopyButton);
  customElements.define('loupe-menu', MenuElement);
}

export interface TextControl {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly disabled: boolean;
  readonly onInput: (value: string) => void;
  /** Called when the user presses Enter, and when the focus leaves a field with changed text. */
  readonly onCommit: (value: string) => void;
}

/** A text field of one line. The toolkit reads the accessible name from the content, so the label is the content. */
export function textField(options: TextControl): TemplateResult {
  return textControl(literal`vscode-text-field`, options);
}

/** A text field of several lines, which grows with its text. */
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
    @keydown=${selectAllAtOnce}
    >${options.label}</${tag}
  >`;
}

/**
 * Selects all text, and keeps the key from VS Code. VS Code would select all text a second time, later: the user's next
 * key would then replace the letters typed meanwhile.
 */
function selectAllAtOnce(event: KeyboardEvent): void {
  if (isSelectAll(event)) {
    event.preventDefault();
    event.stopPropagation();
    (event.currentTarget as TextField | TextArea).control.select();
  }
}

export function textOf(target: EventTarget | null): string {
  return (target as TextField | TextArea | null)?.value ?? '';
}

/** Returns the position of the cursor in a text area. Null while text is selected. */
export function caretOf(target: EventTarget | null): number | null {
  const { control } = target as TextArea;
  return control.selectionStart === control.selectionEnd ? control.selectionStart : null;
}

/** Sets the text and the cursor of a text area at once: the user's next key can come before the next rendering. */
export function replaceText(target: EventTarget, text: string, caret: number): void {
  const area = target as TextArea;
  area.value = text;
  area.control.value = text;
  area.control.setSelectionRange(caret, caret);
}

export interface DropdownChoice {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
}

/** A list of choices. `label` is the accessible name. */
export function dropdown(
  label: string,
  value: string,
  choices: readonly DropdownChoice[],
  onChoose: (value: string) => void,
): TemplateResult {
  return html`<loupe-dropdown
    .label=${label}
    .value=${value}
    .choices=${choices}
    .onChoose=${onChoose}
  ></loupe-dropdown>`;
}

/** Sets the value after each rendering, because the dropdown of the toolkit notices new options late. */
class DropdownControl extends LightElement {
  static override properties = reactive(['label', 'value', 'choices', 'onChoose'], []);
  declare label: string;
  declare value: string;
  declare choices: readonly DropdownChoice[];
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
