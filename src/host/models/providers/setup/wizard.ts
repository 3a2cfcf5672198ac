import type { LoupeError } from '../../../../engine/errors.js';

/** The heading of an input of the wizard. */
export interface Screen {
  readonly title: string;
  /** Step `number` of `of`, from 1; null while it is not known of how many. */
  readonly number: number;
  readonly of: number | null;
  readonly canGoBack: boolean;
  /** The question, or what the user should know first. */
  readonly prompt: string;
}

export interface Choice<T> {
  readonly label: string;
  /** On the same line; empty for none. */
  readonly description: string;
  /** On its own line; empty for none. */
  readonly detail: string;
  readonly value: T;
  /** In lists with check boxes: whether it is checked at first. */
  readonly picked: boolean;
}

export type Answer<T> = { readonly type: 'value'; readonly value: T } | { readonly type: 'back' } | { readonly type: 'cancel' };

/** A remark on a text while the user types. A text with an error cannot be accepted. */
export interface Remark {
  readonly severity: 'error' | 'warning';
  readonly text: string;
}

export interface Field {
  readonly value: string;
  readonly placeholder: string;
  readonly password: boolean;
  check(text: string): Remark | null;
}

/** What is wrong with what is checked, as a sentence; null when it can be accepted. */
export type PickCheck<T> = (picked: readonly T[]) => string | null;

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: LoupeError };

/** Asks the user a sequence of questions: quick picks and input boxes in VS Code, a script in tests. */
export interface Wizard {
  pick<T>(screen: Screen, choices: readonly Choice<T>[]): Promise<Answer<T>>;
  /** Any number of the choices. `more` are shown on demand. */
  pickMany<T>(
    screen: Screen,
    choices: readonly Choice<T>[],
    more: readonly Choice<T>[],
    check: PickCheck<T>,
  ): Promise<Answer<readonly T[]>>;
  input(screen: Screen, field: Field): Promise<Answer<string>>;
  /** Runs `work` with a progress display. Cancel aborts `signal`, and the outcome is then `cancelled`. */
  progress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<Outcome<T>>;
  /** Shows a text and waits for one of the buttons; null when the user cancels. */
  dialog(text: string, buttons: readonly string[]): Promise<string | null>;
}

export function choice<T>(label: string, value: T, texts: { readonly description?: string; readonly detail?: string }): Choice<T> {
  return { label, value, description: texts.description ?? '', detail: texts.detail ?? '', picked: false };
}
