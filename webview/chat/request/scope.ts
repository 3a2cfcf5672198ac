import type { LostFactsView } from '../../../src/protocol/panel/compaction.js';
import type { ExclusionPrice, ExclusionPrices } from '../../../src/protocol/panel/exclusion.js';
import type { ContextRows } from '../../../src/protocol/panel/requestRows.js';
import type { IntroductionStep, OutputProgress } from '../../../src/protocol/panel/view.js';

/** What the view of an entry needs in addition to the entry. */
export interface EntryScope {
  /** Output of a streaming reply so far. Null before it is counted, and for all other entries. */
  readonly output: OutputProgress | null;
  /** The blocks of its request. Null while closed, or not yet sent by the host. */
  readonly contextRows: ContextRows | null;
  /** The effect of excluding its turn or tool calls from the next request; null when that contains none of it. */
  readonly exclusion: ExclusionPrices | null;
  /** The effect of excluding the turn that contains this entry. */
  readonly turnExclusion: ExclusionPrice | null;
  /** Facts lost by this summary that were needed again. Null for all other entries. */
  readonly neededAgain: LostFactsView | null;
  readonly chatId: string;
  /** Whether changes are disabled: during a run, or in a read-only chat. */
  readonly isLocked: boolean;
  readonly isEdited: boolean;
  /** Whether a note below this reply already says how it ended. */
  readonly isEndNoted: boolean;
  /** Id of the user message that this entry replies to; null when it is not loaded. */
  readonly userMessageId: string | null;
  /** The explanation for a new user here, or null. */
  readonly introduction: IntroductionStep | null;
  readonly from: EventTarget;
  /** Whether a part of the entry, such as `context`, is open. */
  isOpen(part: string): boolean;
  toggle(part: string): void;
}
