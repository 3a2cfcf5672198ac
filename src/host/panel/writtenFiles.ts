import type { ChatState } from '../../engine/chat/state.js';
import type { ToolEdit } from '../../engine/chat/toolEdit.js';
import type { WrittenFileView } from '../../protocol/restorableFile.js';
import type { Round } from './callViews.js';

/** What the tools of a reply wrote, each file once: what its calls told, and what else was found to have changed meanwhile. */
export function writtenFiles({ message, runId, results }: Round, { runs }: Pick<ChatState, 'runs'>): readonly WrittenFileView[] {
  const run = runs.get(results?.runId ?? runId ?? '');
  if (run === undefined) {
    return [];
  }
  const settledBy = results?.message.id ?? null;
  const calls = new Set(message.parts.flatMap((part) => (part.type === 'toolCall' ? [part.id] : [])));
  const told = run.calls.flatMap((call) => (call.settledBy === settledBy && calls.has(call.callId) ? (call.end?.edits ?? []) : []));
  const found = run.roundEdits.flatMap(({ messageId, edits }) => (messageId === settledBy ? edits : []));
  const byPath = new Map<string, WrittenFileView>();
  for (const edit of [...told, ...found]) {
    byPath.set(edit.path, withEdit(byPath.get(edit.path), edit));
  }
  return [...byPath.values()];
}

/** The lines of several edits of a file add up. */
function withEdit(known: WrittenFileView | undefined, { path, added, removed, after }: ToolEdit): WrittenFileView {
  const sum = (before: number | null | undefined, now: number | null): number | null =>
    now === null || before === null ? null : (before ?? 0) + now;
  return { path, added: sum(known?.added, added), removed: sum(known?.removed, removed), isGone: after === null };
}
