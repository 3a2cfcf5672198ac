import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Block, WirePart } from '../../src/engine/model/block.js';
import type { Prompt, WireMessage } from '../../src/engine/model/prompt.js';
import { UniqueIds, wireCallIds } from '../../src/providers/callIds.js';
import { CODE_POINT } from '../support/codePoint.js';
import { conversationBlock } from '../support/engine/blocks.js';
import { forAll } from '../support/forAll.js';

const MAX_LENGTH = 20;
const FINE = /^[A-Za-z0-9_-]{1,20}$/;

type Rounds = readonly { readonly ids: readonly string[]; readonly reversed: boolean }[];

const id = fc.oneof(
  fc.constantFrom(
    '',
    'call',
    'call_2',
    'call_3',
    'a',
    'a b',
    'a_b',
    'a_b_2',
    'x'.repeat(MAX_LENGTH),
    'x'.repeat(60),
    `${'x'.repeat(18)}_2`,
  ),
  fc.string(),
  fc.string({ unit: CODE_POINT }),
);

const rounds: fc.Arbitrary<Rounds> = fc.array(
  fc.record({ ids: fc.uniqueArray(id, { minLength: 1, maxLength: 4 }), reversed: fc.boolean() }),
  { maxLength: 12 },
);

function block(key: string, part: WirePart): Block {
  const role = part.type === 'toolResult' ? 'tool-results' : 'assistant';
  return conversationBlock(key, role, part, null);
}

function promptOf(conversation: Rounds): Prompt {
  const messages = conversation.flatMap(({ ids, reversed }, round): WireMessage[] => {
    const key = (kind: string, at: number): string => `${kind}:${String(round)}/${String(at)}`;
    const calls = ids.map((callId, at) => block(key('call', at), { type: 'toolCall', id: callId, name: 'look', args: {} }));
    const results = ids.map((callId, at) =>
      block(key('result', at), { type: 'toolResult', callId, name: 'look', content: [], isError: false }),
    );
    return [
      { role: 'assistant', blocks: calls },
      { role: 'user', blocks: reversed ? results.reverse() : results },
    ];
  });
  return { tools: [], system: [], messages };
}

const idsFor = (conversation: Rounds): ReadonlyMap<string, string> => wireCallIds(promptOf(conversation), new UniqueIds(MAX_LENGTH));

const callIdsFor = (conversation: Rounds): string[] =>
  [...idsFor(conversation)].filter(([key]) => key.startsWith('call:')).map(([, wire]) => wire);

describe('properties of the ids of tool calls on the wire', () => {
  it('each is well-formed, and no two calls have the same', () => {
    forAll(rounds, (conversation) => {
      const ids = callIdsFor(conversation);
      assert.equal(new Set(ids).size, conversation.flatMap(({ ids: all }) => all).length);
      for (const wire of ids) {
        assert.match(wire, FINE);
      }
    });
  });

  it('each result has the id of its call', () => {
    forAll(rounds, (conversation) => {
      const ids = idsFor(conversation);
      for (const [key, wire] of ids) {
        assert.equal(ids.get(key.replace('result:', 'call:')), wire);
      }
      assert.equal(ids.size, 2 * conversation.flatMap(({ ids: all }) => all).length, 'every call and result has one');
    });
  });

  it('the first call with a fine id keeps it, unless an earlier one was given it', () => {
    forAll(rounds, (conversation) => {
      const wanted = conversation.flatMap(({ ids: all }) => all);
      const given = callIdsFor(conversation);
      for (const [at, want] of wanted.entries()) {
        if (FINE.test(want) && !given.slice(0, at).includes(want)) {
          assert.equal(given[at], want);
        }
      }
    });
  });

  it('a longer conversation begins with the same ids', () => {
    forAll(rounds, rounds, (conversation, more) => {
      const short = idsFor(conversation);
      const long = idsFor([...conversation, ...more]);
      for (const [key, wire] of short) {
        assert.equal(long.get(key), wire);
      }
    });
  });

  it('many equal ids are not tried again and again', () => {
    const conversation = Array.from({ length: 60_000 }, () => ({ ids: [''], reversed: false }));
    const ids = callIdsFor(conversation);
    assert.deepEqual([ids[0], ids[1], ids.at(-1)], ['call', 'call_2', 'call_60000']);
  });
});
