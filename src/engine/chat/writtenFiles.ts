import type { CallState } from './calls/calls.js';
import type { RunState, RunsState } from './slices/runs.js';
import { isMessageItem, type BranchState } from './timeline.js';
import type { NoCopy, ToolEdit, UnappliedEdit } from './calls/toolEdit.js';

/** How a file was before tools wrote it: the SHA-256 of its copy in the chat's blobs, not there, or why it is unknown. */
export type EarlierFile =
  | { readonly kind: 'copy'; readonly blob: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly why: NoCopy };

/** A file that tools wrote in a part of a conversation. */
export interface WrittenFile {
  /** Within the workspace. */
  readonly path: string;
  readonly earlier: EarlierFile;
  /** SHA-256 (hex) of what a tool left last; null where it left no file. A file that has another one now was changed since. */
  readonly left: string | null;
  /** The call that left it, and what it found; null where that was only found on the disk. */
  readonly leftBy: { readonly callId: string; readonly found: EarlierFile } | null;
}

/** An edit, and the call that told it; null for one that was found. */
interface KnownEdit extends ToolEdit {
  readonly callId: string | null;
}

/** The first and the last edit of a file. */
interface Ends {
  readonly first: KnownEdit;
  readonly last: KnownEdit;
}

/**
 * The files that the tools of all runs behind message `id` wrote, in the order in which they were first written: what a rewind to the
 * message can put back. Files that are as they were are none. Empty without the message.
 */
export function filesWrittenSince({ timeline, runs }: BranchState & RunsState, id: string): WrittenFile[] {
  const at = timeline.findLastIndex((item) => isMessageItem(item, id));
  const ends = new Map<string, Ends>();
  for (const item of at === -1 ? [] : timeline.slice(at + 1)) {
    for (const [path, { first, last }] of item.kind === 'run' ? endsIn(runs.get(item.runId)) : []) {
      ends.set(path, { first: ends.get(path)?.first ?? first, last });
    }
  }
  return [...ends].filter(([, each]) => !isAsBefore(each)).map(([path, each]) => writtenFile(path, each));
}

function isAsBefore({ first, last }: Ends): boolean {
  return first.noCopy !== 'notKnown' && first.before === last.after;
}

function writtenFile(path: string, { first, last }: Ends): WrittenFile {
  const leftBy = last.callId === null ? null : { callId: last.callId, found: earlierOf(last) };
  return { path, earlier: earlierOf(first), left: last.after, leftBy };
}

/** By path. */
function endsIn(run: RunState | undefined): ReadonlyMap<string, Ends> {
  const edits = byPath(run === undefined ? [] : editsOf(run));
  return new Map([...edits].flatMap(([path, each]) => endsOf(each).map((ends) => [path, ends] as const)));
}

function byPath(edits: readonly KnownEdit[]): ReadonlyMap<string, readonly KnownEdit[]> {
  const paths = new Map<string, KnownEdit[]>();
  for (const edit of edits) {
    paths.set(edit.path, [...(paths.get(edit.path) ?? []), edit]);
  }
  return paths;
}

/** The edits of a run that were not undone: those that calls told, and behind each round what else was found. */
function editsOf({ calls, roundEdits, undone }: RunState): readonly KnownEdit[] {
  const stands = (messageId: string | null, path: string): boolean =>
    !undone.some((each) => each.messageId === messageId && each.path === path);
  let done = 0;
  const edits: KnownEdit[] = [];
  for (const round of [...roundEdits, { messageId: null, calls: calls.length, edits: [] }]) {
    const told = calls.slice(done, round.calls).flatMap((call) => toldBy(call).filter(({ path }) => stands(call.settledBy, path)));
    const found = round.edits.filter(({ path }) => stands(round.messageId, path)).map((edit) => ({ ...edit, callId: null }));
    edits.push(...told, ...found);
    done = Math.max(done, round.calls);
  }
  return edits;
}

function toldBy({ callId, end }: CallState): readonly KnownEdit[] {
  return (end?.edits ?? []).map((edit) => ({ ...edit, callId }));
}

/** A file that the tools of one round wrote, or were asked to edit and did not. */
export type RoundFile =
  | (WrittenFile & {
      readonly kind: 'written';
      /** Of all its edits; null where they are not all known. */
      readonly added: number | null;
      readonly removed: number | null;
      readonly isUndone: boolean;
    })
  | (UnappliedEdit & { readonly kind: 'unapplied'; readonly callId: string });

/** What the calls of one round left in files, and what else was found to have changed meanwhile, each file once; then what they did not apply. */
export function roundFiles({ calls, roundEdits, undone }: RunState, messageId: string | null): RoundFile[] {
  const own = calls.filter(({ settledBy }) => settledBy === messageId);
  const found = roundEdits.flatMap((round) =>
    round.messageId === messageId ? round.edits.map((edit) => ({ ...edit, callId: null })) : [],
  );
  const written = [...byPath([...own.flatMap(toldBy), ...found])].flatMap(([path, edits]) =>
    endsOf(edits).map((ends): RoundFile => {
      const isUndone = undone.some((each) => each.messageId === messageId && each.path === path);
      return { kind: 'written', ...writtenFile(path, ends), added: sum(edits, 'added'), removed: sum(edits, 'removed'), isUndone };
    }),
  );
  const unapplied = own.flatMap(({ callId, end }): RoundFile[] =>
    end?.unapplied === undefined ? [] : [{ kind: 'unapplied', callId, ...end.unapplied }],
  );
  return [...written, ...unapplied];
}

function sum(edits: readonly ToolEdit[], which: 'added' | 'removed'): number | null {
  return edits.reduce<number | null>((total, edit) => (total === null || edit[which] === null ? null : total + edit[which]), 0);
}

/**
 * Calls of one round run side by side, and stand in the state as they were asked about. So the hashes tell the order of their edits: the
 * first one found what no other has left. Where they go in a circle, the order of the calls decides.
 */
function endsOf(edits: readonly KnownEdit[]): readonly Ends[] {
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
  // A file that was there has a copy or says why not.
  return before === null ? { kind: 'absent' } : { kind: 'unknown', why: 'notKept' };
}
