import { html, type TemplateResult } from 'lit';

export interface Choices<Value extends string> {
  readonly label: string;
  /** Name of the group of buttons, see rovingGroups.ts. */
  readonly name: string;
  readonly value: Value;
  readonly choices: readonly (readonly [Value, string])[];
  readonly onChoose: (value: Value) => void;
}

export function segments<Value extends string>({ label, name, value, choices, onChoose }: Choices<Value>): TemplateResult {
  return html`<div class="segments" role="radiogroup" aria-label=${label} data-roving=${name}>
    ${choices.map(
      ([each, text]) =>
        html`<button type="button" role="radio" aria-checked=${each === value} @click=${() => {
          onChoose(each);
        }}>${text}</button>`,
    )}
  </div>`;
}
