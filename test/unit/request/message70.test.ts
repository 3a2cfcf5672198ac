import assert from 'node:assert/strict';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { LAYOUTS } from '../../../src/engine/request/layout/layouts.js';
import { assistant, call, result, results, user } from '../../support/engine/messages.js';
import { markedCache, OPEN_MODEL, withCapabilities } from '../../support/engine/models.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { requestOf, withFiles } from '../../support/engine/requests.js';
import { blocksOf } from '../../support/engine/wireRules.js';

const MODEL = withCapabilities(OPEN_MODEL, { cache: markedCache({ minimumTokens: 0 }) });

function marks(messages: readonly SentMessage[], files: Readonly<Record<string, string>>): string[] {
  const input = { model: MODEL, layout: LAYOUTS['message-70'], cacheMode: 'cached', messages, ...withFiles(files) } as const;
  const { prompt } = requestOf(input, new BlockFactory(characters, sha256));
  return blocksOf(prompt).flatMap(({ key, breakpoint }) => (breakpoint === null ? [] : [key]));
}

/** So many exchanges, and a message to answer. */
function exchanges(count: number): SentMessage[] {
  const past = Array.from({ length: count }, (_, at) => [user(`u${at}`, 'Ask'), assistant(`a${at}`, 'Answer')]).flat();
  return [...past, user('now', 'Now')];
}

describe('breakpoints of the layout message-70', () => {
  it('are at the end of the system prompt, and at up to 70 % of the messages', () => {
    assert.deepEqual(marks(exchanges(4), {}), ['system:global', 'message:a2/0'], '6 of 9 messages, rounded down');
    assert.deepEqual(marks(exchanges(5), {}), ['system:global', 'message:u3/0'], '7 of 11');
  });

  it('count the pair of the files as messages', () => {
    assert.deepEqual(marks(exchanges(4), { 'a.ts': 'a' }), ['system:global', 'message:u2/0'], '7 of 11, two of them the files');
  });

  it('leave a chat of one message with that of the system prompt', () => {
    assert.deepEqual(marks(exchanges(0), {}), ['system:global']);
  });

  it('are never on tool results of the last turn, or behind them', () => {
    const steps = [0, 1, 2, 3].flatMap((at) => [assistant(`s${at}`, call(`c${at}`, {})), results(`r${at}`, result(`c${at}`))]);
    assert.deepEqual(marks([...exchanges(0), ...steps], {}), ['system:global', 'message:s0/0']);
  });

  it('may be on tool results of an earlier turn', () => {
    const turn = [user('u', 'Ask'), assistant('s', call('c', {})), results('r', result('c')), assistant('a', 'Done')];
    assert.deepEqual(marks([...turn, user('now', 'Now')], {}), ['system:global', 'message:r/0'], '3 of 5');
  });
});
