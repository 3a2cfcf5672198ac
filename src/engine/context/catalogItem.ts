import type { CatalogType, ContextItemBase, IncludeMode } from '../record/item.js';
import type { FileProblem } from '../record/fileProblem.js';

/** A problem of a file that is used nevertheless, for the user. */
export interface Remark {
  readonly text: string;
  /** The workspace path of the file; empty for all files. */
  readonly path: string;
  /** From 1; null when no single line is the cause. */
  readonly line: number | null;
}

export function remarksOn(path: string, texts: readonly string[]): readonly Remark[] {
  return texts.map((text) => ({ text, path, line: null }));
}

/** A rule, a reference, a skill or a tool that the workspace offers to its chats. */
export interface CatalogItem {
  readonly type: CatalogType;
  /** Unique among the items of its type; for a tool, among those of its server. */
  readonly name: string;
  /** Null for items that are not tools. */
  readonly serverName: string | null;
  /** The workspace path of its file; for a tool, the name of its server. */
  readonly source: string;
  readonly description: string;
  /**
   * `always`: in each new chat; for tools, in each chat that did not remove them, because a server may list them late.
   * `agent`: picked for single messages or for files.
   */
  readonly include: IncludeMode;
  /** The files that the item is for, or null when its own file names none. */
  readonly applies: FilePatterns | null;
  /** False when disabled in its own file or by the agent. */
  readonly isEnabled: boolean;
  /** Items with a higher priority come first. */
  readonly priority: number;
  /** The text for the model; for a tool, its description. Null when the file cannot be used. */
  readonly text: string | null;
  /** Why the file cannot be used; null when it can. */
  readonly problem: FileProblem | null;
  /** Problems of a file that is used nevertheless, for the user. */
  readonly remarks: readonly Remark[];
}

export interface FilePatterns {
  /** As written in the file of the item. */
  readonly patterns: readonly string[];
  readonly matches: (path: string) => boolean;
}

export function itemOf({ type, name, serverName }: Pick<CatalogItem, 'type' | 'name' | 'serverName'>): ContextItemBase {
  return type === 'tool' ? { type, name, serverName: serverName ?? '' } : { type, name };
}

/** All rules, references, skills and tools of the workspace, by item key. In each type by priority, then by path. */
export type Catalog = ReadonlyMap<string, CatalogItem>;

export const EMPTY_CATALOG: Catalog = new Map();
