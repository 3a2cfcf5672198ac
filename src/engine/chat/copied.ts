import type { SentMessage } from './message.js';

/** What a fork copies of a chat. */
export interface Copied {
  /** The chat it is copied from. */
  readonly chatId: string;
  /** The conversation up to the fork. */
  readonly messages: readonly SentMessage[];
  /** The attempts behind its replies, with those that their manifests are written against. */
  readonly attempts: ReadonlySet<string>;
}
