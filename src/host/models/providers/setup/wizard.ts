import type { LoupeError } from '../../../../engine/errors.js';

export interface Screen {
  readonly title: string;
  /** The number of the current step, from 1, and the number of all steps (`of`). `of` is null while unknown. */
  readonly number: number;
  readonly of: number | null;
  readonly canGoBack: boolean;
  readonly prompt: string;
}

export interface WizardChoice<T> {
  readonly label: string;
  /** Text on the same line as the label. Empty for none. */
  readonly description: string;
  /** Text on a separate line below the label. Empty for none. */
  readonly detail: string;
  readonly value: T;
  /** In lists with check boxes: whether the choice is checked when the list opens. */
  readonly picked: boolean;
}

export type WizardAnswer<T> = { readonly type: 'value'; readonly value: T } | { readonly type: 'back' } | { readonly type: 'cancel' };

/** A message about the text that the user is typing. The user cannot accept a text with an error. */
export interface InputRemark {
  readonly severity: 'error' | 'warning';
  readonly text: string;
}

export interface InputField {
  readonly value: string;
  readonly placeholder: string;
  readonly password: boolean;
  check(text: string): InputRemark | null;
}

/** Returns what is wrong with the checked items, or null when the user can accept them. */
export type PickCheck<T> = (picked: readonly T[]) => string | null;

export type WorkOutcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: LoupeError };

/** Asks the user a sequence of questions. Uses quick picks and input boxes in VS Code, and a script in tests. */
export interface Wizard {
  pick<T>(screen: Screen, choices: readonly WizardChoice<T>[]): Promise<WizardAnswer<T>>;
  /** Lets the user check any number of choices. `more` are choices that the list shows on demand. */
  pickMany<T>(
    screen: Screen,
    choices: readonly WizardChoice<T>[],
    more: readonly WizardChoice<T>[],
    check: PickCheck<T>,
  ): Promise<WizardAnswer<readonly T[]>>;
  input(screen: Screen, field: InputField): Promise<WizardAnswer<string>>;
  /** Runs `work` with a progress display. Cancel aborts `signal`, and the outcome is then `cancelled`. */
  progress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<WorkOutcome<T>>;
  /** Shows a text and waits for a button. Resolves to null when the user cancels. */
  dialog(text: string, buttons: readonly string[]): Promise<string | null>;
}

export function choice<T>(label: string, value: T, texts: { readonly description?: string; readonly detail?: string }): WizardChoice<T> {
  return { label, value, description: texts.description ?? '', detail: texts.detail ?? '', picked: false };
}
