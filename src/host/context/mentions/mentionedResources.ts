import type { FileRead } from '../../../engine/context/fileContents.js';
import type { ToolServer } from '../../../engine/tools/tool.js';
import type { ResourceBase } from '../../../engine/record/item.js';

/** A resource that a server lists. All texts are the server's own. */
export interface MentionedResource {
  readonly item: ResourceBase;
  readonly title: string;
  readonly description: string;
}

/** The resources of servers, for mentions in a message. */
export interface MentionedResources {
  /** Returns the resources that are known now. */
  listed(): readonly MentionedResource[];
  /** Returns the servers that may have resources, running or not. */
  servers(): readonly Pick<ToolServer, 'name' | 'status'>[];
  /** Asks running servers for unknown resources, and calls `changed` after each reply. Never rejects. */
  refresh(changed: () => void): Promise<void>;
  /** Reads the current text of a resource. Never rejects. */
  read(item: ResourceBase, signal: AbortSignal): Promise<FileRead>;
}
