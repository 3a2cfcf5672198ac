import type { LoupeError } from '../../../../engine/errors.js';

export interface Screen {
  readonly title: string;
  /** The number of the current step, from 1. `of`: the number of all steps, null while unknown. */
  readonly number: number;
  readonly of: number | null;
  readonly canGoBack: boolean;
  readonly prompt: string;
}

export interface WizardChoice<T> {
  readonly label: string;
  /** Text on the line of the label, or ''. */
  readonly description: string;
  /** Text on a separate line below the label, or ''. */
  readonly detail: string;
  readonly value: T;
  /** Whether the check box of the choice is checked at first. */
  readonly picked: boolean;
}

export type WizardAnswer<T> = { readonly type: 'value'; readonly value: T } | { readonly type: 'back' } | { readonly type: 'cancel' };

/** A message about the text that the user is typing. The user cannot accept a text with an error. */
export interface InputRemark {
  readonly severity: 'error' | 'warning' | 'info';
  readonly text: string;
}

export interface InputField {
  readonly value: string;
  readonly placeholder: string;
  readonly password: boolean;
  check(text: string): InputRemark | null;
}

/** Returns an error about the checked items. Null for a selection that the user can accept. */
export type PickCheck<T> = (picked: readonly T[]) => string | null;

export type WorkOutcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: LoupeError };

/** Asks the user a sequence of questions: with quick picks and input boxes in VS Code, with a script in tests. */
export interface Wizard {
  pick<T>(screen: Screen, choices: readonly WizardChoice<T>[]): Promise<WizardAnswer<T>>;
  /** Lets the user check any number of choices. `more`: further choices that the list shows on demand. */
  pickMany<T>(
    screen: Screen,
    choices: readonly WizardChoice<T>[],
    more: readonly WizardChoice<T>[],
    check: PickCheck<T>,
  ): Promise<WizardAnswer<readonly T[]>>;
  input(screen: Screen, field: InputField): Promise<WizardAnswer<string>>;
  /** Runs `work` with a progress display. A cancel aborts `signal`, and the outcome is `cancelled`. */
  progress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<WorkOutcome<T>>;
  /** Shows a text and waits for a button. Null after a cancel. */
  dialog(text: string, buttons: readonly string[]): Promise<string | null>;
}

export function choice<T>(label: string, value: T, texts: { readonly description?: string; readonly detail?: string }): WizardChoice<T> {
  return { label, value, description: texts.description ?? '', detail: texts.detail ?? '', picked: false };
}
