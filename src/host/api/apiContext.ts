import type { ContextItemBase, RequestContext, SessionContextItem } from '../../engine/context/item.js';
import type { ApiContextNames, ApiRequestContext, ApiSessionItem } from '../../protocol/apiMessage.js';

/** What a request held of the context, and what it did not, with the reason. */
export function apiItems({ items, leftOut }: Pick<RequestContext, 'items' | 'leftOut'>): Pick<ApiRequestContext, 'items' | 'notSelected'> {
  return { items, notSelected: leftOut.map(({ item, reason }) => ({ ...item, reason })) };
}

/** Without what was added: the API names items, and `getRequest` has the texts. */
export function apiSessionItem(item: SessionContextItem): ApiSessionItem {
  const { type, name, includeMode } = item;
  const serverName = 'serverName' in item ? item.serverName : undefined;
  return serverName === undefined ? { type, name, includeMode } : { type, name, serverName, includeMode };
}

export function contextNames(items: readonly Pick<ApiSessionItem, 'type' | 'name' | 'serverName'>[]): ApiContextNames {
  const named = (of: ContextItemBase['type']): readonly string[] => items.flatMap(({ type, name }) => (type === of ? [name] : []));
  return {
    rules: named('rule'),
    references: named('reference'),
    tools: items.flatMap(({ type, name, serverName }) =>
      type === 'tool' && serverName !== undefined ? [{ serverName, toolName: name }] : [],
    ),
  };
}
