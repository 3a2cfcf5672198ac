/** Kinds of setting values. An integer may be null if `empty` has a label for null. A switch that is off is null. */
type SettingKind =
  | { readonly kind: 'model' }
  /** The key of a model for tasks other than replies. Empty: the chat's model is used. */
  | { readonly kind: 'otherModel'; readonly default: string }
  | { readonly kind: 'choice'; readonly default: string; readonly options: readonly SettingOption[] }
  /** The name of an agent profile. Empty: no agent is used. */
  | { readonly kind: 'agent'; readonly default: string }
  | { readonly kind: 'text'; readonly default: string; readonly placeholder: string }
  | {
      readonly kind: 'integer';
      readonly default: number | null;
      readonly minimum: number;
      readonly empty: string | null;
      /** Upper limit: the value of `setting` minus `less`. No limit if `most` or that value is null. */
      readonly most: { readonly setting: string; readonly less: number } | null;
    }
  /** A switch with a choice of numbers. `on` is the number that is selected when the user turns on the switch. */
  | {
      readonly kind: 'switch';
      readonly default: number | null;
      readonly on: number;
      readonly turnsOn: string;
      /** Text that is shown while the switch is off. */
      readonly off: string;
      readonly numbers: readonly { readonly value: number; readonly label: string; readonly detail: string }[];
    };

/** A number that is always set, without an upper limit. */
export const NUMBER = { kind: 'integer', empty: null, most: null } as const;

interface SettingOption {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
}

/** Headings of the settings form. The settings below a heading are hidden until the user expands it. */
type SettingGroup =
  | 'Prompt layout and cache'
  | 'Picked rules and skills'
  | 'Tools'
  | 'Editor state'
  | 'Repository map'
  | 'Summaries'
  | 'Titles';

export type ChatSetting = SettingKind & {
  /** Heading of the setting. Null for the settings that most people change first, which are always visible. */
  readonly group: SettingGroup | null;
  readonly label: string;
  /** Help text, also shown as the description of the default in VS Code's settings. */
  readonly help: string;
  /** Values that other settings must have for this setting to have an effect. */
  readonly with: Readonly<Record<string, readonly string[]>>;
};
