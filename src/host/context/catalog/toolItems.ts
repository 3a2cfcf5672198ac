import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import type { Tool, ToolServer } from '../../../engine/tools/tool.js';

interface Made {
  readonly from: readonly Tool[];
  readonly problem: string | null;
  readonly items: readonly CatalogItem[];
}

/** The tools of servers as items of the catalog: the same objects while their server has not changed them, so that nothing is ranked anew. */
export class ToolItems {
  readonly #made = new Map<string, Made>();

  of(servers: readonly ToolServer[]): readonly CatalogItem[] {
    return servers.flatMap((server) => {
      const known = this.#made.get(server.name);
      const { tools, problem } = server;
      if (known?.from === tools && known.problem === problem) {
        return known.items;
      }
      const items = tools.map((tool) => toolItem(server, tool));
      this.#made.set(server.name, { from: tools, problem, items });
      return items;
    });
  }
}

function toolItem({ name: serverName, include, problem }: ToolServer, { name, description }: Tool): CatalogItem {
  return {
    type: 'tool',
    name,
    serverName,
    source: serverName,
    description,
    include,
    applies: null,
    isEnabled: true,
    priority: 0,
    text: description,
    problem: problem === null ? null : { code: 'serverFailed', text: problem },
    remarks: [],
  };
}
