import type { LeavingOutPrice, LeavingOutPrices } from '../../../src/protocol/panel/leavingOut.js';
import type { ContextRows } from '../../../src/protocol/panel/requestRows.js';
import type { IntroductionStep, OutputSoFar } from '../../../src/protocol/panel/view.js';

/** What an entry's view needs beside its entry. */
export interface EntryScope {
  /** Output of a streaming reply so far; null before it is counted, and for all other entries. */
  readonly output: OutputSoFar | null;
  /** The blocks of its request; null while closed, or not yet sent by the host. */
  readonly contextRows: ContextRows | null;
  /** What leaving it out would do to the next request: its turn, or the tool calls of a reply; null where that holds nothing of it. */
  readonly leavingOut: LeavingOutPrices | null;
  /** The same of the turn that this entry is of. */
  readonly leavingTurnOut: LeavingOutPrice | null;
  readonly chatId: string;
  /** Whether changes are disabled: during a run, or in a read-only chat. */
  readonly isLocked: boolean;
  /** Whether this user message is being edited. */
  readonly isEdited: boolean;
  /** Whether a note below this reply tells how it ended. */
  readonly isEndNoted: boolean;
  /** Id of the user message that this entry answers; null when it is not loaded. */
  readonly userMessageId: string | null;
  /** What is explained to a new user here; null elsewhere. */
  readonly introduction: IntroductionStep | null;
  readonly from: EventTarget;
  /** Whether a part of the entry, such as `context`, is open. */
  isOpen(part: string): boolean;
  toggle(part: string): void;
}
