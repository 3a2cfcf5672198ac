import type { FileRead } from '../../../engine/context/fileContents.js';
import type { ToolServer } from '../../../engine/tools/tool.js';
import type { ResourceBase } from '../../../engine/record/item.js';

/** A resource that a server lists. All texts are the server's own. */
export interface MentionedResource {
  readonly item: ResourceBase;
  readonly title: string;
  readonly description: string;
}

/** What servers list, for a message that names it. */
export interface MentionedResources {
  /** As far as it is known now. */
  listed(): readonly MentionedResource[];
  /** Those that may have some, whether they run or not. */
  servers(): readonly Pick<ToolServer, 'name' | 'status'>[];
  /** Asks the servers that run for what is not known, and calls `changed` after each answer. Never rejects. */
  refresh(changed: () => void): Promise<void>;
  /** The text of a resource now. Never rejects. */
  read(item: ResourceBase, signal: AbortSignal): Promise<FileRead>;
}
