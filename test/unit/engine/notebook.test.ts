import assert from 'node:assert/strict';
import { notebookCells, notebookText } from '../../../src/engine/context/notebook.js';

const PLOT = 'A'.repeat(165_000);
const PRINTED = { output_type: 'stream', name: 'stdout', text: ['3 tides\n', 'high: 2.1 m\n'] };
const DRAWN = { output_type: 'display_data', data: { 'image/png': PLOT, 'text/plain': ['<Figure size 640x480>'] } };
const FAILED = { output_type: 'error', ename: 'E', evalue: '', traceback: ['\u001B[31mNameError\u001B[0m: name', 'line 2'] };

const notebook = (...cells: unknown[]): string => JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
const text = (content: string, shown: 'all' | 'number'): string => notebookText(notebookCells(content) ?? [], shown);

describe('a notebook as text', () => {
  const tides = notebook(
    { cell_type: 'markdown', source: ['# Tides\n', 'Of one week.'] },
    { cell_type: 'code', source: 'plot(heights)', outputs: [PRINTED, DRAWN] },
  );

  it('is its cells, with only the number of outputs', () => {
    assert.equal(text(tides, 'number'), '# %% [markdown]\n# Tides\nOf one week.\n\n# %%\nplot(heights)\n# (outputs not shown: 2)\n');
  });

  it('has the printed outputs on request, and the types of other outputs', () => {
    assert.equal(text(tides, 'all').split('# Output:\n')[1], '3 tides\nhigh: 2.1 m\n\n<Figure size 640x480>\n(image/png)\n');
  });

  it('has the text of an error without colors', () => {
    assert.match(text(notebook({ cell_type: 'code', source: '', outputs: [FAILED] }), 'all'), /# Output:\nNameError: name\nline 2\n$/);
  });

  it('skips a damaged cell or output, and keeps the others', () => {
    const damaged = notebook(null, { cell_type: 'code', source: 7 }, { cell_type: 'code', source: 'a', outputs: [3, PRINTED, {}] });
    assert.equal(text(damaged, 'all'), '# %%\na\n# Output:\n3 tides\nhigh: 2.1 m\n\n(unknown output)\n');
  });

  it('is not read from other content', () => {
    for (const content of ['', 'plain text', '[]', '{"cells": 3}', '{"cells": [}']) {
      assert.equal(notebookCells(content), null);
    }
  });
});
