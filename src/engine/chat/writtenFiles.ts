import type { CallState } from './calls/calls.js';
import type { RunState, RunsState } from './slices/runs.js';
import { isMessageItem, type BranchState } from './timeline.js';
import type { NoCopy, ToolEdit, UnappliedEdit } from './calls/toolEdit.js';

/** The content of a file before tools wrote it: a copy (SHA-256 of the blob), absent, or unknown with the reason. */
export type EarlierFile =
  | { readonly kind: 'copy'; readonly blob: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly why: NoCopy };

export interface WrittenFile {
  /** Path relative to the workspace. */
  readonly path: string;
  readonly earlier: EarlierFile;
  /** SHA-256 (hex) of the file after the last edit; null if deleted. Another hash on the disk shows a later change. */
  readonly left: string | null;
  /** The call that made the last edit, and the file before that edit. Null if no call reported the edit. */
  readonly leftBy: { readonly callId: string; readonly found: EarlierFile } | null;
}

/** An edit, and the id of the call that reported the edit. The id is null if Loupe found the change on disk. */
interface KnownEdit extends ToolEdit {
  readonly callId: string | null;
}

interface EditEnds {
  readonly first: KnownEdit;
  readonly last: KnownEdit;
}

/**
 * Returns the files that tools wrote in all runs after message `id`, in the order of their first edit. The user can
 * restore these files with a rewind to the message. Unchanged files are not included. Empty if the message is missing.
 */
export function filesWrittenSince(state: BranchState & RunsState, id: string): WrittenFile[] {
  const at = state.timeline.findLastIndex((item) => isMessageItem(item, id));
  return filesWrittenBy(at === -1 ? [] : runsIn(state.timeline.slice(at + 1), state.runs));
}

/** Like `filesWrittenSince`, but only of the turn of the user message `id`. */
export function filesWrittenInTurn(state: BranchState & RunsState, id: string): WrittenFile[] {
  return filesWrittenBy(runsOfTurn(state, id));
}

/** Returns the runs of the turn of the user message `id`. Empty if the message is missing. */
function runsOfTurn({ timeline, runs }: BranchState & RunsState, id: string): readonly RunState[] {
  const at = timeline.findLastIndex((item) => isMessageItem(item, id));
  const after = at === -1 ? [] : timeline.slice(at + 1);
  const end = after.findIndex((item) => item.kind === 'message' && item.message.role === 'user');
  return runsIn(end === -1 ? after : after.slice(0, end), runs);
}

function runsIn(items: BranchState['timeline'], runs: RunsState['runs']): readonly RunState[] {
  return items.flatMap((item) => (item.kind === 'run' ? (runs.get(item.runId) ?? []) : []));
}

function filesWrittenBy(runs: readonly RunState[]): WrittenFile[] {
  const ends = new Map<string, EditEnds>();
  for (const run of runs) {
    for (const [path, { first, last }] of endsIn(run)) {
      ends.set(path, { first: ends.get(path)?.first ?? first, last });
    }
  }
  return [...ends]
    .filter(([, { first, last }]) => first.noCopy === 'notKnown' || first.before !== last.after)
    .map(([path, each]) => writtenFile(path, each));
}

/** An edit of a step that the user has not undone. */
export interface StepEdit {
  readonly runId: string;
  /** Id of the message with the results of the step. */
  readonly messageId: string;
  readonly path: string;
}

/** Returns each file of each ended step of a turn, without files in which the user undid the edits of the step. */
export function editsOfTurn(state: BranchState & RunsState, id: string): readonly StepEdit[] {
  return runsOfTurn(state, id).flatMap((run) => {
    const ids = new Set([...run.calls.map(({ settledBy }) => settledBy), ...run.roundEdits.map(({ messageId }) => messageId)]);
    return [...ids].flatMap((messageId) =>
      messageId === null
        ? []
        : stepFiles(run, messageId).flatMap((file) =>
            file.kind === 'written' && !file.isUndone ? [{ runId: run.id, messageId, path: file.path }] : [],
          ),
    );
  });
}

function writtenFile(path: string, { first, last }: EditEnds): WrittenFile {
  const leftBy = last.callId === null ? null : { callId: last.callId, found: earlierOf(last) };
  return { path, earlier: earlierOf(first), left: last.after, leftBy };
}

