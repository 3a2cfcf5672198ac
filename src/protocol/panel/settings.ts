/** A setting of the chat: a row of its form. */
export interface SettingRow {
  readonly name: string;
  /** The heading that contains it, collapsed at first. Null if it is always visible. */
  readonly group: string | null;
  readonly label: string;
  readonly help: string;
  /** A model is its key, `provider/model`. */
  readonly value: SettingValue;
  /** Whether it differs from the default of new chats. */
  readonly isChanged: boolean;
  readonly control: SettingControl;
}

export type SettingValue = string | number | null;

export type SettingControl =
  | { readonly kind: 'model' }
  | { readonly kind: 'agent' }
  | { readonly kind: 'choice'; readonly options: readonly { readonly value: string; readonly label: string; readonly detail: string }[] }
  | { readonly kind: 'text'; readonly placeholder: string }
  | {
      readonly kind: 'switch';
      /** The number that it starts with when the user turns it on. Null means off. */
      readonly on: number;
      /** Label of the switch. */
      readonly turnsOn: string;
      /** Describes the state while it is off. */
      readonly off: string;
      readonly numbers: readonly { readonly value: number; readonly label: string; readonly detail: string }[];
    }
  | {
      readonly kind: 'integer';
      readonly least: number;
      /** Null without a limit. */
      readonly most: number | null;
      /** Label of an empty value. Null if the value must not be empty. */
      readonly empty: string | null;
      /** Describes the allowed numbers. */
      readonly expected: string;
    };
