/**
 * A kind of text that must survive a summary. Constraints, decisions, questions and statements are sentences; the
 * others are words in sentences. A statement is a user sentence of no other kind.
 */
export type FactKind = 'constraint' | 'path' | 'identifier' | 'figure' | 'error' | 'decision' | 'question' | 'statement';

export interface Fact {
  readonly kind: FactKind;
  /** The text in the message, word for word, in one line. A summary that lacks the fact gets this line. */
  readonly text: string;
  readonly form: ComparedForm;
  /** Id of the first message with this fact. */
  readonly messageId: string;
  /** Whether the user wrote it. Only the user's own constraints must survive whatever the budget. */
  readonly isOfUser: boolean;
}

/** A fact for comparison: the common part of its copies, and its longest run of letters and digits (empty: none). */
export interface ComparedForm {
  readonly word: string;
  readonly run: string;
  readonly at: number;
}

/** A plain question has no sign but its question mark. */
export type FoundKind = FactKind | 'plain-question';

/** A fact found in a text, new or known. `at` is its index in the text. */
export interface FoundFact {
  readonly kind: FoundKind;
  readonly text: string;
  readonly at: number;
}

/** A part of a text, word for word, and its index there. */
export interface Piece {
  readonly text: string;
  readonly at: number;
}
