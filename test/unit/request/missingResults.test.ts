import assert from 'node:assert/strict';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import { BlockFactory, measureParts } from '../../../src/engine/request/blockFactory.js';
import { LARGE_RESULTS, RESULT_TEXTS, resultTextsWithout } from '../../support/engine/largeResults.js';
import { assistant, call, result, results, user } from '../../support/engine/messages.js';
import { characters, NO_PAUSE, sha256 } from '../../support/engine/ports.js';
import { RecordedChat, requestOf } from '../../support/engine/requests.js';
import { forgetAfter } from '../../support/engine/toolMemories.js';

const MESSAGES: readonly SentMessage[] = [
  user('u', 'Read'),
  assistant('a', call('c', { path: 'x' })),
  results('r', result('c', LARGE_RESULTS[0]!)),
  assistant('b', 'It has lines.'),
  user('v', 'Go on'),
];
const UNREADABLE = resultTextsWithout(['dd']);

function newFactory(): BlockFactory {
  return new BlockFactory(characters, sha256);
}

describe('a large result that can be read for one request and not for another', () => {
  it('is sent with its text once it can be read, after a request that forgot it', async () => {
    const chat = new RecordedChat();
    chat.send({ messages: MESSAGES, resultTexts: UNREADABLE, ...forgetAfter(0) });
    const { attempt, prompt } = chat.send({ messages: MESSAGES, ...forgetAfter(null) });
    assert.ok(JSON.stringify(prompt).includes(JSON.stringify(RESULT_TEXTS.get('dd'))));
    assert.deepEqual(await chat.rebuild(attempt), prompt);
  });

  it('is sent with its text once it can be read, where it was measured before it could', async () => {
    const factory = newFactory();
    await measureParts(MESSAGES, UNREADABLE, factory, NO_PAUSE);
    const request = requestOf({ messages: MESSAGES, resultTexts: RESULT_TEXTS }, factory);
    assert.deepEqual(request, requestOf({ messages: MESSAGES, resultTexts: RESULT_TEXTS }, newFactory()));
  });

  it('has the tokens of its note among those that a request forgot, also where it could be read before', () => {
    const factory = newFactory();
    const forgotten = (resultTexts: typeof UNREADABLE, by: BlockFactory): number =>
      requestOf({ messages: MESSAGES, resultTexts, ...forgetAfter(0) }, by).forgotten.reduce((sum, { tokens }) => sum + tokens, 0);
    const whole = forgotten(RESULT_TEXTS, factory);
    const noted = forgotten(UNREADABLE, factory);
    assert.ok(whole > RESULT_TEXTS.get('dd')!.length && noted < whole / 10, `${String(whole)} and ${String(noted)}`);
    assert.equal(noted, forgotten(UNREADABLE, newFactory()));
  });
});
