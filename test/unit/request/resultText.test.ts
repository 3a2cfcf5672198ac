import assert from 'node:assert/strict';
import { isCutForModel, SENT_RESULT_BYTES, textForModel, utf8ForModel } from '../../../src/engine/request/resultText.js';
import { PREVIEW_LENGTH, textBegin } from '../../../src/engine/chat/message/textBegin.js';

const WAVE = '\u{1f30a}';

describe('a text of a tool as a model gets it', () => {
  it('is whole up to the cap, by bytes', () => {
    for (const text of ['', 'a', '\ufeffa', 'x'.repeat(SENT_RESULT_BYTES), WAVE.repeat(SENT_RESULT_BYTES / 4)]) {
      assert.ok(!isCutForModel(text));
      assert.equal(textForModel(text), text);
      assert.equal(utf8ForModel(Buffer.from(text)), text);
    }
  });

  it('is both ends of a longer one, with what is left out between them', () => {
    const text = `${'h'.repeat(SENT_RESULT_BYTES / 2)}${'m'.repeat(1_234)}${'t'.repeat(SENT_RESULT_BYTES / 2)}`;
    const whole = (SENT_RESULT_BYTES + 1_234).toLocaleString('en-US');
    const expected = [
      'h'.repeat(SENT_RESULT_BYTES / 2),
      `[1,234 bytes of this result are left out here: it has ${whole}.]`,
      't'.repeat(SENT_RESULT_BYTES / 2),
    ].join('\n\n');
    assert.ok(isCutForModel(text));
    assert.equal(textForModel(text), expected);
    assert.equal(utf8ForModel(Buffer.from(text)), expected);
  });

  it('has no character cut, and says exactly what is missing', () => {
    for (const unit of [WAVE, '\u20ac', '\u00e9', `${WAVE}x`, `\u20ac${WAVE}`]) {
      for (const shift of ['', 'a', 'ab', 'abc']) {
        const text = `${shift}${unit.repeat(200_000)}${shift}`;
        const cut = textForModel(text);
        const [head = '', tail = ''] = cut.split(/\n\n\[.*\]\n\n/);
        assert.ok(text.startsWith(head) && text.endsWith(tail));
        assert.ok(!cut.includes('\ufffd'));
        const left = Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail);
        assert.match(cut, new RegExp(`\\n\\n\\[${left.toLocaleString('en-US')} bytes of this`));
        assert.ok(Buffer.byteLength(head) + Buffer.byteLength(tail) > SENT_RESULT_BYTES - 8);
        assert.equal(isCutForModel(text), true);
      }
    }
  });
});

describe('the preview of a text', () => {
  it('is its begin, cut between characters', () => {
    assert.equal(textBegin('short'), 'short');
    assert.equal(textBegin('x'.repeat(PREVIEW_LENGTH + 1)), 'x'.repeat(PREVIEW_LENGTH));
    assert.equal(textBegin(`x${WAVE.repeat(PREVIEW_LENGTH)}`), `x${WAVE.repeat(PREVIEW_LENGTH / 2 - 1)}`);
    assert.equal(textBegin(WAVE.repeat(PREVIEW_LENGTH)), WAVE.repeat(PREVIEW_LENGTH / 2));
  });

  it('keeps half a character that stands alone', () => {
    const alone = `${'x'.repeat(PREVIEW_LENGTH - 1)}\ud83c`;
    assert.equal(textBegin(`${alone}x`), alone);
  });
});
