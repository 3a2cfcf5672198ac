import assert from 'node:assert/strict';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import type { SentAttempts } from '../../../src/engine/request/adapt/adapt.js';
import type { Block } from '../../../src/engine/model/block.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { NO_ADAPTATIONS } from '../../../src/engine/record/adaptations.js';
import { composeConversation, type Conversation } from '../../support/engine/conversation.js';
import { NO_RESULTS } from '../../support/engine/largeResults.js';
import { assistant, reasoning, text, user } from '../../support/engine/messages.js';
import { BINDING_MODEL } from '../../support/engine/models.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { PrefixHash } from '../../../src/engine/request/prefixHash.js';

const NONE_MISSING: ReadonlySet<string> = new Set();
const asked = user('u1', 'Read');

describe('reasoning of a model that binds it to what stood before', () => {
  const factory = new BlockFactory(characters, sha256);
  const system = (words: string): Block =>
    factory.snapshotBlock({ key: 'system:global', role: 'system', category: 'system', item: null }, text(words));
  const sentFor = (before: readonly Block[], messages: readonly SentMessage[]): string =>
    new PrefixHash([...before, ...composed(before, messages, new Map()).messages.flatMap(({ blocks }) => blocks)], factory.sha256).value;
  const composed = (before: readonly Block[], messages: readonly SentMessage[], attempts: SentAttempts): Conversation =>
    composeConversation(
      { before, messages, model: BINDING_MODEL, missingImages: NONE_MISSING, resultTexts: NO_RESULTS, attempts },
      factory,
    );
  const reply = assistant('a1', reasoning('Hm', 'signed'), 'Yes');
  const attempts = new Map([[reply.attemptId, { manifest: { promptHash: sentFor([system('Be brief.')], [asked]) } }]]);
  const kinds = (before: readonly Block[], ...messages: SentMessage[]): string =>
    composed(before, messages, attempts)
      .messages.map(({ blocks }) => blocks.map(({ part }) => part.type).join(' '))
      .join(', ');

  it('sends it behind the same', () => {
    assert.equal(kinds([system('Be brief.')], asked, reply), 'text, reasoning text');
    assert.deepEqual(composed([system('Be brief.')], [asked, reply], attempts).adaptations, NO_ADAPTATIONS);
  });

  it('leaves it out, and says so, when something before it has changed, has come or has gone', () => {
    for (const [before, messages] of [
      [[system('Be polite.')], [asked]],
      [[], [asked]],
      [[system('Be brief.')], [user('u1', 'Read on')]],
      [[system('Be brief.')], [user('u0', 'Hello'), asked]],
      [[system('Be brief.')], []],
    ] as const) {
      const conversation = composed(before, [...messages, reply], attempts);
      assert.ok(conversation.messages.every(({ blocks }) => blocks.every(({ part }) => part.type !== 'reasoning')));
      assert.deepEqual(conversation.adaptations, { ...NO_ADAPTATIONS, reasoningOutdated: 1 });
    }
  });

  it('leaves it out when nobody knows what its request sent', () => {
    assert.equal(kinds([system('Be brief.')], asked, { ...reply, attemptId: 'lost' }), 'text, text');
  });

  it('leaves out what follows a part of the same reply that is not sent', () => {
    const parts = { ...reply, parts: [...assistant('', reasoning('Hm', 'signed'), ' ', reasoning('So', 'signed too'), 'Yes').parts] };
    assert.equal(kinds([system('Be brief.')], asked, parts), 'text, reasoning text');
  });

  it('computes nothing where there is no reasoning that could go back', () => {
    let hashed = 0;
    const counting = new BlockFactory(characters, (bytes) => {
      hashed += 1;
      return sha256(bytes);
    });
    const compose = (...messages: SentMessage[]): number => {
      hashed = 0;
      composeConversation(
        { before: [], messages, model: BINDING_MODEL, missingImages: NONE_MISSING, resultTexts: NO_RESULTS, attempts },
        counting,
      );
      return hashed;
    };
    const plain = [asked, assistant('a2', reasoning('H', null), 'Yes')];
    compose(...plain);
    compose(asked, reply);
    // With known blocks, only the hash of nothing is left to compute.
    assert.equal(compose(...plain), 1);
    assert.equal(compose(asked, reply), 2);
  });
});
