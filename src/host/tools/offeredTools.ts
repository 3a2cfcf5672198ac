import { itemOf, type CatalogItem } from '../../engine/context/catalogItem.js';
import { itemKey } from '../../engine/context/item.js';
import type { OfferedTool } from '../../engine/request/gather.js';
import type { Tool } from '../../engine/tools/tool.js';
import { toolDefinition } from './toolDefinition.js';
import type { Toolbox } from './toolbox.js';

/**
 * The definitions of tools, as a request holds them: the same objects while their server has not changed the tools, so that hundreds of
 * them are hashed and counted once.
 */
export class OfferedTools {
  readonly #toolbox: Pick<Toolbox, 'servers'>;
  readonly #made = new WeakMap<Tool, OfferedTool>();

  constructor(toolbox: Pick<Toolbox, 'servers'>) {
    this.#toolbox = toolbox;
  }

  /** A tool that its server has dropped meanwhile has none. */
  of(items: readonly CatalogItem[]): readonly OfferedTool[] {
    const servers = new Map(this.#toolbox.servers().map(({ name, tools }) => [name, new Map(tools.map((tool) => [tool.name, tool]))]));
    return items.flatMap((item) => {
      const tool = servers.get(item.serverName ?? '')?.get(item.name);
      return tool === undefined ? [] : [this.#offered(item, tool)];
    });
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
