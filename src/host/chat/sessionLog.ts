import type { ChatEvent, Persistence } from '../../engine/chat/event.js';
import type { NewEvent } from '../../engine/chat/slices/table.js';
import type { ChatState } from '../../engine/chat/state.js';
import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Clock } from '../../engine/ports.js';
import type { OpenedChat } from '../../storage/reading/chatLog.js';
import type { ChatGrowth } from '../../storage/log/chatReader.js';
import type { Journal } from '../../storage/log/journal.js';
import type { SegmentFault } from '../../storage/log/segment.js';
import type { ReadPosition } from '../../storage/log/logMerge.js';
import type { Behaviour } from './behaviours/behaviour.js';
import { Listeners } from '../../engine/listeners.js';

/**
 * `progress` is new text of a streaming reply, `call` is a tool call that a streaming reply begins, `reading` is
 * progress of a read, `next` is a newly composed request, `sent` is a request that was compared with its preview,
 * `state` is any other change.
 */
export type SessionChange = 'progress' | 'call' | 'reading' | 'next' | 'sent' | 'state';

export interface SessionLogPorts {
  readonly clock: Clock;
  /** A new id for each start of the extension. It is part of the names of this window's log segments. */
  readonly writerId: string;
  readonly journal: Journal;
  logError(error: LoupeError): void;
}

export interface ChatFault extends SegmentFault {
  /** The place and the reason: `<segment> line 3: <reason>`, without a full stop. */
  readonly text: string;
}

export function faultTexts(faults: readonly SegmentFault[]): readonly ChatFault[] {
  return faults.map((fault) => {
    const { segment, line, reason } = fault;
    return { ...fault, text: `${segment}${line === null ? '' : ` line ${String(line)}`}: ${reason}` };
  });
}

/** The log of an open chat, and the state that results from its events. Notifies listeners of each change. */
export class SessionLog {
  /** The VS Code window that deleted the chat, or null. A deleted chat accepts no events. */
  deletedBy: 'thisWindow' | 'anotherWindow' | null = null;
  #opened: OpenedChat;
  #isOutOfOrder = false;
  readonly #ports: SessionLogPorts;
  readonly #listeners = new Listeners<[SessionChange]>();
  #behaviours: readonly Behaviour[] = [];
  /** Adds a listener for changes of the state. Returns a function that removes the listener. */
  readonly onChange = this.#listeners.add;
  readonly changed = this.#listeners.call.bind(this.#listeners);
  /** Events that this VS Code window logged while the log is being read again. Null when no such read is running. */
  #loggedMeanwhile: ChatEvent[] | null = null;

  constructor(opened: OpenedChat, ports: SessionLogPorts) {
    this.#opened = opened;
    this.#ports = ports;
    ports.journal.onStateChange(() => {
      this.changed('state');
    });
  }

  get state(): ChatState {
    return this.#opened.fold.state;
  }

  /** The damaged lines of the log, which were skipped. */
  get faults(): readonly ChatFault[] {
    return faultTexts(this.#opened.faults);
  }

  /** Why the chat is read-only, or null when it is writable. */
  get readOnly(): string | null {
    return this.#opened.readOnly;
  }

  get isWritable(): boolean {
    return this.deletedBy === null && this.readOnly === null;
  }

  /** Throws `invalidInput` when the chat is deleted or read-only. */
  checkWritable(): void {
    if (this.deletedBy !== null) {
      throw failure('chat.deleted');
    }
    if (this.readOnly !== null) {
      throw failure('chat.readOnly', { reason: this.readOnly });
    }
  }

  /** The position up to which this window has read the log segments of other windows. */
  get position(): ReadPosition {
    return this.#opened.position;
  }

  /** Runs of other VS Code windows that have not ended, each with the id of the window that writes it. */
  get foreignRuns(): readonly (readonly [runId: string, writer: string])[] {
    return this.#opened.openRuns.list().filter(([, writer]) => writer !== this.#ports.writerId);
  }

  /** Whether new events belong before earlier events of the log. The state is wrong until the log is read again. */
  get isOutOfOrder(): boolean {
    return this.#isOutOfOrder;
  }

  /** Reads the log again, then adds what this VS Code window logged during the read. Rejects as `read` does. */
  async reread(read: () => Promise<OpenedChat>): Promise<void> {
    const meanwhile: ChatEvent[] = [];
    this.#loggedMeanwhile = meanwhile;
    try {
      this.#takeOver(await read(), meanwhile);
    } finally {
      this.#loggedMeanwhile = null;
    }
  }

  /** Applies events that other VS Code windows logged. A line from a newer Loupe version makes the chat read-only. */
  merge({ events, faults, readOnly, position }: ChatGrowth & { readonly readOnly: string | null }): void {
    const isNewer = readOnly !== null && this.readOnly === null;
    this.#opened = { ...this.#opened, position, faults: [...this.#opened.faults, ...faults], readOnly: this.readOnly ?? readOnly };
    this.#fold(events);
    if (isNewer || faults.length > 0) {
      this.changed('state');
    }
  }

  /** Applies and logs events. Never rejects: after a failed write, the journal keeps the events and tries again. */
  async record(drafts: readonly NewEvent[], persistence: Persistence): Promise<void> {
    if (drafts.length === 0) {
      return;
    }
    if (persistence === 'shown') {
      const stamp = { at: this.#ports.clock.now(), writer: this.#ports.writerId };
      for (const draft of drafts) {
        this.#opened.fold.apply({ ...draft, ...stamp });
      }
      this.changed(progressIn(drafts));
      return;
    }
    const { events, written } = this.#ports.journal.append(drafts, persistence);
    this.#loggedMeanwhile?.push(...events);
    this.#fold(events);
    try {
      await written;
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
      this.changed('state');
    }
  }

  #takeOver(opened: OpenedChat, loggedMeanwhile: readonly ChatEvent[]): void {
    this.#opened = opened;
    this.#isOutOfOrder = false;
    this.start(this.#behaviours);
    const read = opened.seen.get(this.#ports.writerId) ?? 0;
    this.#fold(loggedMeanwhile.filter(({ seq }) => seq > read));
    this.changed('state');
  }

  #fold(events: readonly ChatEvent[]): void {
    if (events.length === 0) {
      return;
    }
    const { fold, order, openRuns } = this.#opened;
    for (const event of events) {
      fold.apply(event);
      openRuns.take(event);
      this.#isOutOfOrder = !order.add(event) || this.#isOutOfOrder;
    }
    this.#isOutOfOrder ||= fold.needsWholeLog;
    this.#behaviours.forEach((behaviour) => behaviour.eventsLogged?.(events));
    this.changed(events.every(({ type }) => type === 'attempt-progress') ? progressIn(events) : 'state');
  }

  /** Starts the behaviours of the chat, which are created after its log. */
  start(behaviours: readonly Behaviour[]): void {
    this.#behaviours = behaviours;
    behaviours.forEach((behaviour) => behaviour.chatLoaded?.());
  }
}

function progressIn(events: readonly NewEvent[]): 'progress' | 'call' {
  const beginsCall = events.some((event) => event.type === 'attempt-progress' && event.pieces.some(({ type }) => type === 'toolCall'));
  return beginsCall ? 'call' : 'progress';
}
