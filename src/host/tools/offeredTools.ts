import { itemOf, type CatalogItem } from '../../engine/context/catalogItem.js';
import { itemKey } from '../../engine/context/item.js';
import type { OfferedTool } from '../../engine/request/gather.js';
import { offeredName } from '../../engine/tools/serverName.js';
import { serverNamed, type Toolbox } from './toolbox.js';

/** The definitions of tools, as a request holds them. A tool that its server has dropped meanwhile has none. */
export function offeredTools(items: readonly CatalogItem[], toolbox: Pick<Toolbox, 'servers'>): readonly OfferedTool[] {
  return items.flatMap((item) => {
    const tool = serverNamed(toolbox, item.serverName ?? '')?.tools.find(({ name }) => name === item.name);
    if (tool === undefined) {
      return [];
    }
    const { description, inputSchema: schema } = tool;
    const definition = { type: 'toolDefinition', name: offeredName(item), description, schema, isRetired: false } as const;
    return [{ key: itemKey(itemOf(item)), definition }];
  });
}
