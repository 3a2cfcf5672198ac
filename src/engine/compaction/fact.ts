/**
 * A kind of text that must survive a summary. Constraints, decisions, questions and statements are sentences; the other
 * kinds are words in sentences. A statement is a user sentence of no other kind.
 */
export type FactKind = 'constraint' | 'path' | 'identifier' | 'figure' | 'error' | 'decision' | 'question' | 'statement';

export interface Fact {
  readonly kind: FactKind;
  /** The text in the message, word for word, in one line. Loupe adds this line to a summary that lacks the fact. */
  readonly text: string;
  readonly form: ComparedForm;
  /** Id of the first message with this fact. */
  readonly messageId: string;
  /** Whether the user wrote the fact. Constraints of the user are kept even if they exceed the token budget. */
  readonly isOfUser: boolean;
}

/** The form of a fact that Loupe searches for in a text. */
export interface ComparedForm {
  /** The text of the fact, without differences that a copy may have, such as case. */
  readonly word: string;
  /** The longest run of letters and digits in `word`. Empty if `word` has neither. */
  readonly run: string;
  /** Index of `run` in `word`. */
  readonly at: number;
}

/** `plain-question`: only a question mark shows that the sentence is an open question. */
export type FoundKind = FactKind | 'plain-question';

/** A fact at one place in a text. Other messages can have the same fact. `at` is the index of the fact in the text. */
export interface FoundFact {
  readonly kind: FoundKind;
  readonly text: string;
  readonly at: number;
}

/** A part of a text, word for word. `at` is the index of the part in the text. */
export interface Piece {
  readonly text: string;
  readonly at: number;
}
