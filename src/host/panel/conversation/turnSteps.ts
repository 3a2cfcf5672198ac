import { sumReplyUsage } from '../../../engine/accounting/runCost.js';
import type { RunState } from '../../../engine/chat/slices/runs.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { EntryView } from '../../../protocol/panel/entries.js';
import { countSteps, isStep, type TurnCost, turnsOf, type TurnSteps } from '../../../protocol/panel/turnSteps.js';
import type { OutlineEntry } from './branchViews.js';

interface ShownPart {
  /** The shown entries are those from index `first` up to, but not including, `end` of the outline. */
  readonly first: number;
  readonly end: number;
  readonly entries: readonly EntryView[];
}

type ChatSteps = Pick<ChatState, 'attempts' | 'runs' | 'timeline'>;

/** The entries before the shown part that belong to its first turn. */
interface HiddenBegin {
  /** Id of the first shown entry. */
  readonly before: string;
  readonly runs: readonly RunState[];
  readonly entries: readonly EntryView[];
}

/** Counts the steps of turns. Keeps the views of a turn's hidden beginning until a run changes. */
export class ShownTurnSteps {
  #hidden: HiddenBegin | null = null;

  /** Returns the steps of all turns with a shown step, by the id of the first shown step. `outline` has whole turns. */
  of(outline: readonly OutlineEntry[], { first, end, entries }: ShownPart, state: ChatSteps): Readonly<Record<string, TurnSteps>> {
    const shown = new Set(entries.map(({ id }) => id));
    const [begin] = entries;
    const before = begin === undefined || begin.kind === 'user' ? [] : this.#hiddenBefore(outline.slice(0, first), begin.id, state);
    const turns = turnsOf([...before, ...entries, ...hiddenAfter(outline, end)]).flatMap((turn) => {
      const head = turn.find((entry) => isStep(entry) && shown.has(entry.id));
      const id = turn[0]?.id;
      return head === undefined || id === undefined ? [] : [[head.id, { id, ...countSteps(turn), ...costOfTurn(turn, state) }] as const];
    });
    return Object.fromEntries(turns);
  }

  /** Derives the hidden entries of a turn that the beginning of the shown part cuts. */
  #hiddenBefore(outline: readonly OutlineEntry[], before: string, { runs: all, timeline }: ChatSteps): readonly EntryView[] {
    const runs = timeline.flatMap((item) => (item.kind === 'run' ? (all.get(item.runId) ?? []) : []));
    const known = this.#hidden;
    if (known?.before === before && sameItems(known.runs, runs)) {
      return known.entries;
    }
    const hidden: EntryView[] = [];
    for (const { derive } of outline.toReversed()) {
      const entry = derive();
      hidden.push(entry);
      if (entry.kind === 'user') {
        break;
      }
    }
    this.#hidden = { before, runs, entries: hidden.toReversed() };
    return this.#hidden.entries;
  }
}

function sameItems(some: readonly RunState[], others: readonly RunState[]): boolean {
  return some.length === others.length && some.every((run, at) => run === others[at]);
}

/** Derives the hidden entries of a turn that the end of the shown part cuts. */
function hiddenAfter(outline: readonly OutlineEntry[], end: number): readonly EntryView[] {
  const hidden: EntryView[] = [];
  for (const { derive } of outline.slice(end)) {
    const entry = derive();
    if (entry.kind === 'user') {
      break;
    }
    hidden.push(entry);
  }
  return hidden;
}

/** Sums the ended requests of a turn. */
function costOfTurn(turn: readonly EntryView[], { attempts }: Pick<ChatState, 'attempts'>): TurnCost {
  const ended = [...new Set(turn.flatMap(attemptsOf))].flatMap((id) => attempts.get(id) ?? []).filter((attempt) => attempt.end !== null);
  const own = ended.filter(({ inheritedFrom }) => inheritedFrom === null);
  const { usd, isAtLeast, isPretended } = sumReplyUsage(own);
  return { cost: usd, isAtLeast, isPretended, inherited: own.length === 0 && ended.length > 0 };
}

/** Returns the ids of the requests of an entry, including earlier requests that failed. */
function attemptsOf(entry: EntryView): readonly string[] {
  switch (entry.kind) {
    case 'assistant':
      return [entry.id, ...entry.failures.map(({ id }) => id)];
    case 'failures':
      return entry.failures.map(({ id }) => id);
    case 'retry':
    case 'runNote':
      return [...(entry.attemptId === null ? [] : [entry.attemptId]), ...entry.failures.map(({ id }) => id)];
    default:
      return [];
  }
}
