import type { CatalogItem } from '../../engine/context/catalogItem.js';
import type { ToolDefinition } from '../../engine/model/block.js';
import { offeredName } from '../../engine/tools/serverName.js';
import type { Tool } from '../../engine/tools/tool.js';

export function toolDefinition(item: Pick<CatalogItem, 'name' | 'serverName'>, { description, inputSchema: schema }: Tool): ToolDefinition {
  return { type: 'toolDefinition', name: offeredName(item), description, schema, isRetired: false };
}
