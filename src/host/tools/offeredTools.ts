import { itemOf, type CatalogItem } from '../../engine/context/catalogItem.js';
import { itemKey } from '../../engine/record/item.js';
import type { Selection } from '../../engine/context/select.js';
import type { OfferedTool, Sources } from '../../engine/request/gather.js';
import type { Tool } from '../../engine/tools/tool.js';
import { toolDefinition } from './toolDefinition.js';
import type { Toolbox } from './toolbox.js';

/** The tools that a request holds, and which of them are on demand. */
interface Held {
  readonly tools: readonly CatalogItem[];
  readonly selection: Pick<Selection, 'onDemand'>;
}

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
  of({ tools: items, selection }: Held): Pick<Sources, 'tools' | 'onDemand'> {
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
