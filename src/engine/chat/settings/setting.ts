/** The kinds of values. An integer setting may be null when it has a label for that: `empty`; a switch is null while it is off. */
type SettingKind =
  | { readonly kind: 'model' }
  /** The key of a model for a task beside the replies; empty for the model of the chat. */
  | { readonly kind: 'otherModel'; readonly default: string }
  | { readonly kind: 'choice'; readonly default: string; readonly options: readonly SettingOption[] }
  /** The name of an agent profile; empty for none. */
  | { readonly kind: 'agent'; readonly default: string }
  | { readonly kind: 'text'; readonly default: string; readonly placeholder: string }
  | {
      readonly kind: 'integer';
      readonly default: number | null;
      readonly minimum: number;
      readonly empty: string | null;
      /** The setting whose value, less `less`, is the most that this one may have. Null, or a null value there, means no such limit. */
      readonly most: { readonly setting: string; readonly less: number } | null;
    }
  /** A switch with numbers to choose from beside it; `on` is the number with which it is switched on. */
  | {
      readonly kind: 'switch';
      readonly default: number | null;
      readonly on: number;
      /** The text beside the switch. */
      readonly turnsOn: string;
      /** What holds while it is off, in words. */
      readonly off: string;
      readonly numbers: readonly SettingNumber[];
    };

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

/** Headings of the form, below which settings are closed at first. */
type SettingGroup = 'Prompt layout and cache' | 'Picked rules and skills' | 'Tools' | 'Summaries' | 'Titles';

export type ChatSetting = SettingKind & {
  /** Null for what most people change first: it is always open. */
  readonly group: SettingGroup | null;
  readonly label: string;
  /** Also describes the default in VS Code's settings. */
  readonly help: string;
  /** The values of other settings with which this one has an effect; a setting that is not named may have any. */
  readonly with: Readonly<Record<string, readonly string[]>>;
};
