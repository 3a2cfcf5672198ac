import { unsearched, type ChatCreated, type OwnSlice } from './slice.js';

/** The imported chat of another workspace: its id and its workspace folders, both from its log. */
export interface ChatOrigin {
  readonly chatId: string;
  readonly folders: readonly string[];
}

export interface OriginState {
  readonly chatId: string;
  readonly createdAt: number;
  readonly folders: readonly string[];
  readonly parent: ChatCreated['parent'];
  /** The chat of another workspace that was imported as this chat. Null for a chat created in this workspace. */
  readonly importedFrom: ChatOrigin | null;
}

export type OriginEvent =
  | ChatCreated
  /**
   * The end of the copied part of an imported log. The chat now has the id `chatId` and belongs to the workspace with
   * the folders `folders`. `from` is the original chat.
   */
  | { readonly type: 'imported'; readonly chatId: string; readonly folders: readonly string[]; readonly from: ChatOrigin }
  | { readonly type: 'folders-changed'; readonly folders: readonly string[] };

export const origin: OwnSlice<OriginState, OriginEvent, OriginState> = {
  initial: ({ chatId, at, folders, parent }) => ({ chatId, createdAt: at, folders, parent, importedFrom: null }),
  events: {
    'chat-created': unsearched('slice', () => undefined),
    imported: unsearched('slice', (state, { chatId, folders, from }) => {
      Object.assign(state, { chatId, folders, importedFrom: from } satisfies Partial<OriginState>);
    }),
    'folders-changed': unsearched('slice', (state, { folders }) => {
      Object.assign(state, { folders } satisfies Partial<OriginState>);
    }),
  },
  follows: {},
  snapshot: ({ chatId, createdAt, folders, parent, importedFrom }) => ({ chatId, createdAt, folders, parent, importedFrom }),
  restore: (json) => json,
  exported: () => [],
  // Nothing, because the origin of a fork is in its `chat-created` event.
  fork: () => [],
  isUntouched: () => true,
};
