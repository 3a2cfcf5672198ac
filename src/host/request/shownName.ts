import { isResource, type ContextItemBase } from '../../engine/record/item.js';

/** The name of an item where items of any kind stand: of a tool and a resource with that of its server. */
export function shownName(item: ContextItemBase): string {
  return item.type === 'tool' || isResource(item) ? `${item.serverName}:${item.name}` : item.name;
}
