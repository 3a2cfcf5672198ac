/** What went wrong, in the terms the user's next step depends on. */
export type ErrorKind =
  | 'auth'
  | 'rateLimit'
  | 'overloaded'
  | 'network'
  | 'timeout'
  | 'incomplete'
  | 'protocol'
  | 'contextOverflow'
  | 'modelGone'
  | 'refused'
  | 'cancelled'
  | 'toolFailed'
  | 'storage'
  | 'invalidInput'
  | 'internal';

/** What helps inside Loupe against the cause of a failure. Whether trying again or going on helps, its place decides. */
export type FailureAction = 'setApiKey' | 'selectModel';

/** What failures have beside their sentence. */
export interface FailureTraits {
  readonly kind: ErrorKind;
  readonly actions?: readonly FailureAction[];
  /** What helps outside Loupe, as a whole sentence, where the sentence of the failure does not say it. */
  readonly help?: string;
  /** The same request fails again until somebody changes something, although other failures of the kind may pass. */
  readonly isLasting?: true;
}

/** The sentence for the user; a function where it has parameters. */
export type Sentence = string | ((parameters: never) => string);

/** What the catalogue has for one code. */
export interface FailureEntry extends FailureTraits {
  readonly says: Sentence;
}

/** Parameters of sentences: texts by name, and whole numbers by name. */
export type Texts<N extends string> = Readonly<Record<N, string>>;
export type Numbers<N extends string> = Readonly<Record<N, number>>;

/** Traits that several areas need. */
export const NEEDS_KEY: FailureTraits = { kind: 'auth', actions: ['setApiKey'] };
export const MODEL_GONE: FailureTraits = { kind: 'modelGone', actions: ['selectModel'] };
export const TOO_LONG: FailureTraits = { kind: 'contextOverflow', actions: ['selectModel'] };

type EntriesOf<S> = { readonly [C in keyof S]: FailureTraits & { readonly says: S[C] } };

/** Entries that have all but their sentences in common: the kind alone, or more traits. The sentences are by code. */
export function entries<S extends Readonly<Record<string, Sentence>>>(common: ErrorKind | FailureTraits, sentences: S): EntriesOf<S> {
  const traits = typeof common === 'string' ? { kind: common } : common;
  return Object.fromEntries(Object.entries(sentences).map(([code, says]) => [code, { ...traits, says }])) as EntriesOf<S>;
}
