import type { Timeline } from './timeline.js';

/** What a snapshot keeps of a conversation: its end, and what belongs to that. */
export interface Cut {
  /** The end of the branch on show, from a user message on. */
  readonly timeline: Timeline;
  /** The runs of this end. */
  readonly runs: ReadonlySet<string>;
  /** The attempts of its runs and replies, with those that their manifests are written against. */
  readonly attempts: ReadonlySet<string>;
}
