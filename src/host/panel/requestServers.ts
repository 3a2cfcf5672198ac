import type { ContextRecord } from '../../engine/request/manifest.js';
import { offeredName } from '../../engine/tools/serverName.js';
import type { RequestServer } from '../../protocol/requestRows.js';
import type { LastCalls } from './lastCalls.js';
import { leftOutTools } from '../request/leftOutItems.js';
import { isHeld, toolsByServer } from './toolRecords.js';

/** The servers with a tool in a request. */
export function requestServers(records: readonly ContextRecord[], { replies, ago }: LastCalls): readonly RequestServer[] {
  return [...toolsByServer(records)].flatMap(([name, tools]) => {
    const calls = tools.flatMap(({ item }) => {
      const last = ago.get(offeredName(item));
      return last === undefined ? [] : [{ name: item.name, ago: last }];
    });
    return tools.some(isHeld) ? [{ name, total: tools.length, leftOut: leftOutTools(tools), replies, calls }] : [];
  });
}
