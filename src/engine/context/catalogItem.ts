import type { CatalogType, ContextItemBase, IncludeMode } from '../record/item.js';
import type { FileProblem } from '../record/fileProblem.js';

/** What is wrong with a file that is used all the same, for the user. */
export interface Remark {
  readonly text: string;
  /** The workspace path of the file; empty where all of them are meant. */
  readonly path: string;
  /** From 1; null where no line is to blame. */
  readonly line: number | null;
}

/** Sentences about a file as a whole. */
export function remarksOn(path: string, texts: readonly string[]): readonly Remark[] {
  return texts.map((text) => ({ text, path, line: null }));
}

/** A rule, a reference, a skill or a tool that chats of the workspace may hold. */
export interface CatalogItem {
  readonly type: CatalogType;
  /** Unique among the items of its type; of a tool, among those of its server. */
  readonly name: string;
  /** Null for what is no tool. */
  readonly serverName: string | null;
  /** The workspace path of its file; of a tool, the name of its server. */
  readonly source: string;
  readonly description: string;
  /**
   * `always` items enter each new chat, and tools each chat that they are not taken out of: a server may tell its tools late. `agent`
   * items are picked for single messages, or for files.
   */
  readonly include: IncludeMode;
  /** The files that it is for, where its file names some; null where it names none. */
  readonly applies: FilePatterns | null;
  /** False for what is switched off, in its own file or by the agent. */
  readonly isEnabled: boolean;
  /** Those with a higher one stand first. */
  readonly priority: number;
  /** What the model reads, of a tool its description; null when the file cannot be used. */
  readonly text: string | null;
  /** Why the file cannot be used; null when it can. */
  readonly problem: FileProblem | null;
  /** What is wrong with the file where it is used all the same, for the user. */
  readonly remarks: readonly Remark[];
}

/** Files by their workspace paths. */
export interface FilePatterns {
  /** As its file has them. */
  readonly patterns: readonly string[];
  readonly matches: (path: string) => boolean;
}

/** What an item is as one of a chat. */
export function itemOf({ type, name, serverName }: Pick<CatalogItem, 'type' | 'name' | 'serverName'>): ContextItemBase {
  return type === 'tool' ? { type, name, serverName: serverName ?? '' } : { type, name };
}

/** All rules, references, skills and tools of the workspace, by item key: of each kind the more important ones first, then by path. */
export type Catalog = ReadonlyMap<string, CatalogItem>;

/** Nothing of any kind. */
export const EMPTY_CATALOG: Catalog = new Map();
