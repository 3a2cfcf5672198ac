import type { ContextRows, OutputSoFar } from '../../../src/protocol/view.js';

/** What an entry's view needs to know beside its entry, and how it answers. */
export interface EntryScope {
  /** What has arrived of a reply that streams; null of every other entry, and before it is counted. */
  readonly output: OutputSoFar | null;
  /** What its request held; null while it is closed, and while it is on its way. */
  readonly contextRows: ContextRows | null;
  readonly chatId: string;
  /** Nothing can be changed: a run is going on, or the chat is read-only. */
  readonly isLocked: boolean;
  /** This user message is being edited. */
  readonly isEdited: boolean;
  /** The user message that this entry answers; null when it is not among the loaded ones. */
  readonly userMessageId: string | null;
  readonly from: EventTarget;
  /** Whether a part of the entry, such as `context`, is open. */
  isOpen(part: string): boolean;
  toggle(part: string): void;
}
