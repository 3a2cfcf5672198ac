/**
 * The kinds of failures, by what the user can do next. After `rateLimit`, `overloaded` or `network`, the request was
 * rejected or never arrived. After `timeout` or `incomplete`, the request may have been answered and billed.
 */
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

/** Actions in Loupe against the cause of a failure. */
export type CauseAction =
  | 'setKeyAndRetry'
  | 'editProvider'
  | 'excludeTool'
  | 'selectModel'
  | 'editMessage'
  | 'summarize'
  | 'raiseLimit'
  | 'goOnOnce'
  | 'openSpendSettings';

/** What the user can do after a reply failed. The note of the reply also offers *Continue* if text has arrived. */
export type FailureAction = CauseAction | 'retry' | 'showLog';

/** Actions after a failed reply, the most helpful first. Actions against the cause come before them. */
export const ACTIONS_BY_KIND: Readonly<Record<ErrorKind, readonly FailureAction[]>> = {
  auth: ['retry'],
  rateLimit: ['retry', 'selectModel'],
  // Loupe has already repeated the request, so another model helps sooner.
  overloaded: ['selectModel', 'retry'],
  network: ['retry'],
  timeout: ['retry'],
  incomplete: ['retry'],
  protocol: ['retry'],
  contextOverflow: ['retry'],
  modelGone: ['retry'],
  refused: ['selectModel', 'retry'],
  cancelled: ['retry'],
  toolFailed: ['retry'],
  storage: ['retry'],
  invalidInput: ['retry'],
  internal: ['retry', 'showLog'],
};

/** The members of a failure in addition to its sentence. */
export interface FailureTraits {
  readonly kind: ErrorKind;
  /** Actions against the cause, the most helpful first. */
  readonly actions?: readonly CauseAction[];
  /** What the user can do outside Loupe, as a sentence. Missing when the sentence of the failure already says it. */
  readonly help?: string;
  /** Whether the request fails until the user changes something. Other failures of this kind can end after a while. */
  readonly isLasting?: true;
  /** Whether a rebuilt request may succeed. Other failures of this kind would occur again. */
  readonly passesAnew?: true;
  /** True if there was nothing to do and nothing is wrong. The user then sees a short notice. */
  readonly isHarmless?: true;
}

/** The sentence for the user; a function if the sentence has parameters. */
export type Sentence = string | ((parameters: never) => string);

export interface FailureEntry extends FailureTraits {
  readonly says: Sentence;
}

/** Parameters of sentences by name: texts, or whole numbers. */
export type Texts<N extends string> = Readonly<Record<N, string>>;
export type Numbers<N extends string> = Readonly<Record<N, number>>;

export const NEEDS_KEY: FailureTraits = { kind: 'auth', actions: ['setKeyAndRetry'] };
export const MODEL_GONE: FailureTraits = { kind: 'modelGone', actions: ['selectModel'] };
export const NOTHING_TO_ACT_ON: FailureTraits = { kind: 'invalidInput', isHarmless: true };
export const TOO_LONG: FailureTraits = { kind: 'contextOverflow', actions: ['summarize', 'selectModel'] };
/** The address, the path or the protocol of the provider is probably wrong. */
export const WRONG_ADDRESS: Pick<FailureTraits, 'actions'> = { actions: ['editProvider'] };

type EntriesOf<S> = { readonly [C in keyof S]: FailureTraits & { readonly says: S[C] } };

/** Makes entries by code that differ only in their sentences. `common` is the kind or all traits of the entries. */
export function entries<S extends Readonly<Record<string, Sentence>>>(common: ErrorKind | FailureTraits, sentences: S): EntriesOf<S> {
  const traits = typeof common === 'string' ? { kind: common } : common;
  return Object.fromEntries(Object.entries(sentences).map(([code, says]) => [code, { ...traits, says }])) as EntriesOf<S>;
}
