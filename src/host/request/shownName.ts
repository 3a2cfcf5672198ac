import { isResource, type ContextItemBase } from '../../engine/record/item.js';

/** Returns the name of an item in a mixed list. Names of tools and resources include their server. */
export function shownName(item: ContextItemBase): string {
  return item.type === 'tool' || isResource(item) ? `${item.serverName}:${item.name}` : item.name;
}
