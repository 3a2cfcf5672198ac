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
}

export interface SessionFilesState {
  /** The files by path, in the order in which they were created. */
  readonly sessionFiles: ReadonlyMap<string, SessionFile>;
  /** The version before the last change of each changed or deleted file, by path, so that the user can restore it. */
  readonly earlierSessionFiles: ReadonlyMap<string, SessionFile>;
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
      keepEarlier(state, file.path);
      state.sessionFiles.set(file.path, file);
      if (isSame(state.earlierSessionFiles.get(file.path), file)) {
        state.earlierSessionFiles.delete(file.path);
      }
    }),
    'session-file-deleted': unsearched('slice', (state, { path }) => {
      keepEarlier(state, path);
      state.sessionFiles.delete(path);
    }),
  },
  follows: {},
  snapshot: (state) => ({ files: [...state.sessionFiles.values()], earlier: [...state.earlierSessionFiles.values()] }),
  restore: ({ files, earlier }) => ({ sessionFiles: byPath(files), earlierSessionFiles: byPath(earlier) }),
  exported: () => [],
  fork: (state) => [...state.sessionFiles.values()].map((file) => ({ type: 'session-file-put', runId: null, file })),
  isUntouched: (state) => state.sessionFiles.size === 0 && state.earlierSessionFiles.size === 0,
};

interface SessionFilesJson {
  readonly files: readonly SessionFile[];
  readonly earlier: readonly SessionFile[];
}

function keepEarlier({ sessionFiles: files, earlierSessionFiles: earlier }: Mutable<SessionFilesState>, path: string): void {
  const now = files.get(path);
  if (now !== undefined) {
    earlier.set(path, now);
  }
}

function byPath(files: readonly SessionFile[]): Map<string, SessionFile> {
  return new Map(files.map((file) => [file.path, file]));
}
