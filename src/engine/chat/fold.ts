import type { Extent } from './extent.js';
import { SLICES, type ChatMembers, type NewEvent, type SliceName, type SlicesJson } from './slices/table.js';
import type { ChatSnapshot } from './snapshot.js';
import type { FoldStamp } from './order/stamp.js';
import type { ChatState } from './state.js';
import type { ChatCreated, Mutable, FoldReport } from './slices/slice.js';

/** How a slice changes the state. A slice declares a part of the state and some events; the table makes sure that they fit. */
type Apply = (state: Mutable<ChatMembers> & Extent, event: NewEvent & FoldStamp, report: FoldReport) => void;

/** By event type, the functions of the slices that it changes, in the order of the table. */
const APPLY: ReadonlyMap<string, readonly Apply[]> = appliers();

/** The folds behind states. */
const FOLDS = new WeakMap<object, ChatFold>();

/** Changes with each change of a state, whose containers change in place. Null for a state that no fold changes, such as a view of one. */
export function revisionOf(state: object): number | null {
  return FOLDS.get(state)?.revision ?? null;
}

/**
 * Folds events in log order into the state of a chat. Live and loaded chats use this same code, so that they show the
 * same.
 */
export class ChatFold {
  readonly #state: Mutable<ChatMembers> & Extent;
  readonly #report: FoldReport;
  #reachedBack = false;
  #revision = 0;

  /** The state of a chat that was just created. */
  static created(event: ChatCreated & FoldStamp): ChatFold {
    const parts = Object.values(SLICES).map(({ initial }) => initial(event));
    return new ChatFold(parts, { extent: 'whole', updatedAt: event.at, problems: [] });
  }

  /** The state of a snapshot, as the end of a chat. */
  static after({ slices, earlier, updatedAt, problems }: ChatSnapshot): ChatFold {
    const parts = (Object.keys(SLICES) as SliceName[]).map((name) => restored(name, slices));
    return new ChatFold(parts, { extent: 'end', earlier, updatedAt, problems: [...problems] });
  }

  private constructor(parts: readonly object[], rest: Extent & Pick<ChatMembers, 'updatedAt' | 'problems'>) {
    this.#state = Object.assign({}, ...parts, rest) as Mutable<ChatMembers> & Extent;
    this.#report = { isEnd: rest.extent === 'end', missing: this.#missing.bind(this) };
    FOLDS.set(this.#state, this);
  }

  get state(): ChatState {
    return this.#state;
  }

  /** How many events it has folded. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Whether an event named something from before the snapshot. Then the state differs from that of the whole log, and
   * the chat must be loaded whole.
   */
  get needsWholeLog(): boolean {
    return this.#reachedBack;
  }

  apply(event: NewEvent & FoldStamp): void {
    this.#revision += 1;
    // Pieces that are only shown have a time of their own, which a chat loaded from the log would not have. Side requests
    // may be those of a user who only looked at the chat.
    if (event.type !== 'attempt-progress' && event.type !== 'requests-made') {
      this.#state.updatedAt = Math.max(this.#state.updatedAt, event.at);
    }
    for (const apply of APPLY.get(event.type) ?? []) {
      apply(this.#state, event, this.#report);
    }
  }

  /** An event names something that is missing: it is from before the snapshot, or it was on a damaged line. */
  #missing(problem: string): void {
    if (this.#report.isEnd) {
      this.#reachedBack = true;
    } else {
      this.#state.problems.push(problem);
    }
  }
}

function restored(name: SliceName, json: SlicesJson): object {
  const restore: unknown = SLICES[name].restore;
  return (restore as (part: unknown) => object)(json[name]);
}

function appliers(): ReadonlyMap<string, readonly Apply[]> {
  const found = new Map<string, Apply[]>();
  const add = (type: string, apply: unknown): void => {
    found.set(type, [...(found.get(type) ?? []), apply as Apply]);
  };
  for (const { events, follows } of Object.values(SLICES)) {
    for (const [type, rule] of Object.entries<{ readonly apply: unknown }>(events)) {
      add(type, rule.apply);
    }
    for (const [type, apply] of Object.entries(follows)) {
      add(type, apply);
    }
  }
  return found;
}
