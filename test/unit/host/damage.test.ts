import assert from 'node:assert/strict';
import { type ChatFault, faultTexts } from '../../../src/host/chat/sessionLog.js';
import { damageView } from '../../../src/host/panel/shell/header.js';

describe('The badge of a damaged chat', () => {
  function fault(line: number | null, kind: ChatFault['kind']): ChatFault {
    return { segment: 'w.jsonl', line, kind, reason: 'it is so', text: 'as in the log' };
  }

  function label(...faults: readonly ChatFault[]): string | undefined {
    return damageView(faults, [])?.label;
  }

  it('is not there for a sound log', () => {
    assert.equal(damageView([], []), null);
  });

  it('names the lines, in order and each once, and counts those that do not fit', () => {
    assert.equal(label(fault(7, 'torn')), 'Damaged log: line 7');
    assert.equal(label(fault(7, 'torn'), fault(2, 'corrupt')), 'Damaged log: lines 2 and 7');
    assert.equal(label(fault(7, 'torn'), fault(10, 'corrupt'), fault(2, 'corrupt'), fault(2, 'torn')), 'Damaged log: lines 2, 7 and 10');
    assert.equal(label(...[1, 2, 3, 4, 5].map((line) => fault(line, 'corrupt'))), 'Damaged log: lines 1, 2, 3 and 2 more');
  });

  it('tells what is no damaged line from one', () => {
    assert.equal(label(fault(1, 'bom')), 'Another program changed line 1 of the log');
    assert.equal(label(fault(1, 'bom'), fault(4, 'corrupt')), 'Damaged log: line 4');
    assert.equal(label(fault(null, 'unreadable')), 'Loupe cannot read a file of this chat');
    assert.equal(damageView([], ['An event of the unknown run r'])?.label, 'A part of this chat is missing');
  });

  it('leaves what a newer Loupe wrote to the words that make the chat read-only', () => {
    assert.equal(damageView([fault(1, 'newer'), fault(2, 'unknownType')], []), null);
    assert.equal(label(fault(1, 'newer'), fault(2, 'torn')), 'Damaged log: line 2');
    assert.deepEqual(damageView([fault(1, 'newer'), fault(2, 'torn')], [])?.files, [{ file: 'w.jsonl', notes: ['Line 2: it is so.'] }]);
  });

  it('has a note for each damage, by file', () => {
    const faults = [fault(1, 'bom'), { ...fault(9, 'torn'), segment: 'x.jsonl' }, fault(3, 'corrupt'), fault(null, 'unreadable')];
    assert.deepEqual(damageView(faults, []), {
      label: 'Damaged log: lines 3 and 9',
      files: [
        { file: 'w.jsonl', notes: ['Line 1: it is so. No content is lost.', 'Line 3: it is so.', 'The whole file: it is so.'] },
        { file: 'x.jsonl', notes: ['Line 9: it is so.'] },
      ],
      others: [],
    });
  });

  it('has one note for everything that depends on what is missing', () => {
    const problems = ['Text of the unknown attempt a', 'The end of the unknown attempt a'];
    assert.deepEqual(damageView([], problems)?.others, ['Loupe does not show 2 lines that depend on damaged lines.']);
    assert.deepEqual(damageView([], ['x'])?.others, ['Loupe does not show 1 line that depends on damaged lines.']);
  });

  it('has a few notes only, and says how many more there are', () => {
    const view = damageView(
      Array.from({ length: 1_000 }, (_, index) => fault(index + 1, 'corrupt')),
      [],
    );
    const counts = view?.files.map(({ notes }) => notes.length);
    assert.deepEqual(counts, [20]);
    assert.deepEqual(view?.others, ['980 more places are damaged.']);
  });
});

describe('The text of a fault', () => {
  it('names the segment, the line if it is one, and the reason', () => {
    const segment = 'w.jsonl';
    assert.deepEqual(
      faultTexts([
        { segment, line: 3, kind: 'torn', reason: 'it was cut off' },
        { segment, line: null, kind: 'unreadable', reason: 'access was denied' },
      ]),
      [
        { segment, line: 3, kind: 'torn', reason: 'it was cut off', text: 'w.jsonl line 3: it was cut off' },
        { segment, line: null, kind: 'unreadable', reason: 'access was denied', text: 'w.jsonl: access was denied' },
      ],
    );
  });
});
