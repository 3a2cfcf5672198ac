import type { ChatState } from '../../engine/chat/state.js';
import { itemKey } from '../../engine/context/item.js';
import { manifestBase } from '../../engine/request/base.js';
import { deferredKey } from '../../engine/request/onDemandTools.js';
import { promptBlocks } from '../../engine/request/prompt.js';
import type { Composed } from '../request/requestComposer.js';
import { isHeld, toolsByServer } from './toolRecords.js';

interface Changes {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/**
 * What servers have changed of their tools since the latest request of a reply, a sentence for each server that was in it. What the user
 * or the message has changed is no change of a server.
 */
export function changedTools(
  { records, prompt, context }: Pick<Composed, 'records' | 'prompt' | 'context'>,
  state: Pick<ChatState, 'timeline' | 'runs' | 'attempts'>,
): readonly string[] {
  const before = manifestBase(state)?.content ?? null;
  if (before === null || context.isRestricted) {
    return [];
  }
  const sent = new Map(before.blocks.map(({ key, hash }) => [key, hash]));
  const now = new Map(promptBlocks(prompt).map(({ key, hash }) => [key, hash]));
  const known = new Set(before.context.map(({ item }) => itemKey(item)));
  const tools = toolsByServer(records);
  return [...toolsByServer(before.context)].flatMap(([server, all]) => {
    const held = all.filter(isHeld).map(({ item }) => itemKey(item));
    if (held.length === 0) {
      return [];
    }
    const added = (tools.get(server) ?? []).filter((record) => isHeld(record) && !known.has(itemKey(record.item)));
    return sentence(server, {
      added: added.length,
      removed: held.filter((key) => !context.catalog.has(key)).length,
      // A tool that is offered in another way now is another block: nobody has changed it.
      changed: held.filter((key) => [key, deferredKey(key)].some((each) => isChanged(sent.get(each), now.get(each)))).length,
    });
  });
}

function isChanged(before: string | undefined, now: string | undefined): boolean {
  return before !== undefined && now !== undefined && before !== now;
}

function sentence(server: string, { added, removed, changed }: Changes): readonly string[] {
  const parts = [
    ...(added === 0 ? [] : [`${String(added)} added`]),
    ...(removed === 0 ? [] : [`${String(removed)} removed`]),
    ...(changed === 0 ? [] : [`${String(changed)} changed`]),
  ];
  return parts.length === 0 ? [] : [`${server} has changed its tools since the last request: ${parts.join(', ')}.`];
}
