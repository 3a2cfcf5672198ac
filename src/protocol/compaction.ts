/*
 * What the panel shows of summaries that stand for a part of the conversation.
 */

/** A summary in the conversation. Its id is that of its message. */
export interface SummaryEntry {
  readonly kind: 'summary';
  readonly id: string;
  /** As requests send it, without its heading. */
  readonly text: string;
  /** `active`: requests send it; `replaced`: a later summary stands for it, too; `undone`: requests send what it replaced. */
  readonly status: 'active' | 'replaced' | 'undone';
  /** Number of messages it replaced; null when they are not loaded. */
  readonly messages: number | null;
  /** Tokens of what it replaced, and its own. */
  readonly tokens: { readonly before: number; readonly after: number };
  /** Number of lines that were added to it word for word. */
  readonly lines: number;
  /** Number of pinned messages that are sent beside it. */
  readonly pins: number;
  /** What of the replaced messages it kept; empty when they are not loaded. */
  readonly kept: readonly KeptFacts[];
  /** US dollars; null when unknown. */
  readonly cost: number | null;
}

/** The facts of one kind that the replaced messages held. */
export interface KeptFacts {
  /** `File paths`. */
  readonly label: string;
  readonly kept: number;
  readonly all: number;
  /** Those that the summary lacks, at most `MOST_LOST`. */
  readonly lost: readonly string[];
}

/** Most lost facts of a kind that are listed: more than anyone reads. */
export const MOST_LOST = 50;

/** A summary that is being written, or why it failed. */
export type CompactionView =
  | {
      readonly kind: 'running';
      readonly messages: number;
      /** When it began, in epoch milliseconds. */
      readonly startedAt: number;
      /** Tokens that have arrived, and the most it may have. */
      readonly tokens: number;
      readonly mostTokens: number;
    }
  | {
      readonly kind: 'failed';
      readonly text: string;
      readonly detail: string | null;
      /** The message up to which it was to reach; null for all. *Try again* sends it back. */
      readonly upTo: string | null;
    };
