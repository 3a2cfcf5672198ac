import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ItemProofs } from '../../src/engine/context/itemProof.js';
import { itemKey } from '../../src/engine/context/item.js';
import type { ContextRecord } from '../../src/engine/request/manifest.js';
import { contextRecordsOf } from '../../src/engine/request/rebuild.js';
import { user } from '../support/engine/messages.js';
import { RecordedChat } from '../support/engine/requests.js';

const NAMES = ['A', 'B', 'C'];

/** A request's context: what it held of the rules, what it left out, and what it does not name. */
const anyContext = fc.tuple(...NAMES.map(() => fc.constantFrom('held', 'out', 'none'))).map((states) =>
  states.flatMap((state, at): ContextRecord[] => {
    const item = { type: 'rule', name: NAMES[at] ?? '', includeMode: 'always' } as const;
    return state === 'none' ? [] : [{ item, leftOut: state === 'held' ? null : { code: 'removed' } }];
  }),
);

describe('the proof of a rule', () => {
  it('is what a count over all manifests gives, however often it is asked for meanwhile', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyContext, fc.boolean()), { maxLength: 120 }), (requests) => {
        const chat = new RecordedChat();
        const proofs = new ItemProofs();
        for (const [context, isAsked] of requests) {
          chat.send({ messages: [user('u', 'Hello')], context });
          if (isAsked) {
            proofs.of('rule:A', chat.attempts);
          }
        }
        for (const name of NAMES) {
          const key = itemKey({ type: 'rule', name });
          const naive = [...chat.attempts.values()].filter((attempt) =>
            (contextRecordsOf(attempt, chat.attempts) ?? []).some(({ item, leftOut }) => itemKey(item) === key && leftOut === null),
          );
          assert.deepEqual(proofs.of(key, chat.attempts), { requests: requests.length, held: naive.length });
        }
      }),
      { numRuns: 60 },
    );
  });
});
