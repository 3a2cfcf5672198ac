import type { FileProblem } from './fileProblem.js';

/*
 * Context has three levels: the catalog (what is available), the session context (what is in this chat) and the request
 * context (what one request used). Items are stored by name and looked up when needed.
 */

export type ContextItemBase =
  | { readonly type: 'rule'; readonly name: string }
  | ReferenceBase
  | { readonly type: 'skill'; readonly name: string }
  | { readonly type: 'tool'; readonly name: string; readonly serverName: string }
  /** `name` is the path relative to the workspace root, with forward slashes. */
  | { readonly type: 'file'; readonly name: string };

/** A reference of the workspace, or a resource of a server. The name of a resource is a URI. */
interface ReferenceBase {
  readonly type: 'reference';
  readonly name: string;
  readonly serverName?: string;
}

export type ResourceBase = Required<ReferenceBase>;

export type ContextItemType = ContextItemBase['type'];

/** Items that come from the files of a workspace. */
export type WrittenType = 'rule' | 'reference' | 'skill';

/** Items that come from the files of a workspace or from its servers. */
export type CatalogType = WrittenType | 'tool';

export function isCatalogType(type: ContextItemType): type is CatalogType {
  return type !== 'file';
}

export type SessionIncludeMode = 'always' | 'manual';

/**
 * How an item came into one request. `agent` items were selected for that request only, with a score. For `onDemand`
 * tools the request holds only the name and a line; the model loads their definitions by a search.
 */
export type IncludeMode = SessionIncludeMode | 'agent' | 'onDemand';

export type SessionContextItem = ContextItemBase & {
  readonly includeMode: SessionIncludeMode;
  /** SHA-256 of the content when it was added, to detect later changes; null for items without content. */
  readonly addedHash: string | null;
  /** Content passed in when the item was added. Null for content on disk: each request reads it from its source. */
  readonly given: StoredText | null;
};

export type RequestContextItem = ContextItemBase & {
  readonly includeMode: IncludeMode;
  readonly similarityScore?: number;
};

/** Why an item was not selected. Manifests store the code; the host makes the sentence. */
export type NotSelectedReason =
  | FileProblem
  | { readonly code: 'notInCatalog' }
  /** Switched off in its own file, by a setting, or by the agent of the chat. */
  | { readonly code: 'disabled' }
  /** Enters chats only by hand, or began to enter new chats after this chat was created. */
  | { readonly code: 'notAdded' }
  /** The user removed it from the chat. */
  | { readonly code: 'removed' }
  /** The message is not about it, or too little: its score was below `minimum`. */
  | { readonly code: 'belowScore'; readonly minimum: number }
  /** It matched the message, but `most` others matched better. */
  | { readonly code: 'beyondMost'; readonly most: number }
  /** A tool, but the model does not support tools. */
  | { readonly code: 'noTools' }
  /** It applies to files of other paths than those in the chat. */
  | { readonly code: 'noFile' }
  /** The workspace is not trusted. */
  | { readonly code: 'restricted' }
  /** The request had no room for it. A file stays in the chat. `hash` is the SHA-256 (hex) of its content. */
  | { readonly code: 'noRoom'; readonly hash: string; readonly tokens: number }
  /** The added text can no longer be read; `text` says why. */
  | { readonly code: 'givenTextGone'; readonly text: string };

export interface NotSelectedItem {
  readonly item: RequestContextItem;
  readonly reason: NotSelectedReason;
}

export interface RequestContext {
  readonly items: readonly RequestContextItem[];
  readonly notSelected: readonly NotSelectedItem[];
  /** Epoch milliseconds. */
  readonly timestamp: number;
}

export function isResource<T extends ContextItemBase>(item: T): item is T & ResourceBase {
  return item.type === 'reference' && item.serverName !== undefined;
}

/**
 * Returns the identity of an item, which is also the key of its prompt block: `file:src/a.ts`, `rule:Tests`,
 * `tool:server/read_file`, `resource:server/file:///tides.md`. A workspace can give a reference any name, so resources
 * have another kind of key.
 */
export function itemKey(item: ContextItemBase): string {
  if (item.type === 'tool') {
    return `tool:${item.serverName}/${item.name}`;
  }
  return isResource(item) ? `resource:${item.serverName}/${item.name}` : `${item.type}:${item.name}`;
}

/**
 * A text as the log stores it: in its line or, over 16 KB, in the chat's blob folder. `blob` is the SHA-256 (hex) of
 * its UTF-8 bytes and its file name there; `bytes` is their number.
 */
export type StoredText = { readonly inline: string } | { readonly blob: string; readonly bytes: number };
