import type { StoredText } from './storedText.js';
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

/** A reference of the workspace, or a resource of a server: its name is then a URI. */
interface ReferenceBase {
  readonly type: 'reference';
  readonly name: string;
  readonly serverName?: string;
}

/** A resource of a server. */
export type ResourceBase = Required<ReferenceBase>;

export type ContextItemType = ContextItemBase['type'];

/** What the files of a workspace offer to its chats. */
export type WrittenType = 'rule' | 'reference' | 'skill';

/** What the files of a workspace and its servers offer to its chats. */
export type CatalogType = WrittenType | 'tool';

/** Whether items of a type come from the catalog. */
export function isCatalogType(type: ContextItemType): type is CatalogType {
  return type !== 'file';
}

/** How an item came into a chat. */
export type SessionIncludeMode = 'always' | 'manual';

/**
 * How an item came into one request. `agent` items were picked for that request only, with a score. Of `onDemand` tools a request
 * holds the name and a line; the model loads their definitions by a search.
 */
export type IncludeMode = SessionIncludeMode | 'agent' | 'onDemand';

export type SessionContextItem = ContextItemBase & {
  readonly includeMode: SessionIncludeMode;
  /** SHA-256 of the content when it was added, to flag later changes; null for items without content. */
  readonly addedHash: string | null;
  /** Content given when the item was added, for content that is not on disk. Null: each request reads it from its source. */
  readonly given: StoredText | null;
};

export type RequestContextItem = ContextItemBase & {
  readonly includeMode: IncludeMode;
  readonly similarityScore?: number;
};

/** Why a request left out an item. Manifests keep the code; the host makes the sentence when it shows it. */
export type LeftOutReason =
  | FileProblem
  | { readonly code: 'notInCatalog' }
  /** Switched off in its own file, by a setting, or by the agent of the chat. */
  | { readonly code: 'disabled' }
  /** It enters a chat only by hand, or entered new chats later than this one began. */
  | { readonly code: 'notAdded' }
  /** The user took it out of the chat. */
  | { readonly code: 'removed' }
  /** Nothing in the message is about it, or too little: its score was below `minimum`. */
  | { readonly code: 'belowScore'; readonly minimum: number }
  /** It fitted the message, but `most` others fitted it better. */
  | { readonly code: 'beyondMost'; readonly most: number }
  /** It is a tool, and the model takes none. */
  | { readonly code: 'noTools' }
  /** It is for files of other paths than those in the chat. */
  | { readonly code: 'noFile' }
  /** The workspace is not trusted. */
  | { readonly code: 'restricted' }
  /** The request had no room for it; a file is still in the chat. `hash` is the SHA-256 (hex) of its content. */
  | { readonly code: 'noRoom'; readonly hash: string; readonly tokens: number }
  /** The text that was added cannot be read any more; `text` says why. */
  | { readonly code: 'givenTextGone'; readonly text: string };

/** An item of the session context, or of the catalog, that a request left out. */
export interface LeftOutItem {
  readonly item: RequestContextItem;
  readonly reason: LeftOutReason;
}

export interface RequestContext {
  readonly items: readonly RequestContextItem[];
  readonly leftOut: readonly LeftOutItem[];
  /** Epoch milliseconds. */
  readonly timestamp: number;
}

/** Whether an item is a resource of a server. */
export function isResource<T extends ContextItemBase>(item: T): item is T & ResourceBase {
  return item.type === 'reference' && item.serverName !== undefined;
}

/**
 * The identity of an item, and the key of its prompt block: `file:src/a.ts`, `rule:Tests`, `tool:server/read_file`,
 * `resource:server/file:///tides.md`. A file of the workspace can give a reference any name, so resources have keys of another kind.
 */
export function itemKey(item: ContextItemBase): string {
  if (item.type === 'tool') {
    return `tool:${item.serverName}/${item.name}`;
  }
  return isResource(item) ? `resource:${item.serverName}/${item.name}` : `${item.type}:${item.name}`;
}
