import { isResource, type ContextItemBase } from '../../engine/record/item.js';

/** Returns the name of an item for a list of mixed types. The name of a tool or resource includes its server. */
export function shownName(item: ContextItemBase): string {
  return item.type === 'tool' || isResource(item) ? `${item.serverName}:${item.name}` : item.name;
}
