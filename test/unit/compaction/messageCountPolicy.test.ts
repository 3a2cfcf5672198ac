import assert from 'node:assert/strict';
import type { History } from '../../../src/engine/compaction/history.js';
import { messageCountPolicy } from '../../../src/engine/compaction/policies/policies.js';
import { NO_PLAN } from '../../../src/engine/compaction/plan.js';
import { asked, exchanges, history, replied, staying, toolRound } from '../../support/engine/histories.js';

function left(of: History): readonly string[] {
  return staying(of, messageCountPolicy(of, { leastExchanges: 2 }));
}

function rounds(count: number, name: string): ReturnType<typeof toolRound>[number][] {
  return Array.from({ length: count }, (_, n) => toolRound(`${name}${n}`, 10)).flat();
}

describe('compaction by message count', () => {
  it('summarizes all but the last 20 messages of 81, from a user message on', () => {
    const of = history([...exchanges(40, 10), asked('u40', 10)]);
    assert.deepEqual(messageCountPolicy(of, { leastExchanges: 2 }), {
      case: 'summarize',
      to: 'a29',
      messages: 60,
      tokens: 600,
      summaryTokens: 500,
    });
    assert.equal(left(of).length, 21);
  });

  it('looks for the beginning of an exchange among the last 30', () => {
    const of = history([...exchanges(26, 10), asked('here', 10), ...rounds(13, 't'), replied('a', 10), asked('last', 10)]);
    assert.equal(left(of)[0], 'here');
    assert.equal(left(of).length, 29);
  });

  it('cuts between two turn rounds when no exchange begins there', () => {
    const of = history([...exchanges(10, 10), asked('long', 10), ...rounds(40, 't'), replied('a', 10), asked('u', 10), asked('last', 10)]);
    assert.match(left(of)[0] ?? '', /-call$/);
    assert.equal(left(of).length, 21);
  });

  it('leaves more than 30 messages when two exchanges have more', () => {
    const of = history([...exchanges(10, 10), asked('first', 10), ...rounds(20, 's'), asked('second', 10), ...rounds(20, 't')]);
    assert.equal(left(of)[0], 'first');
  });

  it('does nothing for an empty conversation, for a short one, and for one exchange', () => {
    for (const of of [history([]), history(exchanges(10, 10)), history([asked('u', 10), ...rounds(50, 't')])]) {
      assert.equal(messageCountPolicy(of, { leastExchanges: 2 }), NO_PLAN);
    }
  });
});
