import { html, type TemplateResult } from 'lit';

interface CheckboxControl {
  readonly label: string;
  readonly help: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** A native check box. The toolkit's check box also fires an event when the code changes its value. */
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
