/** The kinds of values. An integer may be null if `empty` labels that value. A switch is null while it is off. */
type SettingKind =
  | { readonly kind: 'model' }
  /** The key of a model for tasks other than replies. Empty for the chat's model. */
  | { readonly kind: 'otherModel'; readonly default: string }
  | { readonly kind: 'choice'; readonly default: string; readonly options: readonly SettingOption[] }
  /** The name of an agent profile. Empty for no agent. */
  | { readonly kind: 'agent'; readonly default: string }
  | { readonly kind: 'text'; readonly default: string; readonly placeholder: string }
  | {
      readonly kind: 'integer';
      readonly default: number | null;
      readonly minimum: number;
      readonly empty: string | null;
      /** Upper limit: the value of `setting` minus `less`. No limit if this or that value is null. */
      readonly most: { readonly setting: string; readonly less: number } | null;
    }
  /** A switch with a choice of numbers. `on` is the number that it starts with when the user turns it on. */
  | {
      readonly kind: 'switch';
      readonly default: number | null;
      readonly on: number;
      /** Label of the switch. */
      readonly turnsOn: string;
      /** Describes the state while it is off. */
      readonly off: string;
      readonly numbers: readonly SettingNumber[];
    };

/** A number that is always set, without an upper limit. */
export const NUMBER = { kind: 'integer', empty: null, most: null } as const;

interface SettingNumber {
  readonly value: number;
  readonly label: string;
  readonly detail: string;
}

interface SettingOption {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
}

/** Headings of the form. Their settings are collapsed at first. */
type SettingGroup = 'Prompt layout and cache' | 'Picked rules and skills' | 'Tools' | 'Summaries' | 'Titles';

export type ChatSetting = SettingKind & {
  /** Null for the settings that most people change first. They are always visible. */
  readonly group: SettingGroup | null;
  readonly label: string;
  /** Also the description of the default in VS Code's settings. */
  readonly help: string;
  /** Values of other settings that this one needs to have an effect. Settings that are not named do not matter. */
  readonly with: Readonly<Record<string, readonly string[]>>;
};
