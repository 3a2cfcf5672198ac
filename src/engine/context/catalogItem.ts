import type { CatalogType, ContextItemBase, IncludeMode, OffBy } from '../record/item.js';
import type { FileProblem } from '../record/fileProblem.js';

/** A problem in a file that does not prevent its use, as a text for the user. */
export interface Remark {
  readonly text: string;
  /** The workspace path of the file; empty for a problem with all files. */
  readonly path: string;
  /** Line number from 1. Null when no single line is the cause. */
  readonly line: number | null;
}

export function remarksOn(path: string, texts: readonly string[]): readonly Remark[] {
  return texts.map((text) => ({ text, path, line: null }));
}

/** A rule, a reference, a skill or a tool that the workspace offers to its chats. */
export interface CatalogItem {
  readonly type: CatalogType;
  /** Unique among the items of its type. The name of a tool is unique among the tools of its server. */
  readonly name: string;
  /** Name of the tool's server. Null for items that are not tools. */
  readonly serverName: string | null;
  /** The workspace path of the item's file. For a tool, the name of its server. */
  readonly source: string;
  readonly description: string;
  /**
   * `always`: each new chat gets the item. Older chats get a tool, too, because servers may list tools late. `agent`:
   * Loupe picks the item for a message or a file. `manual`: only the user adds it. `onDemand`: the model loads a tool.
   */
  readonly include: IncludeMode;
  /** File patterns for which Loupe picks the item, or null when the item's file has no patterns. */
  readonly applies: FilePatterns | null;
  /** What switched the item off. Null for an item that is on. */
  readonly offBy: OffBy | null;
  /** Items with a higher priority come first. */
  readonly priority: number;
  /** The text for the model. For a tool, its description. Null when the file cannot be used. */
  readonly text: string | null;
  /** Why the file cannot be used; null when it can. */
  readonly problem: FileProblem | null;
  /** Problems in the item's file that do not prevent its use, as texts for the user. */
  readonly remarks: readonly Remark[];
  /** The workspace paths of other files with the same text. Requests contain the text once. */
  readonly copies: readonly string[];
}

export interface TextExpressions {
  /** Whether an expression took too long for a text. Loupe then does not send the item for files. */
  readonly areSlow: () => boolean;
}

export interface FilePatterns {
  /** The patterns as written in the item's file. */
  readonly patterns: readonly string[];
  /** `text`: the text of the file; null for a file that cannot be read. */
  readonly matches: (path: string, text: string | null) => boolean;
  /** The regular expressions for the text of the file. Null if only the path decides. */
  readonly expressions: TextExpressions | null;
}

export function itemOf({ type, name, serverName }: Pick<CatalogItem, 'type' | 'name' | 'serverName'>): ContextItemBase {
  return type === 'tool' ? { type, name, serverName: serverName ?? '' } : { type, name };
}

/** All rules, references, skills and tools of the workspace, by item key. Within a type, by priority, then by path. */
export type Catalog = ReadonlyMap<string, CatalogItem>;

export const EMPTY_CATALOG: Catalog = new Map();
