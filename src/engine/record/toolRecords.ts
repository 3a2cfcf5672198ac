import type { RequestContextItem } from './item.js';
import type { ContextRecord } from './manifest.js';

export interface ToolRecord extends ContextRecord {
  readonly item: Extract<RequestContextItem, { readonly type: 'tool' }>;
}

export function toolsByServer(records: readonly ContextRecord[]): ReadonlyMap<string, readonly ToolRecord[]> {
  const servers = new Map<string, ToolRecord[]>();
  for (const record of records) {
    if (isTool(record)) {
      const tools = servers.get(record.item.serverName) ?? [];
      tools.push(record);
      servers.set(record.item.serverName, tools);
    }
  }
  return servers;
}

function isTool(record: ContextRecord): record is ToolRecord {
  return record.item.type === 'tool';
}

/** Whether the item is in the request, or would be in each request if the model accepted tools. */
export function isInChat({ item, leftOut }: ContextRecord): boolean {
  return leftOut === null || (leftOut.code === 'noTools' && item.includeMode !== 'agent');
}

/** Whether the item is in the request. */
export function isHeld({ leftOut }: ContextRecord): boolean {
  return leftOut === null;
}
