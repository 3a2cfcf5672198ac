import { html, type TemplateResult } from 'lit';

interface CheckboxControl {
  readonly label: string;
  readonly help: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** A check box of the browser. The toolkit's check box would also fire events for changes by code. */
export function checkbox({ label, help, isChecked, onChange }: CheckboxControl): TemplateResult {
  return html`<label class="checkbox" title=${help}>
    <input
      type="checkbox"
      .checked=${isChecked}
      @change=${(event: Event) => {
        onChange((event.currentTarget as HTMLInputElement).checked);
      }}
    />
    ${label}
  </label>`;
}
