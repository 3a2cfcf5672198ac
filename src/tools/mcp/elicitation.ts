/*
 * Questions that servers ask the user during a call: a form, or a web page to open. All texts come from the server, and
 * Loupe must show that to the user.
 */

interface FieldBase {
  readonly name: string;
  /** The title of the field. Without a title from the server, the name of the field. */
  readonly title: string;
  readonly description: string | null;
  readonly isRequired: boolean;
}

export interface ElicitChoice {
  readonly value: string;
  readonly label: string;
}

/** A field of a form. Limits and defaults are null when the server sends none. */
export type ElicitField = FieldBase &
  (
    | {
        readonly type: 'text';
        readonly format: 'email' | 'uri' | 'date' | 'date-time' | null;
        readonly minLength: number | null;
        readonly maxLength: number | null;
        readonly initial: string | null;
      }
    | {
        readonly type: 'number';
        readonly isInteger: boolean;
        readonly minimum: number | null;
        readonly maximum: number | null;
        readonly initial: number | null;
      }
    | { readonly type: 'boolean'; readonly initial: boolean | null }
    | { readonly type: 'choice'; readonly choices: readonly ElicitChoice[]; readonly initial: string | null }
    | {
        readonly type: 'choices';
        readonly choices: readonly ElicitChoice[];
        readonly minItems: number | null;
        readonly maxItems: number | null;
        readonly initial: readonly string[];
      }
  );

export type ElicitValue = string | number | boolean | readonly string[];

export type ElicitRequest =
  | { readonly kind: 'form'; readonly message: string; readonly fields: readonly ElicitField[] }
  | {
      readonly kind: 'url';
      readonly message: string;
      /** The address of the page: `https:` or `http:`. */
      readonly url: string;
      /** Aborted when the server reports that the user finished the page. Null when opening the page is enough. */
      readonly finished: AbortSignal | null;
    };

/** The user's answer. An accepted form has values by field name. An accepted page has no values. */
export type ElicitAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, ElicitValue>> }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** Asks the user. Resolves with `cancel` when the user closes the question. Must close the question on abort. */
export type Elicit = (serverName: string, request: ElicitRequest, signal: AbortSignal) => Promise<ElicitAnswer>;

/** Returns a sentence about an invalid value. Null for a valid value. `undefined` means an empty field. */
export function fieldProblem(field: ElicitField, value: ElicitValue | undefined): string | null {
  if (value === undefined) {
    return field.isRequired ? 'Enter a value.' : null;
  }
  switch (field.type) {
    case 'text':
      return textProblem(field, String(value));
    case 'number':
      return numberProblem(field, Number(value));
    case 'choices':
      return choicesProblem(field, value as readonly string[]);
    case 'boolean':
    case 'choice':
      return null;
  }
}

type FieldOf<T extends ElicitField['type']> = Extract<ElicitField, { readonly type: T }>;

const FORMATS: Readonly<
  Record<NonNullable<FieldOf<'text'>['format']>, { readonly fits: (text: string) => boolean; readonly words: string }>
> = {
  email: { fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text), words: 'Enter an e-mail address, such as name@example.com.' },
  uri: { fits: (text) => URL.canParse(text), words: 'Enter an address, such as https://example.com.' },
  date: { fits: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDate(text), words: 'Enter a date, such as 2026-01-31.' },
  'date-time': {
    fits: (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && isDate(text),
    words: 'Enter a date and a time, such as 2026-01-31T09:30:00Z.',
  },
};

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

function textProblem({ format, minLength, maxLength }: FieldOf<'text'>, text: string): string | null {
  if (text.length < (minLength ?? 0)) {
    return `Enter at least ${String(minLength)} characters.`;
  }
  if (text.length > (maxLength ?? Infinity)) {
    return `Enter at most ${String(maxLength)} characters.`;
  }
  return format === null || FORMATS[format].fits(text) ? null : FORMATS[format].words;
}

function numberProblem({ isInteger, minimum, maximum }: FieldOf<'number'>, number: number): string | null {
  if (!Number.isFinite(number) || (isInteger && !Number.isInteger(number))) {
    return isInteger ? 'Enter a whole number.' : 'Enter a number.';
  }
  if (number < (minimum ?? -Infinity)) {
    return `The smallest value is ${String(minimum)}.`;
  }
  return number > (maximum ?? Infinity) ? `The largest value is ${String(maximum)}.` : null;
}

function choicesProblem({ minItems, maxItems }: FieldOf<'choices'>, picked: readonly string[]): string | null {
  if (picked.length < (minItems ?? 0)) {
    return `Pick at least ${String(minItems)}.`;
  }
  return picked.length > (maxItems ?? Infinity) ? `Pick at most ${String(maxItems)}.` : null;
}
