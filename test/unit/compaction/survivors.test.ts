import assert from 'node:assert/strict';
import { textMessage } from '../../../src/engine/chat/message/message.js';
import type { FactKind } from '../../../src/engine/compaction/facts/facts.js';
import { MessageFacts } from '../../../src/engine/compaction/facts/messageFacts.js';
import { keptLines, survivorsOf, withLine, withSurvivors } from '../../../src/engine/compaction/facts/survivors.js';
import { ROUGH_COUNTER } from '../../../src/engine/tokens/roughCounter.js';
import { column } from '../../support/columns.js';

/** A text, and its kept line. */
const SAID: readonly (readonly [FactKind, string, string])[] = [
  ['constraint', 'Never use tabs.', 'Never use tabs.'],
  ['constraint', 'Rules:\n- Node 20 and newer\n\nThat is all.', 'Node 20 and newer'],
  ['decision', 'We decided to use SQLite.', 'We decided to use SQLite.'],
  ['question', 'TODO: find a better name', 'TODO: find a better name'],
  ['path', 'See src/a.ts.', 'src/a.ts'],
  ['identifier', 'Call `user.id` there.', 'user.id'],
  ['identifier', 'Call `foo()` there.', 'foo'],
  ['figure', 'It takes 30 s.', '30 s'],
  ['error', 'It fails with "no such table: users" at times', 'no such table: users'],
  ['error', 'TypeError: x is not a function', 'TypeError: x is not a function'],
];

describe('what was kept of one summary', () => {
  for (const [kind, said, line] of SAID) {
    it(`is kept of the next ones: ${kind} ${JSON.stringify(said)}`, () => {
      const read = new MessageFacts();
      let lines: readonly string[] = [];
      for (const message of [textMessage('1-a', said), textMessage('2-b', 'It runs.'), textMessage('3-c', 'It runs well.')]) {
        const survivors = survivorsOf([message], lines, read);
        // Its sentence can be a statement too.
        const found = survivors.filter((fact) => fact.kind !== 'statement');
        assert.deepEqual(column(found, 'text'), [line]);
        assert.ok(kind !== 'constraint' || found.every((fact) => fact.kind === 'constraint' && fact.isOfUser));
        ({ lines } = withSurvivors('In short.', survivors, { tokens: 100, counter: ROUGH_COUNTER }));
      }
      assert.equal(lines.length, 1);
      assert.ok((lines[0] ?? '').includes(line), lines[0]);
    });
  }
});

describe('The lines that a checkpoint keeps word for word', () => {
  it('are the list at the end of its text, whatever the user has made of it', () => {
    assert.deepEqual(keptLines('Short.'), []);
    assert.deepEqual(keptLines('Short.\n- a point\n\nKept word for word:\n- Never push.\n- src/a.ts\n'), ['Never push.', 'src/a.ts']);
    const { text, lines } = withLine({ text: 'Short.', lines: [] }, 'src/b.ts');
    assert.deepEqual(keptLines(text), lines);
  });
});

describe('A line that is brought back into a checkpoint', () => {
  it('ends the list of those that were kept word for word', () => {
    const before = { text: 'Short.\n\nKept word for word:\n- Never push.\n- src/a.ts', lines: ['Never push.', 'src/a.ts'] };
    assert.deepEqual(withLine(before, 'src/b.ts'), { text: `${before.text}\n- src/b.ts`, lines: ['Never push.', 'src/a.ts', 'src/b.ts'] });
  });

  it('begins a list where there is none', () => {
    assert.deepEqual(withLine({ text: 'Short.', lines: [] }, 'src/b.ts'), {
      text: 'Short.\n\nKept word for word:\n- src/b.ts',
      lines: ['src/b.ts'],
    });
  });

  it('begins a list of its own behind a text that was rewritten', () => {
    const rewritten = { text: 'Mine.', lines: ['Never push.'] };
    assert.deepEqual(withLine(rewritten, 'src/b.ts'), {
      text: 'Mine.\n\nKept word for word:\n- src/b.ts',
      lines: ['Never push.', 'src/b.ts'],
    });
  });
});
