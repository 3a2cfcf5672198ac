import assert from 'node:assert/strict';
import fc from 'fast-check';
import { textMessage } from '../../src/engine/chat/message/message.js';
import { factsOf, missingLines } from '../../src/engine/compaction/facts/facts.js';
import { factTest } from '../../src/engine/compaction/facts/keptIn.js';
import { MessageFacts } from '../../src/engine/compaction/facts/messageFacts.js';
import { ROUGH_COUNTER } from '../../src/engine/tokens/roughCounter.js';
import { forAll } from '../support/forAll.js';

const text = fc.string({
  unit: fc.constantFrom(
    ...[
      'a',
      'É',
      'Σ',
      ' ',
      '\n',
      '.',
      '`',
      '/',
      '_',
      '*',
      '"',
      '- ',
      ': ',
      '? ',
      'Never use tabs. ',
      'src/a.ts',
      '`foo()`',
      '12 MB',
      'TypeError: no b',
      'We decided to go. ',
      'TODO: find it ',
      'No idea. ',
      'a.ts:1:2: ',
    ],
  ),
});
const texts = fc.array(text, { maxLength: 6 });
const factsIn = (all: readonly string[]) =>
  factsOf(
    all.map((one, index) => textMessage(`${String(index)}-a`, one)),
    new MessageFacts(),
  );

describe('properties of what must survive a summary', () => {
  it('each fact stands word for word in its message, is kept by its own text, and is found again', () => {
    forAll(texts, (all) => {
      const facts = factsIn(all);
      for (const fact of facts) {
        assert.ok((all[Number.parseInt(fact.messageId, 10)] ?? '').includes(fact.text));
        assert.ok(factTest(fact.text)(fact), fact.text);
      }
      assert.deepEqual(factsIn(all), facts);
    });
  });

  it("missing lines stay within the budget but for the user's constraints, and none is missing after they are appended", () => {
    forAll(texts, text, fc.nat(60), (all, summary, tokens) => {
      const missing = missingLines(factsIn(all), summary, { tokens, counter: ROUGH_COUNTER });
      const cost = (lines: typeof missing): number => lines.reduce((sum, line) => sum + ROUGH_COUNTER.count(`- ${line.text}\n`), 0);
      const bound = missing.filter(({ kind, isOfUser }) => kind === 'constraint' && isOfUser);
      assert.ok(cost(missing) <= Math.max(tokens, cost(bound)));
      const appended = `${summary}\n${missing.map((line) => `- ${line.text}\n`).join('')}`;
      for (const fact of [...missing, ...factsIn(all).filter(({ kind }) => kind === 'constraint')]) {
        assert.ok(factTest(appended)(fact), fact.text);
      }
    });
  });
});
