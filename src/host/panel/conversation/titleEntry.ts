import type { RunState } from '../../../engine/chat/slices/runs.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { TitleEntry } from '../../../protocol/panel/noteEntries.js';
import { ownRequests, type NameOfModel } from './ownRequests.js';
import type { Note } from './runNotes.js';

const STATUSES = {
  running: 'running',
  committed: 'done',
  stopped: 'stopped',
  interrupted: 'stopped',
  failed: 'failed',
  rolledBack: 'failed',
} as const;

export function titleNote(run: RunState, state: ChatState, nameOf: NameOfModel): Note {
  return { id: run.id, derive: () => titleEntry(run, state, nameOf) };
}

function titleEntry({ id, status, error }: RunState, state: ChatState, nameOf: NameOfModel): TitleEntry {
  return {
    kind: 'title',
    id,
    status: STATUSES[status],
    ...titlesOf(id, state),
    text: error?.message ?? null,
    requests: ownRequests([id], state, nameOf).requests,
  };
}

/** Returns the title of a run, and whether it was the first loaded one. */
function titlesOf(runId: string, { timeline }: ChatState): Pick<TitleEntry, 'title' | 'isFirst'> {
  const titles = timeline.flatMap((item) =>
    item.kind === 'message' && item.message.role === 'title' ? [{ runId: item.runId, text: item.message.text }] : [],
  );
  return { title: titles.find((each) => each.runId === runId)?.text ?? null, isFirst: titles[0]?.runId === runId };
}
