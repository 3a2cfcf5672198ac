import type { ChatEvent, Persistence } from '../../engine/chat/event.js';
import type { EventDraft } from '../../engine/chat/slices/table.js';
import { compareStamps } from '../../engine/chat/stamp.js';
import type { ChatState } from '../../engine/chat/state.js';
import { LiveOrder } from '../../engine/chat/liveOrder.js';
import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Clock } from '../../engine/ports.js';
import type { EarlierPart, OpenedChat, Place } from '../../storage/index/opened.js';
import type { Journal } from '../../storage/journal.js';
import type { Learned } from './learned.js';
import { LiveLog } from './liveLog.js';

/** What changed: text of a reply that streams in, whether earlier messages are being read, or anything else. */
export type SessionChange = 'progress' | 'reading' | 'state';

export interface SessionLogPorts {
  readonly clock: Clock;
  /** This activation of the extension, as the name of its segments. */
  readonly writerId: string;
  /** Unexpected failures, for the log channel. */
  logError(error: LoupeError): void;
}

/** A log as it was read: from a place on, or whole. */
export type LogStart = Pick<OpenedChat, 'fold' | 'start' | 'events'>;

export interface SessionLogParts extends LogStart {
  readonly journal: Journal;
  readonly learned: Learned;
  /** Called when what came in does not just go to the end of what was read: the log has to be read and folded anew. */
  readonly outOfOrder: () => void;
}

/** The log of an open chat and its state, fed with the same events; who looks on is told of each change. */
export class SessionLog {
  #live: LiveLog;
  #order: LiveOrder;
  #start: Place | null;
  readonly #journal: Journal;
  readonly #learned: Learned;
  readonly #outOfOrder: () => void;
  readonly #ports: SessionLogPorts;
  readonly #listeners = new Set<(change: SessionChange) => void>();
  /** What this window has logged since the log began to be read anew; null while nobody reads it. */
  #loggedMeanwhile: ChatEvent[] | null = null;

  constructor({ journal, learned, outOfOrder, ...log }: SessionLogParts, ports: SessionLogPorts) {
    this.#live = new LiveLog(log.fold);
    this.#order = new LiveOrder(log.events, log.start?.last ?? null);
    this.#start = log.start;
    this.#outOfOrder = outOfOrder;
    this.#journal = journal;
    this.#learned = learned;
    this.#ports = ports;
    this.#learned.take(this.state.attempts.values());
    this.#journal.onStateChange(() => {
      this.changed('state');
    });
  }

  get state(): ChatState {
    return this.#live.state;
  }

  /** From where on the chat is here; null when all of it is. */
  get start(): Place | null {
    return this.#start;
  }

  /** Calls `listener` after each change of the state; returns what ends that. */
  onChange(listener: (change: SessionChange) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  changed(change: SessionChange): void {
    for (const listener of this.#listeners) {
      listener(change);
    }
  }

  /** The log is about to be read anew: what this window writes meanwhile is kept for `reload`. */
  beginReload(): void {
    this.#loggedMeanwhile = [];
  }

  /** Takes over the log as it was read since `beginReload`, and what was written too late to be in that. */
  reload({ fold, start, events }: LogStart): void {
    this.#live = new LiveLog(fold);
    this.#order = new LiveOrder(events, start?.last ?? null);
    this.#start = start;
    this.#learned.take(this.state.attempts.values());
    const known = new Set(events.map(({ id }) => id));
    const missing = (this.#loggedMeanwhile ?? []).filter(({ id }) => !known.has(id));
    this.#loggedMeanwhile = null;
    const behind = missing.filter((event) => start === null || compareStamps(start.last, event) < 0);
    this.merge(behind);
    if (behind.length < missing.length) {
      // They stand before what was read: whether that has them only the next reading tells.
      this.#outOfOrder();
    }
  }

  /** Puts what stands directly before the start in front. */
  prepend({ state, start }: Pick<EarlierPart, 'state' | 'start'>): void {
    this.#live.prepend(state);
    this.#start = start;
    this.#learned.take(state.attempts.values());
    this.changed('state');
  }

  /** Takes in what another window has logged. */
  merge(events: readonly ChatEvent[]): void {
    if (events.length > 0) {
      this.#fold(events);
    }
  }

  /** Folds and logs. A failed write is the journal's to report and retry: the chat goes on from memory. */
  async record(drafts: readonly EventDraft[], persistence: Persistence): Promise<void> {
    if (drafts.length === 0) {
      return;
    }
    if (persistence === 'shown') {
      this.#live.shown(drafts, this.#ports.clock.now(), this.#ports.writerId);
      this.changed('progress');
      return;
    }
    const { events, written } = this.#journal.append(drafts, persistence);
    this.#loggedMeanwhile?.push(...events);
    this.#fold(events);
    try {
      await written;
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
      this.changed('state');
    }
  }

  #fold(events: readonly ChatEvent[]): void {
    this.#live.logged(events);
    this.#learn(events);
    const misplaced = events.filter((event) => !this.#order.add(event));
    if (misplaced.length > 0 || this.#live.reachedBack) {
      this.#outOfOrder();
    }
    this.changed(events.every(({ type }) => type === 'attempt-progress') ? 'progress' : 'state');
  }

  #learn(drafts: readonly EventDraft[]): void {
    const ended = drafts.flatMap((draft) => (draft.type === 'attempt-ended' ? [draft.attemptId] : []));
    this.#learned.take(ended.flatMap((id) => this.state.attempts.get(id) ?? []));
  }
}
