import type { FileRead } from '../../../engine/context/fileContents.js';
import type { ToolServer } from '../../../engine/tools/tool.js';
import type { ResourceBase } from '../../../engine/record/item.js';

/** A resource that an MCP server lists. The title and the description come from the server. */
export interface MentionedResource {
  readonly item: ResourceBase;
  readonly title: string;
  readonly description: string;
}

/** The resources of servers, for mentions in a message. */
export interface MentionedResources {
  /** Returns the resources that servers have listed so far. */
  listed(): readonly MentionedResource[];
  /** Returns the servers that may have resources, running or not. */
  servers(): readonly Pick<ToolServer, 'name' | 'status'>[];
  /** Requests the missing lists of running servers, and calls `changed` after each list. Never rejects. */
  refresh(changed: () => void): Promise<void>;
  /** Reads the current text of a resource. Never rejects. */
  read(item: ResourceBase, signal: AbortSignal): Promise<FileRead>;
}
