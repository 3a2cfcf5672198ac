import type { FileProblem } from './fileProblem.js';

/*
 * Context has three levels:
 * - the catalog: what is available
 * - the session context: what is in this chat
 * - the request context: what one request used
 *
 * Items are stored by name and looked up when needed.
 */

export type ContextItemBase =
  | { readonly type: 'rule'; readonly name: string }
  | ReferenceBase
  | { readonly type: 'skill'; readonly name: string }
  | { readonly type: 'tool'; readonly name: string; readonly serverName: string }
  /** `name` is the path relative to the workspace root, with forward slashes. */
  | { readonly type: 'file'; readonly name: string }
  /** A web page. `name` is its address. */
  | { readonly type: 'page'; readonly name: string }
  /** A part of the repository map, which the chat settings switch on. */
  | { readonly type: 'repository'; readonly name: 'tree' | 'map' };

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

export type CatalogType = WrittenType | 'tool';

export function isCatalogType(type: ContextItemType): type is CatalogType {
  return type !== 'file' && type !== 'page' && type !== 'repository';
}

export type SessionIncludeMode = 'always' | 'manual';

/**
 * How an item came into one request. `agent` items were selected for that request only, with a score. For `onDemand`
 * tools, the request holds only the name and one line; the model loads the definition by a search.
 */
export type IncludeMode = SessionIncludeMode | 'agent' | 'onDemand';

export type SessionContextItem = ContextItemBase & {
  readonly includeMode: SessionIncludeMode;
  /** SHA-256 of the content when the item was added, to detect later changes; null for items without content. */
  readonly addedHash: string | null;
  /** Content that was passed in when the item was added. If null, each request reads the content from its source. */
  readonly given: StoredText | null;
  /** Present for a web page only. */
  readonly page?: FetchedPage;
};

/** A web page at the time of its fetch. The text is in `given`. */
export interface FetchedPage {
  /** The title, or the address of a page without a title. */
  readonly title: string;
  /** In epoch milliseconds. */
  readonly fetchedAt: number;
  /** Size of the fetched file after decompression. */
  readonly bytes: number;
  /** `empty`: the page has no text. `login`: the page is probably a form to log in, not the wanted page. */
  readonly warning: 'empty' | 'login' | null;
}

export type RequestContextItem = ContextItemBase & {
  readonly includeMode: IncludeMode;
  readonly similarityScore?: number;
};

/** Why an item was not selected. Manifests store the code; the host turns it into a sentence. */
export type NotSelectedReason =
  | FileProblem
  | { readonly code: 'notInCatalog' }
  /** The item is switched off. `by` is missing in records of earlier versions. */
  | { readonly code: 'disabled'; readonly by?: OffBy }
  /** The user must add the item, or the item got the mode `always` only after this chat was created. */
  | { readonly code: 'notAdded' }
  /** The user removed the item from the chat. */
  | { readonly code: 'removed' }
  /** The message matched the item too little: the score was below `minimum`. */
  | { readonly code: 'belowScore'; readonly minimum: number }
  /** The message matched the item, but `most` other items matched better. */
  | { readonly code: 'beyondMost'; readonly most: number }
  /** The item is a tool, but the model does not support tools. */
  | { readonly code: 'noTools' }
  /** The item applies only to files with certain paths, and the chat has no such file. */
  | { readonly code: 'noFile' }
  /** A regular expression of the item takes too long, so Loupe does not test files with it. */
  | { readonly code: 'slowExpression' }
  /** The workspace is not trusted. */
  | { readonly code: 'restricted' }
  /** Loupe still reads the files for the repository map. */
  | { readonly code: 'beingRead' }
  /** Loupe could not read the files for the repository map. `text` is the reason. */
  | { readonly code: 'mapFailed'; readonly text: string }
  /** A request to the model has room for fewer than `least` tokens, so the repository map would take too much of it. */
  | { readonly code: 'smallWindow'; readonly least: number }
  /** The request had no room for the item. `hash` is the SHA-256 (hex) of its content. Files remain in the chat. */
  | { readonly code: 'noRoom'; readonly hash: string; readonly tokens: number }
  /** Loupe can no longer read the text that was passed in with the item; `text` is the reason. */
  | { readonly code: 'givenTextGone'; readonly text: string };

/**
 * What switched an item off for more than one chat: the item's own file, the rule formats in the settings, the agent of
 * the chat, or the user in the settings of the folder or of all folders.
 */
export type OffBy = 'file' | 'formats' | 'agent' | 'folder' | 'everywhere';

/** Where an item is off. `chat`: the user removed it from this chat only. */
export type OffScope = 'chat' | OffBy;

/** Returns where an item is off that a request does not contain. Null for an item that is absent for another reason. */
export function offScope(reason: NotSelectedReason): OffScope | null {
  return reason.code === 'removed' ? 'chat' : reason.code === 'disabled' ? (reason.by ?? null) : null;
}

export interface NotSelectedItem {
  readonly item: RequestContextItem;
  readonly reason: NotSelectedReason;
}

export interface RequestContext {
  readonly items: readonly RequestContextItem[];
  readonly notSelected: readonly NotSelectedItem[];
  /** When the request was made, in epoch milliseconds. */
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

/** Returns the name in the key of an item that is neither a tool nor a resource. */
export function nameInKey(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}

const REPOSITORY_NAMES = { tree: 'File tree', map: 'Definitions' } as const;

/** Returns the name of an item for a list of mixed types. The name of a tool or resource includes its server. */
export function shownName(item: ContextItemBase): string {
  if (item.type === 'repository') {
    return REPOSITORY_NAMES[item.name];
  }
  return item.type === 'tool' || isResource(item) ? `${item.serverName}:${item.name}` : item.name;
}

/**
 * A text as the log stores it: in its log line, or, if it is over 16 KB, as a file in the chat's blob folder. `blob` is
 * the SHA-256 (hex) of its UTF-8 bytes, and the name of the file; `bytes` is the size of the file.
 */
export type StoredText = { readonly inline: string } | { readonly blob: string; readonly bytes: number };
