import { type CatalogItem, itemOf } from '../../engine/context/catalogItem.js';
import { itemKey } from '../../engine/record/item.js';
import type { Selection } from '../../engine/context/select.js';
import type { OfferedTool, RequestSources } from '../../engine/request/gather.js';
import type { Tool } from '../../engine/tools/tool.js';
import type { Toolbox } from './toolbox.js';
import type { ToolDefinition } from '../../engine/model/block.js';
import { offeredName } from '../../engine/tools/serverName.js';

/** The tools in a request, and the tools that the model loads on demand. */
interface HeldTools {
  readonly tools: readonly CatalogItem[];
  readonly selection: Pick<Selection, 'onDemand'>;
}

/**
 * Returns tool definitions for requests. The objects stay the same until a server changes its tools, so that Loupe
 * hashes and counts hundreds of definitions only once.
 */
export class OfferedTools {
  readonly #toolbox: Pick<Toolbox, 'servers'>;
  readonly #made = new WeakMap<Tool, OfferedTool>();

  constructor(toolbox: Pick<Toolbox, 'servers'>) {
    this.#toolbox = toolbox;
  }

  /** Returns the definitions of these tools. Omits tools that their server no longer offers. */
  of({ tools: items, selection }: HeldTools): Pick<RequestSources, 'tools' | 'onDemand'> {
    const servers = new Map(this.#toolbox.servers().map(({ name, tools }) => [name, new Map(tools.map((tool) => [tool.name, tool]))]));
    const tools = items.flatMap((item) => {
      const tool = servers.get(item.serverName ?? '')?.get(item.name);
      return tool === undefined ? [] : [this.#offered(item, tool)];
    });
    return { tools, onDemand: new Set(selection.onDemand.map(itemKey)) };
  }

  #offered(item: CatalogItem, tool: Tool): OfferedTool {
    const key = itemKey(itemOf(item));
    const known = this.#made.get(tool);
    if (known?.key === key) {
      return known;
    }
    const made = { key, definition: toolDefinition(item, tool) };
    this.#made.set(tool, made);
    return made;
  }
}

export function toolDefinition(item: Pick<CatalogItem, 'name' | 'serverName'>, { description, inputSchema: schema }: Tool): ToolDefinition {
  return { type: 'toolDefinition', name: offeredName(item), description, schema, isRetired: false };
}
