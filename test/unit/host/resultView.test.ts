import assert from 'node:assert/strict';
import { resultView } from '../../../src/host/panel/conversation/replyViews.js';
import { image, result, text } from '../../support/engine/messages.js';

const LIMIT = 16 * 1_024;
const MIB = 1_024 * 1_024;

describe('what the panel shows of a result', () => {
  it('is all of a short one, with its images and an estimate of their tokens', () => {
    const view = resultView(result('c', text('See'), image('aa'), text('that')));
    assert.deepEqual(view, { text: 'See\nthat', images: [image('aa')], cut: null, tokens: 2 + 1_600 });
    assert.equal(resultView(result('c', text('x'.repeat(LIMIT)))).cut, null);
  });

  it('is the begin of a large one, with the size of all of it, wherever it is kept', () => {
    const kept = { type: 'blob', blob: 'aa', bytes: 50 * MIB, preview: 'x'.repeat(1_000) } as const;
    const shown = resultView(result('c', kept));
    assert.deepEqual([shown.text, shown.cut], [kept.preview, { characters: 1_000, bytes: 50 * MIB }]);
    const inline = resultView(result('c', text('é'.repeat(LIMIT / 2 + 1))));
    assert.deepEqual([inline.text, inline.cut], ['é'.repeat(1_000), { characters: 1_000, bytes: LIMIT + 2 }]);
  });

  it('is the begin of all texts together', () => {
    const kept = { type: 'blob', blob: 'aa', bytes: MIB, preview: 'x'.repeat(1_000) } as const;
    const { text: shown, cut } = resultView(result('c', text('short'), kept, image('aa')));
    assert.equal(shown, `short\n${'x'.repeat(994)}`);
    assert.deepEqual(cut, { characters: 1_000, bytes: 5 + 1 + MIB });
    const many = resultView(result('c', ...Array.from({ length: 1_000 }, () => text('é'.repeat(20)))));
    assert.deepEqual([many.text.length, many.cut?.bytes], [1_000, 1_000 * 40 + 999]);
  });

  it('counts characters, not the halves that they are kept in', () => {
    assert.equal(resultView(result('c', text('\u{1f30a}'.repeat(LIMIT)))).cut?.characters, 500);
  });
});
