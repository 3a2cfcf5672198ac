import type { LostFactsView } from '../../../src/protocol/panel/compaction.js';
import type { ExclusionPrice, ExclusionPrices, ReplyUses, ContextRows, RepeatView } from '../../../src/protocol/panel/requestRows.js';
import type { IntroductionStep } from '../../../src/protocol/panel/view.js';
import type { OutputProgress } from '../../../src/protocol/panel/entries.js';
import type { ShownTurn } from '../conversation/shownTurns.js';
import type { FailedServer } from '../../../src/protocol/panel/nextRequest.js';

/** Data and functions that the view of an entry needs in addition to the entry. */
export interface EntryScope {
  /**
   * The output so far of a streaming reply, or of the reply that streams in the turn of a line. Null for other entries,
   * and before the host has counted the output.
   */
  readonly output: OutputProgress | null;
  /** The parts of the entry's request. Null while the user has not opened them or the host has not sent them. */
  readonly contextRows: ContextRows | null;
  /** Which items the turn of this reply used. Null unless the reply ended a turn whose request had items. */
  readonly replyUses: ReplyUses | null;
  /** The prices of excluding the entry's turn or tool calls. Null when the next request contains none of them. */
  readonly exclusion: ExclusionPrices | null;
  /** The price of excluding the turn of this entry. Null when the next request contains no part of the turn. */
  readonly turnExclusion: ExclusionPrice | null;
  /** The results of the entry's tool calls that the next request sends as references, by call id. */
  readonly repeats: Readonly<Record<string, RepeatView>>;
  /** Facts that this summary lost and that later messages mention. Null for all other entries. */
  readonly neededAgain: LostFactsView | null;
  /** The MCP servers that the chat uses and that failed. */
  readonly failedServers: readonly FailedServer[];
  readonly chatId: string;
  /** Whether the user cannot change the chat: during a run, or in a read-only chat. */
  readonly isLocked: boolean;
  readonly isEdited: boolean;
  /** Whether this is the newest reply. Older replies show only their price until the user points at them. */
  readonly isNewest: boolean;
  /** Whether another model wrote the reply before. */
  readonly isNewModel: boolean;
  /** Whether a note below this reply already describes how the reply ended. */
  readonly isEndNoted: boolean;
  /** Id of the user message of the entry's turn. Null when this message is not loaded. */
  readonly userMessageId: string | null;
  /** The next step of the introduction for a new user, shown below this entry. Null without a step here. */
  readonly introduction: IntroductionStep | null;
  /** The turn of a reply, if tools ran in that turn. */
  readonly turn: ShownTurn | null;
  readonly from: EventTarget;
  /** Whether a part of the entry is open, such as `context`. */
  isOpen(part: string): boolean;
  toggle(part: string): void;
  /** Opens or closes the steps of a turn. */
  onToggleTurn(turn: ShownTurn): void;
}
