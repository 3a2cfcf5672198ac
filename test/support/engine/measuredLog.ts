import type { ChatEvent } from '../../../src/engine/chat/event.js';
import { transcript } from '../../../src/engine/chat/transcript.js';
import { compacted } from '../../../src/engine/chat/checkpoint.js';
import { summaryKey } from '../../../src/engine/request/gather.js';
import type { ManifestBlock } from '../../../src/engine/record/manifest.js';
import { EMPTY_MANIFEST, folded, usage } from './events.js';

export function conversationRecord(key: string, tokens: number): ManifestBlock {
  return {
    ...{ key, tokens, role: 'user', category: 'conversation', item: null, hash: key, source: { from: 'snapshot' } },
    ...{ form: 'full', tier: 'active', opens: true, since: 1, content: null },
  };
}

/** Returns the log with different usage for each attempt, and the conversation blocks of each request for a reply. */
export function measured(log: readonly ChatEvent[]): ChatEvent[] {
  const done: ChatEvent[] = [];
  for (const [at, event] of log.entries()) {
    if (event.type === 'attempt-started' && event.purpose === 'reply') {
      const manifest = { ...EMPTY_MANIFEST, blocks: [{ put: heldBy(done) }] };
      done.push({ ...event, manifest });
    } else if (event.type === 'attempt-ended') {
      done.push({ ...event, usage: usage(at, 2 * at, 3 * at, 5 * at) });
    } else {
      done.push(event);
    }
  }
  return done;
}

function heldBy(log: readonly ChatEvent[]): ManifestBlock[] {
  const state = folded(log);
  const { checkpoint, pinned, rest } = compacted(state);
  const { messages } = transcript({ ...state, timeline: rest });
  return [
    ...(checkpoint === null ? [] : [conversationRecord(summaryKey(checkpoint.id), 1)]),
    ...[...pinned, ...messages].map(({ id }, place) => conversationRecord(`message:${id}/0`, place + 10 * id.length)),
  ];
}
