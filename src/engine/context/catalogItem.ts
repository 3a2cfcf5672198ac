import type { IncludeMode } from './item.js';
import type { FileProblem } from './fileProblem.js';

/** A rule or a reference that chats of the workspace may hold. */
export interface CatalogItem {
  readonly type: 'rule' | 'reference';
  /** Unique among the items of its type. */
  readonly name: string;
  /** The workspace path of its file. */
  readonly source: string;
  readonly description: string;
  /** `always` items enter each new chat. */
  readonly include: IncludeMode;
  /** Switched off in its own file. */
  readonly isEnabled: boolean;
  /** Those with a higher one stand first. */
  readonly priority: number;
  /** What the model is told; null when the file cannot be used. */
  readonly text: string | null;
  /** Why the file cannot be used; null when it can. */
  readonly problem: FileProblem | null;
  /** What is wrong with the file where it is used all the same, for the user. */
  readonly remarks: readonly string[];
}

/** All rules and references of the workspace, by item key: the more important ones first, then by path. */
export type Catalog = ReadonlyMap<string, CatalogItem>;

/** No rules and no references. */
export const EMPTY_CATALOG: Catalog = new Map();
