/*
 * The settings of a chat as its form shows them.
 */

/** A setting of the chat, as a row of its form. */
export interface SettingRow {
  readonly name: string;
  /** The heading below which it is closed at first; null where it is always open. */
  readonly group: string | null;
  readonly label: string;
  readonly help: string;
  /** A model is its key, `provider/model`. */
  readonly value: SettingValue;
  /** Whether a new chat would have another value. */
  readonly isChanged: boolean;
  readonly control: SettingControl;
}

export type SettingValue = string | number | null;

/** The form control of a setting. */
export type SettingControl =
  | { readonly kind: 'model' }
  | { readonly kind: 'agent' }
  | { readonly kind: 'choice'; readonly options: readonly { readonly value: string; readonly label: string; readonly detail: string }[] }
  | { readonly kind: 'text'; readonly placeholder: string }
  | {
      readonly kind: 'switch';
      /** The number with which it is switched on. Its value is null while it is off. */
      readonly on: number;
      /** The text beside the switch. */
      readonly turnsOn: string;
      /** What holds while it is off, in words. */
      readonly off: string;
      readonly numbers: readonly { readonly value: number; readonly label: string; readonly detail: string }[];
    }
  | {
      readonly kind: 'integer';
      readonly least: number;
      /** Null without a limit. */
      readonly most: number | null;
      /** The label of an empty value; null when the value must not be empty. */
      readonly empty: string | null;
      /** The allowed numbers, in words. */
      readonly expected: string;
    };
