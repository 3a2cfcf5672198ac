import type { LoupeError } from '../../../engine/errors.js';

/** What stands over an input of the wizard. */
export interface Screen {
  readonly title: string;
  /** Step `number` of `of`, from 1. */
  readonly number: number;
  readonly of: number;
  readonly canGoBack: boolean;
  /** What is asked for, or what there is to know first. */
  readonly prompt: string;
}

export interface Choice<T> {
  readonly label: string;
  /** In the same line; empty for none. */
  readonly description: string;
  /** In a line of its own; empty for none. */
  readonly detail: string;
  readonly value: T;
  /** Lists with check boxes: whether it is checked at first. */
  readonly picked: boolean;
}

export type Answer<T> = { readonly type: 'value'; readonly value: T } | { readonly type: 'back' } | { readonly type: 'cancel' };

/** What is said about a text while it is typed. An error keeps it from being accepted. */
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

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: LoupeError };

/** How a sequence of questions is put to the user: quick picks and input boxes in VS Code, a script in tests. */
export interface Wizard {
  pick<T>(screen: Screen, choices: readonly Choice<T>[]): Promise<Answer<T>>;
  pickMany<T>(screen: Screen, choices: readonly Choice<T>[]): Promise<Answer<readonly T[]>>;
  input(screen: Screen, field: Field): Promise<Answer<string>>;
  /** Works with a progress display that can be cancelled: `signal` then aborts, and the outcome is `cancelled`. */
  progress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<Outcome<T>>;
  /** Says something and waits for one of the buttons; null when the user cancels. */
  dialog(text: string, buttons: readonly string[]): Promise<string | null>;
}

export function choice<T>(label: string, value: T, texts: { readonly description?: string; readonly detail?: string }): Choice<T> {
  return { label, value, description: texts.description ?? '', detail: texts.detail ?? '', picked: false };
}
