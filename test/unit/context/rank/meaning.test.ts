import assert from 'node:assert/strict';
import {
  embeddedText,
  LONGEST_EMBEDDED,
  meaningScale,
  SCALE_TEXTS,
  unitVector,
  type UnitVector,
} from '../../../../src/engine/context/rank/meaning.js';
import { fusedScore } from '../../../../src/engine/context/rank/fusion.js';
import { pickLimits } from '../../../../src/engine/context/select.js';
import { DEFAULTS } from '../../../support/host/window.js';

const PAIRS = SCALE_TEXTS.length / 2;

/** Vectors of a model with cosines of about `near` in pairs, and about `far` otherwise. */
function model(near: number, far: number, spread: number): readonly UnitVector[] {
  // A common direction, one per pair, and one per text.
  return SCALE_TEXTS.map((_, at) => {
    const pair = Math.floor(at / 2);
    const own = near + (pair % 2 === 0 ? spread : -spread);
    const vector = Array.from({ length: 1 + PAIRS + SCALE_TEXTS.length }, () => 0);
    vector[0] = Math.sqrt(far);
    vector[1 + pair] = Math.sqrt(Math.max(0, own - far));
    vector[1 + PAIRS + at] = Math.sqrt(1 - Math.max(own, far));
    return unitVector(vector);
  });
}

describe('the scale of meaning', () => {
  it('is that of the model: the same score for what is as near to its pairs, however high its cosines are', () => {
    const [low, high] = [meaningScale(model(0.4, 0.1, 0.05)), meaningScale(model(0.9, 0.6, 0.05))];
    for (const above of [-0.1, 0, 0.15, 0.3]) {
      assert.ok(Math.abs(low(0.1 + above) - high(0.6 + above)) < 0.01, String(above));
    }
    assert.ok(low(0.4) > 0.9 && low(0.1) < 0.001);
    assert.ok(high(0.4) < 0.001, 'what is near for one model is far for another one');
  });

  it('says little by a model that hardly tells the pairs from the rest, and nothing by one that does not', () => {
    assert.ok(meaningScale(model(0.52, 0.5, 0.06))(0.52) < 0.1);
    assert.ok(meaningScale(model(0.5, 0.5, 0))(1) < 0.03);
    assert.equal(meaningScale(SCALE_TEXTS.map(() => new Float32Array()))(1), 0);
  });

  it('lets meaning alone pick an item, but only with words more of them than usual', () => {
    const { minimum, certain } = pickLimits(DEFAULTS);
    assert.ok(fusedScore(0, 1) >= minimum && fusedScore(0, 1) < certain);
    assert.ok(fusedScore(0.5, 1) >= certain);
  });
});

describe('the text of an item for its vector', () => {
  it('is its name, its description and what follows, cut at a length', () => {
    assert.equal(
      embeddedText({ name: 'Tides', description: 'When it is high', body: '# Tables\nOf each harbour.' }),
      'Tides\nWhen it is high\n# Tables\nOf each harbour.',
    );
    assert.equal(embeddedText({ name: 'Tides', description: '', body: '' }), 'Tides');
    const long = embeddedText({ name: 'Tides', description: '', body: 'x'.repeat(LONGEST_EMBEDDED) });
    assert.deepEqual([long.length, long.startsWith('Tides\nxx')], [LONGEST_EMBEDDED, true]);
  });
});