function endsIn(run: RunState): ReadonlyMap<string, EditEnds> {
  const edits = byPath(editsOf(run));
  return new Map([...edits].flatMap(([path, each]) => endsOf(each).map((ends) => [path, ends] as const)));
}

function byPath(edits: readonly KnownEdit[]): ReadonlyMap<string, readonly KnownEdit[]> {
  const paths = new Map<string, KnownEdit[]>();
  for (const edit of edits) {
    paths.set(edit.path, [...(paths.get(edit.path) ?? []), edit]);
  }
  return paths;
}

/** Returns the edits of a run that the user did not undo. In each step, edits of calls come before other changes. */
function editsOf({ calls, roundEdits, undone }: RunState): readonly KnownEdit[] {
  const stands = (messageId: string | null, path: string): boolean =>
    !undone.some((each) => each.messageId === messageId && each.path === path);
  let done = 0;
  const edits: KnownEdit[] = [];
  for (const round of [...roundEdits, { messageId: null, calls: calls.length, edits: [] }]) {
    const told = calls.slice(done, round.calls).flatMap((call) => reportedEdits(call).filter(({ path }) => stands(call.settledBy, path)));
    const found = round.edits.filter(({ path }) => stands(round.messageId, path)).map((edit) => ({ ...edit, callId: null }));
    edits.push(...told, ...found);
    done = Math.max(done, round.calls);
  }
  return edits;
}

function reportedEdits({ callId, end }: CallState): readonly KnownEdit[] {
  return (end?.edits ?? []).map((edit) => ({ ...edit, callId }));
}

/** A file that the tools of one step wrote, or an edit that a tool did not apply. */
export type StepFile =
  | (WrittenFile & {
      readonly kind: 'written';
      /** Number of added lines in all edits of the file (`removed`: removed lines). Null if one number is unknown. */
      readonly added: number | null;
      readonly removed: number | null;
      readonly isUndone: boolean;
    })
  | (UnappliedEdit & { readonly kind: 'unapplied'; readonly callId: string });

/** Returns the files that one step changed, each once, then the edits that were not applied. */
export function stepFiles({ calls, roundEdits, undone }: RunState, messageId: string | null): StepFile[] {
  const own = calls.filter(({ settledBy }) => settledBy === messageId);
  const found = roundEdits.flatMap((round) =>
    round.messageId === messageId ? round.edits.map((edit) => ({ ...edit, callId: null })) : [],
  );
  const written = [...byPath([...own.flatMap(reportedEdits), ...found])].flatMap(([path, edits]) =>
    endsOf(edits).map((ends): StepFile => {
      const isUndone = undone.some((each) => each.messageId === messageId && each.path === path);
      return { kind: 'written', ...writtenFile(path, ends), added: sum(edits, 'added'), removed: sum(edits, 'removed'), isUndone };
    }),
  );
  const unapplied = own.flatMap(({ callId, end }): StepFile[] =>
    end?.unapplied === undefined ? [] : [{ kind: 'unapplied', callId, ...end.unapplied }],
  );
  return [...written, ...unapplied];
}

function sum(edits: readonly ToolEdit[], which: 'added' | 'removed'): number | null {
  return edits.reduce<number | null>((total, edit) => (total === null || edit[which] === null ? null : total + edit[which]), 0);
}

/**
 * Returns the first and the last edit of a file. The calls of a step run in parallel, so only the hashes show the
 * order: the first edit is the one whose `before` no other edit produced. If edits form a cycle, the order of the calls
 * decides.
 */
function endsOf(edits: readonly KnownEdit[]): readonly EditEnds[] {
  const first = edits.find((edit) => !edits.some((other) => other !== edit && follows(edit, other))) ?? edits[0];
  const last = edits.findLast((edit) => !edits.some((other) => other !== edit && follows(other, edit))) ?? edits.at(-1);
  return first === undefined || last === undefined ? [] : [{ first, last }];
}

function follows(edit: ToolEdit, other: ToolEdit): boolean {
  return edit.noCopy !== 'notKnown' && edit.before === other.after;
}

function earlierOf({ before, blob, noCopy }: ToolEdit): EarlierFile {
  if (noCopy !== null) {
    return { kind: 'unknown', why: noCopy };
  }
  if (blob !== null) {
    return { kind: 'copy', blob };
  }
  // A file that existed should have a copy or a reason in `noCopy`. If both are missing, the copy was not stored.
  return before === null ? { kind: 'absent' } : { kind: 'unknown', why: 'notKept' };
}
