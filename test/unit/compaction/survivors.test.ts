import assert from 'node:assert/strict';
import { withLine } from '../../../src/engine/compaction/survivors.js';

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
