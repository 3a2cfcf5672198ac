import { html, type TemplateResult } from 'lit';

interface CheckboxControl {
  readonly label: string;
  /** Shown as its tooltip. */
  readonly help: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** A native check box: the toolkit's also tells of a change that the page itself makes. */
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
