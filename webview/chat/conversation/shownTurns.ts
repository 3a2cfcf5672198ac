import type { AssistantEntry, EntryView } from '../../../src/protocol/panel/entries.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { type ToolCallView, isAsking } from '../../../src/protocol/panel/toolCalls.js';
import { callsOf, isStep, turnsOf, type TurnSteps } from '../../../src/protocol/panel/turnSteps.js';
import { sameValue } from '../../../src/protocol/viewState.js';
import type { Disclosures } from '../../shared/controls/disclosures.js';
import { entryPart } from '../entries/rowsToShow.js';

/** What a turn is doing now. */
interface TurnNow {
  /** The number of the step, from 1. */
  readonly step: number;
  /** The call that the model writes, or that runs. Null while the model writes the reply. */
  readonly call: Pick<ToolCallView, 'name' | 'serverName' | 'subject'> | null;
}

/** A turn with steps, as far as it is loaded. */
export interface ShownTurn {
  readonly steps: TurnSteps;
  /** The loaded replies with tool calls. At least one. */
  readonly entries: readonly AssistantEntry[];
  /** The reply that ended the turn. Null while the turn runs, and without such a reply. */
  readonly reply: AssistantEntry | null;
  /** Null after the end of the turn. */
  readonly now: TurnNow | null;
  /** The first call that waits for the user. */
  readonly asking: ToolCallView | null;
  readonly isOpen: boolean;
}

interface TurnsView extends Pick<PanelState, 'entries' | 'turns'> {
  readonly chat: { readonly running: boolean };
  readonly disclosures: Pick<Disclosures, 'isOpen'>;
}

/** Finds the turns with steps. A turn without changes keeps its object, so that its entries do not render again. */
export class ShownTurns {
  #byReply: ReadonlyMap<string, ShownTurn> = new Map();

  /** Returns the turn of a reply in a turn with steps. Call this after `of`. */
  turnOf(replyId: string): ShownTurn | null {
    return this.#byReply.get(replyId) ?? null;
  }

  /** Returns the turn of each reply in a turn with steps, by the id of the reply. */
  of({ entries, turns, chat, disclosures }: TurnsView): ReadonlyMap<string, ShownTurn> {
    const all = turnsOf(entries.filter((entry) => entry.kind !== 'user' || entry.status !== 'queued'));
    const byReply = new Map<string, ShownTurn>();
    for (const [at, turn] of all.entries()) {
      const head = turn.find(isStep);
      const steps = head === undefined ? undefined : turns[head.id];
      if (head !== undefined && steps !== undefined) {
        const isRunning = chat.running && at === all.length - 1;
        const shown = kept(this.turnOf(head.id), shownTurn(turn, steps, { isRunning, disclosures }));
        for (const { id } of turn.filter(({ kind }) => kind === 'assistant')) {
          byReply.set(id, shown);
        }
      }
    }
    this.#byReply = byReply;
    return byReply;
  }
}

function kept(before: ShownTurn | null, turn: ShownTurn): ShownTurn {
  const isSame =
    before?.steps === turn.steps &&
    before.reply === turn.reply &&
    before.isOpen === turn.isOpen &&
    before.entries.length === turn.entries.length &&
    before.entries.every((entry, at) => entry === turn.entries[at]) &&
    sameValue(before.now, turn.now);
  return isSame ? before : turn;
}

function shownTurn(
  turn: readonly EntryView[],
  steps: TurnSteps,
  { isRunning, disclosures }: { readonly isRunning: boolean; readonly disclosures: Pick<Disclosures, 'isOpen'> },
): ShownTurn {
  const replies = turn.filter((entry) => entry.kind === 'assistant');
  const entries = replies.filter(isStep);
  const last = replies.at(-1);
  const reply = last !== undefined && callsOf(last).length === 0 && last.status !== 'streaming' ? last : null;
  const asking = entries.flatMap(callsOf).find(isAsking) ?? null;
  const isOpen = disclosures.isOpen(turnPart({ steps, asking })) !== (asking !== null);
  return { steps, entries, reply, now: isRunning ? nowOf(last, steps.steps) : null, asking, isOpen };
}

/** `last` is the last reply of a running turn, and `steps` the number of its steps so far. */
function nowOf(last: AssistantEntry | undefined, steps: number): TurnNow {
  const calls = last === undefined ? [] : callsOf(last);
  const open = (kind: ToolCallView['status']['kind']): ToolCallView | undefined => calls.find(({ status }) => status.kind === kind);
  const call = last?.status === 'streaming' ? calls.at(-1) : (open('running') ?? open('waiting') ?? open('pending'));
  if (call === undefined) {
    return { step: steps + 1, call: null };
  }
  const { name, serverName, subject } = call;
  return { step: steps, call: { name, serverName, subject } };
}

/** Returns the part that a click on the line toggles. A question opens the line until the user closes it. */
export function turnPart({ steps, asking }: Pick<ShownTurn, 'steps' | 'asking'>): string {
  return entryPart(steps.id, asking === null ? 'steps' : 'steps-closed');
}
