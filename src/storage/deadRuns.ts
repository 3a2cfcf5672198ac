import type { ChatFold } from '../engine/chat/fold.js';
import { interruption } from '../engine/chat/interruption.js';
import type { WriterState } from './liveness.js';
import type { OpenRuns } from './runs.js';

/** Names what only the fold has. */
const INTERRUPTED = 'interrupted';

/** A chat that was read, and that no window continues. */
interface Read {
  readonly fold: ChatFold;
  readonly openRuns: OpenRuns;
}

/** Ends the open runs, as a window does in the log that finds their windows dead: what their requests used is unknown. */
export function endOpenRuns({ fold, openRuns }: Read): void {
  for (const [runId] of openRuns.list()) {
    endRun(fold, runId);
  }
}

/** Ends those open runs whose windows are dead, though no line ends them yet. */
export async function endDeadRuns({ fold, openRuns }: Read, stateOf: (writer: string) => Promise<WriterState>): Promise<void> {
  for (const [runId, writer] of openRuns.list()) {
    if ((await stateOf(writer)) === 'dead') {
      endRun(fold, runId);
    }
  }
}

function endRun(fold: ChatFold, runId: string): void {
  const { state } = fold;
  for (const event of interruption(state, runId, () => INTERRUPTED)) {
    fold.apply({ ...event, at: state.updatedAt, writer: INTERRUPTED });
  }
}
