import { html, type TemplateResult } from 'lit';
import type { SettingControl, SettingRow } from '../../src/protocol/settings.js';
import { checkbox } from '../shared/checkbox.js';
import { dropdown } from '../shared/controls.js';

type SwitchControl = Extract<SettingControl, { readonly kind: 'switch' }>;

/** A check box and, while it is on, the numbers to choose from. Its tooltip says in words what holds. */
export function switchSetting(
  { label, value }: SettingRow,
  { on, turnsOn, off, numbers }: SwitchControl,
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
