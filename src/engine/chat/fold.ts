import type { Extent } from './extent.js';
import { SLICES, type ChatMembers, type NewEvent, type SliceName, type SlicesJson } from './slices/table.js';
import type { ChatSnapshot } from './snapshot.js';
import type { FoldStamp } from './order/stamp.js';
import type { ChatState } from './state.js';
import type { ChatCreated, Mutable, FoldReport } from './slices/slice.js';

/** Applies an event. Each function declares only the state members that it needs; `SLICES` checks that these exist. */
type SliceApplier = (state: Mutable<ChatMembers> & Extent, event: NewEvent & FoldStamp, report: FoldReport) => void;

/** The functions that apply an event, by event type: one for each slice that the event changes, in table order. */
const APPLY: ReadonlyMap<string, readonly SliceApplier[]> = appliers();

const FOLDS = new WeakMap<object, ChatFold>();

/** Returns a number that grows with each change of a state. Null for a state without a fold, such as a copy. */
export function revisionOf(state: object): number | null {
  return FOLDS.get(state)?.revision ?? null;
}

/** Folds events in log order into the state of a chat. A chat looks the same while it runs and after it is loaded. */
export class ChatFold {
  readonly #state: Mutable<ChatMembers> & Extent;
  readonly #report: FoldReport;
  #reachedBack = false;
  #revision = 0;

  static created(event: ChatCreated & FoldStamp): ChatFold {
    const parts = Object.values(SLICES).map(({ initial }) => initial(event));
    return new ChatFold(parts, { extent: 'whole', updatedAt: event.at, problems: [] });
  }

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

  get revision(): number {
    return this.#revision;
  }

  /** Whether an event referred to something older than the snapshot. The caller must then load the whole log. */
  get needsWholeLog(): boolean {
    return this.#reachedBack;
  }

  apply(event: NewEvent & FoldStamp): void {
    this.#revision += 1;
    // The log has no times of streamed pieces, so `updatedAt` would differ after loading. Side requests change no chat.
    if (event.type !== 'attempt-progress' && event.type !== 'requests-made') {
      this.#state.updatedAt = Math.max(this.#state.updatedAt, event.at);
    }
    for (const apply of APPLY.get(event.type) ?? []) {
      apply(this.#state, event, this.#report);
    }
  }

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

function appliers(): ReadonlyMap<string, readonly SliceApplier[]> {
  const found = new Map<string, SliceApplier[]>();
  const add = (type: string, apply: unknown): void => {
    found.set(type, [...(found.get(type) ?? []), apply as SliceApplier]);
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
