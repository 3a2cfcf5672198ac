import type { StoredText } from '../../record/item.js';
import { isSame } from '../../same.js';
import { type Mutable, type OwnSlice, unsearched } from './slice.js';

/** A file that exists only in a chat, not on the disk. */
export interface SessionFile {
  /** Relative path with forward slashes. */
  readonly path: string;
  readonly content: StoredText;
  /** Missing in logs of version 2. */
  readonly mimeType?: string;
  /** One line for the list of files in the system prompt. Missing in logs of version 2. */
  readonly summary?: string;
  /** Present if the content is not text. Such content is always a blob. */
  readonly isBinary?: true;
  /** Time of this version in epoch milliseconds, which restoring and forking keep. Missing in older logs. */
  readonly writtenAt?: number;
}

export interface SessionFilesState {
  /** The files by path, in the order in which they were created. */
  readonly sessionFiles: ReadonlyMap<string, SessionFile>;
  /**
   * The earlier versions of each changed or deleted file, by path, so that the user can restore each of them. All are
   * different, and differ from the current version. The version that was current last comes last. Never empty.
   */
  readonly earlierSessionFiles: ReadonlyMap<string, readonly SessionFile[]>;
}

export type SessionFileEvent =
  /**
   * A file was created or changed. New events have no `runId`: all events of a run move to its beginning, but a change
   * by a tool must stay after an earlier change by the user.
   */
  | { readonly type: 'session-file-put'; readonly runId: string | null; readonly file: SessionFile }
  | { readonly type: 'session-file-deleted'; readonly runId: string | null; readonly path: string };

/** The files that the model and the user keep in a chat. */
export const sessionFiles: OwnSlice<SessionFilesState, SessionFileEvent, SessionFilesJson> = {
  initial: () => ({ sessionFiles: new Map(), earlierSessionFiles: new Map() }),
  events: {
    'session-file-put': unsearched('slice', (state, { file }) => {
      setFile(state, file.path, file);
    }),
    'session-file-deleted': unsearched('slice', (state, { path }) => {
      setFile(state, path, null);
    }),
  },
  follows: {},
  snapshot: (state) => ({ files: [...state.sessionFiles.values()], earlier: [...state.earlierSessionFiles.values()].flat() }),
  restore: ({ files, earlier }) => ({
    sessionFiles: new Map(files.map((file) => [file.path, file])),
    earlierSessionFiles: byPath(earlier),
  }),
  exported: () => [],
  fork: ({ sessionFiles: files, earlierSessionFiles: earlier }) =>
    [...new Set([...files.keys(), ...earlier.keys()])].flatMap((path) => {
      const now = files.get(path);
      const versions = [...(earlier.get(path) ?? []), ...(now === undefined ? [] : [now])];
      return [
        ...versions.map((file) => ({ type: 'session-file-put', runId: null, file }) as const),
        ...(now === undefined ? [{ type: 'session-file-deleted', runId: null, path } as const] : []),
      ];
    }),
  isUntouched: (state) => state.sessionFiles.size === 0 && state.earlierSessionFiles.size === 0,
};

interface SessionFilesJson {
  readonly files: readonly SessionFile[];
  readonly earlier: readonly SessionFile[];
}

/** Replaces the current version of a file. Null deletes the file. The version until now becomes an earlier one. */
function setFile(state: Mutable<SessionFilesState>, path: string, file: SessionFile | null): void {
  const { sessionFiles: files, earlierSessionFiles: earlier } = state;
  const before = files.get(path);
  const kept = (earlier.get(path) ?? []).filter((each) => !isSameVersion(each, before));
  const versions = [...kept, ...(before === undefined ? [] : [before])].filter((each) => !isSameVersion(each, file));
  if (file === null) {
    files.delete(path);
  } else {
    files.set(path, file);
  }
  if (versions.length === 0) {
    earlier.delete(path);
  } else {
    earlier.set(path, versions);
  }
}

function isSameVersion(a: SessionFile, b: SessionFile | null | undefined): boolean {
  return isSame({ ...a, writtenAt: null }, { ...b, writtenAt: null });
}

function byPath(files: readonly SessionFile[]): Map<string, readonly SessionFile[]> {
  const found = new Map<string, SessionFile[]>();
  for (const file of files) {
    const versions = found.get(file.path) ?? [];
    versions.push(file);
    found.set(file.path, versions);
  }
  return found;
}
