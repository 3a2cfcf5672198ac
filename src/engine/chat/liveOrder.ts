import { beginsRun, runOf, type ChatEvent, type EventType } from './event.js';
import { compareStamps, type Stamp } from './order.js';

/*
 * What decides whether an event of another window can simply be folded on. The state of a chat has parts, and only
 * events of one part have an order among each other: a title says nothing about the conversation. What happens
 * inside a run after its start is kept with that run, so it has an order within the run only. An event may be folded
 * after everything known when nothing of its part sorts behind it. Two windows that take turns never write anything
 * else; only when both began at the same moment does the log have to be folded again.
 */

type Part = 'conversation' | 'config' | 'title' | 'context' | 'origin';

/** The part of the state whose order an event has to keep; null for what belongs to its run alone. */
const PARTS: Readonly<Record<EventType, Part | null>> = {
  'chat-created': 'origin',
  imported: 'origin',
  'folders-changed': 'origin',
  'config-changed': 'config',
  title: 'title',
  message: 'conversation',
  'context-added': 'context',
  'context-removed': 'context',
  'run-started': 'conversation',
  'attempt-started': 'conversation',
  'attempt-progress': null,
  'attempt-ended': null,
  'tool-started': null,
  'tool-ended': null,
  'run-committed': null,
  'run-stopped': null,
  'run-failed': null,
  'run-rolled-back': null,
  'run-interrupted': null,
  rewound: 'conversation',
  restored: 'conversation',
};

interface RunSpan {
  readonly first: ChatEvent;
  readonly last: ChatEvent;
}

/** The order of a log that grows while it is shown, as far as it decides where a new event goes. */
export class LiveOrder {
  readonly #runs = new Map<string, RunSpan>();
  /** What stands last in each part: the first event of its run, or the event itself. */
  readonly #latest = new Map<Part, Stamp>();
  /** The greatest stamp before the events that are here; null when all are. */
  readonly #floor: Stamp | null;

  /** Takes events in log order: all, or all those after the stamp `floor`. */
  constructor(events: readonly ChatEvent[], floor: Stamp | null) {
    this.#floor = floor;
    for (const event of events) {
      this.add(event);
    }
  }

  /** Takes in an event. Returns whether folding it after all others gives the state that folding in log order gives. */
  add(event: ChatEvent): boolean {
    const runId = runOf(event);
    const run = runId === null ? undefined : this.#runs.get(runId);
    const first = run?.first ?? event;
    if (runId !== null) {
      this.#runs.set(runId, { first, last: event });
    }
    const continuesRun = run === undefined ? this.#mayBegin(event) : compareStamps(run.last, event) < 0;
    return this.#isLatest(PARTS[event.type], first) && continuesRun;
  }

  /** What goes on with a run that did not begin here belongs before the events that are here. */
  #mayBegin(event: ChatEvent): boolean {
    return this.#floor === null || runOf(event) === null || beginsRun(event);
  }

  #isLatest(part: Part | null, first: ChatEvent): boolean {
    const latest = part === null ? null : (this.#latest.get(part) ?? this.#floor);
    const isLatest = latest === null || compareStamps(latest, first) <= 0;
    if (part !== null && isLatest) {
      this.#latest.set(part, first);
    }
    return isLatest;
  }
}
