import { endedRun, runOf, type ChatEvent } from '../../engine/chat/event.js';
import type { ChatFold } from '../../engine/chat/fold.js';
import { interruptionEvents } from '../../engine/run/interruption.js';
import type { WriterState } from './liveness.js';

/** The id and writer of events that change only the state in memory and are never logged. */
const INTERRUPTED = 'interrupted';

/** The runs that have not ended yet. Includes runs whose start is on a damaged line, because these must end, too. */
export class OpenRuns {
  readonly #open = new Map<string, string>();
  readonly #ended = new Set<string>();

  take(event: ChatEvent): void {
    const runId = runOf(event);
    if (runId === null) {
      return;
    }
    if (endedRun(event) !== null) {
      this.#ended.add(runId);
      this.#open.delete(runId);
    } else if (!this.#open.has(runId) && !this.#ended.has(runId)) {
      this.#open.set(runId, event.writer);
    }
  }

  has(runId: string): boolean {
    return this.#open.has(runId);
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** Returns the ids of open runs, each with the writer of its first event. */
  list(): readonly (readonly [runId: string, writer: string])[] {
    return [...this.#open];
  }
}

/** A chat that was read from its log. `openRuns` may be of living or dead windows. */
interface FoldedChat {
  readonly fold: ChatFold;
  readonly openRuns: OpenRuns;
}

/** Ends the open runs in memory, as if their windows were dead. Usage that was not logged is unknown. */
export function endOpenRuns({ fold, openRuns }: FoldedChat): void {
  for (const [runId] of openRuns.list()) {
    endRun(fold, runId);
  }
}

/** Ends the open runs of dead windows in memory. */
export async function endDeadRuns({ fold, openRuns }: FoldedChat, stateOf: (writer: string) => Promise<WriterState>): Promise<void> {
  for (const [runId, writer] of openRuns.list()) {
    if ((await stateOf(writer)) === 'dead') {
      endRun(fold, runId);
    }
  }
}

function endRun(fold: ChatFold, runId: string): void {
  const { state } = fold;
  for (const event of interruptionEvents(state, runId, () => INTERRUPTED)) {
    fold.apply({ ...event, at: state.updatedAt, writer: INTERRUPTED });
  }
}
