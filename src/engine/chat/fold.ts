import type { ChatCreated } from './created.js';
import type { Extent } from './extent.js';
import type { Draft, FoldReport } from './slices/slice.js';
import { SLICES, type ChatMembers, type EventDraft, type SliceName, type SlicesJson } from './slices/table.js';
import type { ChatSnapshot } from './snapshot.js';
import type { FoldStamp } from './stamp.js';
import type { ChatState } from './state.js';

/** A slice changes what it reads of the state, which is a part of it; the table vouches for the type of the event. */
type Apply = (state: Draft<ChatMembers> & Extent, event: EventDraft & FoldStamp, report: FoldReport) => void;

/** What each type of event changes, slice by slice. */
const APPLY: ReadonlyMap<string, readonly Apply[]> = appliers();

/**
 * Folds events in log order into the state of a chat. Live and loaded chats go through this same code, which is
 * what makes them show the same.
 */
export class ChatFold {
  readonly #state: Draft<ChatMembers> & Extent;
  readonly #report: FoldReport;
  #reachedBack = false;

  /** The state of a chat that was just created. */
  static created(event: ChatCreated & FoldStamp): ChatFold {
    const parts = Object.values(SLICES).map(({ initial }) => initial(event));
    return new ChatFold(parts, { extent: 'whole', updatedAt: event.at, problems: [] });
  }

  /** Goes on from a snapshot: the end of a chat. */
  static after({ slices, earlier, updatedAt, problems }: ChatSnapshot): ChatFold {
    const parts = (Object.keys(SLICES) as SliceName[]).map((name) => restored(name, slices));
    return new ChatFold(parts, { extent: 'end', earlier, updatedAt, problems: [...problems] });
  }

  private constructor(parts: readonly object[], rest: Extent & Pick<ChatMembers, 'updatedAt' | 'problems'>) {
    this.#state = Object.assign({}, ...parts, rest) as Draft<ChatMembers> & Extent;
    this.#report = { isEnd: rest.extent === 'end', missing: this.#missing.bind(this) };
  }

  get state(): ChatState {
    return this.#state;
  }

  /**
   * Whether an event was about something before the snapshot that the fold began at: then the state is not what the
   * whole log gives, and the chat has to be read whole.
   */
  get reachedBack(): boolean {
    return this.#reachedBack;
  }

  apply(event: EventDraft & FoldStamp): void {
    // Shown pieces carry a time of their own, which the chat would not have when it is loaded.
    if (event.type !== 'attempt-progress') {
      this.#state.updatedAt = Math.max(this.#state.updatedAt, event.at);
    }
    for (const apply of APPLY.get(event.type) ?? []) {
      apply(this.#state, event, this.#report);
    }
  }

  /** What an event is about is not there: it stands before the snapshot, or it was on a damaged line. */
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
