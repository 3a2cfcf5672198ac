import { silent, type ChatCreated, type OwnSlice } from './slice.js';

/** A chat of another workspace, as the log that was copied names it. */
export interface ChatOrigin {
  readonly chatId: string;
  readonly folders: readonly string[];
}

export interface OriginState {
  readonly chatId: string;
  readonly createdAt: number;
  readonly folders: readonly string[];
  readonly parent: ChatCreated['parent'];
  /** The chat it was copied from, when that was one of another workspace. */
  readonly importedFrom: ChatOrigin | null;
}

export type OriginEvent =
  | ChatCreated
  /**
   * The log up to here was copied from the chat `from` of another workspace: the chat has the id `chatId` from now on
   * and belongs to `folders`, the workspace it was brought into.
   */
  | { readonly type: 'imported'; readonly chatId: string; readonly folders: readonly string[]; readonly from: ChatOrigin }
  /** The workspace that the chat was made in has other folders than it had then: the chat belongs to these. */
  | { readonly type: 'folders-changed'; readonly folders: readonly string[] };

/** Where a chat comes from, and where it belongs. */
export const origin: OwnSlice<OriginState, OriginEvent, OriginState> = {
  initial: ({ chatId, at, folders, parent }) => ({ chatId, createdAt: at, folders, parent, importedFrom: null }),
  events: {
    'chat-created': silent('slice', () => undefined),
    imported: silent('slice', (state, { chatId, folders, from }) => {
      Object.assign(state, { chatId, folders, importedFrom: from } satisfies Partial<OriginState>);
    }),
    'folders-changed': silent('slice', (state, { folders }) => {
      Object.assign(state, { folders } satisfies Partial<OriginState>);
    }),
  },
  follows: {},
  snapshot: ({ chatId, createdAt, folders, parent, importedFrom }) => ({ chatId, createdAt, folders, parent, importedFrom }),
  restore: (json) => json,
  exported: () => [],
  // A fork is created with its own.
  fork: () => [],
  isUntouched: () => true,
};
