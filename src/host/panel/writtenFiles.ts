import { roundFiles } from '../../engine/chat/writtenFiles.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { WrittenFileView } from '../../protocol/restorableFile.js';
import type { Round } from './callViews.js';

/** What the tools of a reply did to files, each written one once: what its calls told, and what else was found to have changed meanwhile. */
export function writtenFiles({ message, runId, results }: Round, { runs }: Pick<ChatState, 'runs'>): readonly WrittenFileView[] {
  const run = runs.get(results?.runId ?? runId ?? '');
  // A reply that calls no tool has no round.
  if (run === undefined || !message.parts.some(({ type }) => type === 'toolCall')) {
    return [];
  }
  const messageId = results?.message.id ?? null;
  return roundFiles(run, messageId).map((file): WrittenFileView => {
    if (file.kind === 'unapplied') {
      const { path, why, callId } = file;
      return { kind: 'unapplied', path, why, callId };
    }
    const { path, added, removed, earlier, left, isUndone } = file;
    const state = isUndone ? 'undone' : left === null ? 'deleted' : 'applied';
    return { kind: 'written', path, added, removed, state, messageId, hasEarlier: earlier.kind !== 'unknown' };
  });
}
