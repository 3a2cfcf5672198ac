import type { SettingValue } from '../../engine/chat/settings/config.js';

/** A setting of the chat, as a row of the settings form. */
export interface SettingRow {
  readonly name: string;
  /** The heading above the setting, collapsed at first. Null for a setting that is always visible. */
  readonly group: string | null;
  readonly label: string;
  readonly help: string;
  /** The value of the setting. The value for a model is its key, `provider/model`. */
  readonly value: SettingValue;
  /** Whether the value differs from the default of new chats. */
  readonly isChanged: boolean;
  readonly control: SettingControl;
}

export type SettingControl =
  | { readonly kind: 'model' }
  | { readonly kind: 'agent' }
  | { readonly kind: 'choice'; readonly options: readonly { readonly value: string; readonly label: string; readonly detail: string }[] }
  | { readonly kind: 'text'; readonly placeholder: string }
  | {
      readonly kind: 'switch';
      /** The number that is selected when the user turns on the switch. A null value means off. */
      readonly on: number;
      readonly turnsOn: string;
      /** Text that is shown while the switch is off. */
      readonly off: string;
      readonly numbers: readonly { readonly value: number; readonly label: string; readonly detail: string }[];
    }
  | {
      readonly kind: 'integer';
      readonly least: number;
      /** The upper limit. Null without a limit. */
      readonly most: number | null;
      /** Label of an empty value. Null if the user must enter a number. */
      readonly empty: string | null;
      /** The allowed numbers in words. */
      readonly expected: string;
    };
