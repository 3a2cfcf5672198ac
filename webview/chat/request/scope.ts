import type { LostFactsView } from '../../../src/protocol/panel/compaction.js';
import type { ExclusionPrice, ExclusionPrices } from '../../../src/protocol/panel/exclusion.js';
import type { ContextRows } from '../../../src/protocol/panel/requestRows.js';
import type { IntroductionStep, OutputProgress } from '../../../src/protocol/panel/view.js';

/** What the view of an entry needs in addition to the entry itself. */
export interface EntryScope {
  /** The output so far of a streaming reply. Null until the host has counted it, and for all other entries. */
  readonly output: OutputProgress | null;
  /** The parts of the entry's request. Null while they are closed or the host has not sent them. */
  readonly contextRows: ContextRows | null;
  /** The effect of excluding the entry's turn or tool calls. Null when the next request contains none of these. */
  readonly exclusion: ExclusionPrices | null;
  /** The effect of excluding the turn that contains this entry. */
  readonly turnExclusion: ExclusionPrice | null;
  /** Facts that this summary lost and that were needed again. Null for all other entries. */
  readonly neededAgain: LostFactsView | null;
  readonly chatId: string;
  /** Whether the user cannot change the chat: during a run, or in a read-only chat. */
  readonly isLocked: boolean;
  readonly isEdited: boolean;
  /** Whether a note below this reply already describes how the reply ended. */
  readonly isEndNoted: boolean;
  /** Id of the user message to which this entry replies. Null when the message is not loaded. */
  readonly userMessageId: string | null;
  /** The explanation for a new user below this entry, or null. */
  readonly introduction: IntroductionStep | null;
  readonly from: EventTarget;
  /** Whether a part of the entry is open. Example of a part: `context`. */
  isOpen(part: string): boolean;
  toggle(part: string): void;
}
