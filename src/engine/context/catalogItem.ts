import type { CatalogType, IncludeMode } from './item.js';
import type { FileProblem } from './fileProblem.js';

/** What is wrong with a file that is used all the same, for the user. */
export interface Remark {
  readonly text: string;
  /** The workspace path of the file. */
  readonly path: string;
  /** From 1; null where no line is to blame. */
  readonly line: number | null;
}

/** Sentences about a file as a whole. */
export function remarksOn(path: string, texts: readonly string[]): readonly Remark[] {
  return texts.map((text) => ({ text, path, line: null }));
}

/** A rule, a reference or a skill that chats of the workspace may hold. */
export interface CatalogItem {
  readonly type: CatalogType;
  /** Unique among the items of its type. */
  readonly name: string;
  /** The workspace path of its file. */
  readonly source: string;
  readonly description: string;
  /** `always` items enter each new chat; `agent` items are picked for single messages, or for files. */
  readonly include: IncludeMode;
  /** The files that it is for, where its file names some; null where it names none. */
  readonly applies: FilePatterns | null;
  /** False for what is switched off, in its own file or by the agent. */
  readonly isEnabled: boolean;
  /** Those with a higher one stand first. */
  readonly priority: number;
  /** What the model is told; null when the file cannot be used. */
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

/** All rules, references and skills of the workspace, by item key: the more important ones first, then by path. */
export type Catalog = ReadonlyMap<string, CatalogItem>;

/** Nothing of any kind. */
export const EMPTY_CATALOG: Catalog = new Map();
