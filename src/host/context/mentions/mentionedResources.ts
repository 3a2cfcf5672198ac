import type { FileRead } from '../../../engine/context/fileContents.js';
import type { McpServer } from '../../../tools/mcp/mcpServer.js';
import type { ResourceBase } from '../../../engine/record/item.js';

/** A resource of an MCP server. The server wrote the title and the description. */
export interface MentionedResource {
  readonly item: ResourceBase;
  readonly title: string;
  readonly description: string;
}

/** A server that can have prompts or resources. */
export type ListedServer = Pick<McpServer, 'name' | 'status' | 'signInState'>;

export interface MentionedResources {
  /** Returns the resources in the lists that Loupe has read so far. */
  listed(): readonly MentionedResource[];
  /** Returns the servers that can have resources, running or not. */
  servers(): readonly ListedServer[];
  /** Reads the missing lists of running servers. Calls `changed` after each list. Never rejects. */
  refresh(changed: () => void): Promise<void>;
  /** Reads the current text of a resource. Never rejects. */
  read(item: ResourceBase, signal: AbortSignal): Promise<FileRead>;
}
