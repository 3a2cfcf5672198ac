/**
 * What must survive a summary. A constraint, a decision, a question and a statement are sentences; the others are words of them. A
 * statement is what the user says beside the other kinds.
 */
export type FactKind = 'constraint' | 'path' | 'identifier' | 'figure' | 'error' | 'decision' | 'question' | 'statement';

export interface Fact {
  readonly kind: FactKind;
  /** As it stands in the message, word for word, in one line: what would be appended to the summary. */
  readonly text: string;
  readonly form: ComparedForm;
  /** The message it first stands in. */
  readonly messageId: string;
  /** Whether the user wrote it. Only the user's own constraints must survive whatever the budget. */
  readonly isOfUser: boolean;
}

/** What two copies of a fact have in common, and the longest run of letters and digits in it, with its index: empty without one. */
export interface ComparedForm {
  readonly word: string;
  readonly run: string;
  readonly at: number;
}

/** A plain question is one by its mark alone. */
export type FoundKind = FactKind | 'plain-question';

/** A fact in a text, before it is known to be new. `at` is its index in the text. */
export interface Found {
  readonly kind: FoundKind;
  readonly text: string;
  readonly at: number;
}

/** A part of a text, word for word, and its index there. */
export interface Piece {
  readonly text: string;
  readonly at: number;
}
