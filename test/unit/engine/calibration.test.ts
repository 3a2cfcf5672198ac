import assert from 'node:assert/strict';
import { calibrate, CALIBRATION_WINDOW, latestCut, UNCALIBRATED, type CalibrationSample } from '../../../src/engine/tokens/calibration.js';
import { replyTokens } from '../../../src/engine/run/replyTokens.js';
import { characters, NO_PAUSE } from '../../support/engine/ports.js';

function sample(counted: number, reported: number): CalibrationSample {
  return { counted, reported };
}

function ratios(...each: number[]): CalibrationSample[] {
  return each.map((ratio) => sample(1_000, 1_000 * ratio));
}

describe('calibration', () => {
  it('corrects nothing and knows no error without samples', () => {
    assert.deepEqual(calibrate([]), UNCALIBRATED);
  });

  it('takes the median ratio of reported to counted', () => {
    assert.equal(calibrate(ratios(1.2)).factor, 1.2);
    assert.equal(calibrate(ratios(1.1, 1.3, 1.2)).factor, 1.2);
    assert.ok(Math.abs(calibrate(ratios(1.1, 1.2)).factor - 1.15) < 1e-9);
  });

  it('is not moved by an odd request', () => {
    assert.equal(calibrate(ratios(1.2, 1.2, 4, 1.2, 0.3)).factor, 1.2);
  });

  it('forgets what is long ago', () => {
    const old = ratios(...Array.from({ length: CALIBRATION_WINDOW }, () => 2));
    const recent = ratios(...Array.from({ length: CALIBRATION_WINDOW }, () => 1.5));
    const { factor, error, samples } = calibrate([...old, ...recent]);
    assert.deepEqual([factor, samples], [1.5, CALIBRATION_WINDOW]);
    assert.ok(error !== null && error > 0);
  });

  it('judges each request by what was known before it, the first one by nothing', () => {
    // One or two requests give no estimate.
    assert.deepEqual([calibrate(ratios(2)).error, calibrate(ratios(2, 2)).error], [null, null]);
    // Estimates 1, 2, and 2 (the median of 2 and 2) are off by 1/2, 0 and 1/3.
    const { error } = calibrate(ratios(2, 2, 3));
    assert.ok(error !== null && Math.abs(error - 1 / 3) < 1e-9);
    assert.equal(calibrate(ratios(2, 2, 2)).error, 0);
  });

  it('learns nothing from requests that the server has cut: below half of the count, or flat while the count grows', () => {
    const cut = [sample(15_750, 4_096), sample(15_750, 4_096), sample(15_750, 4_096)];
    assert.deepEqual(calibrate(cut), UNCALIBRATED);
    assert.deepEqual(latestCut(cut), cut[2]);
    const flat = [sample(4_500, 4_096), sample(5_500, 4_096), sample(6_500, 4_096)];
    assert.deepEqual([calibrate(flat), latestCut(flat)], [UNCALIBRATED, flat[2]]);
    assert.deepEqual([calibrate([...flat, ...ratios(1.2)]), latestCut([...flat, ...ratios(1.2)])], [calibrate(ratios(1.2)), null]);
    const same = [sample(4_000, 4_400), sample(4_010, 4_400)];
    assert.deepEqual([calibrate(same).samples, latestCut(same), latestCut([])], [2, null, null]);
  });

  it('learns nothing from figures that are no counts of the same text', () => {
    const nonsense = [sample(0, 5), sample(5, 0), sample(-5, -5), sample(NaN, 5), sample(5, NaN), sample(5, Infinity), sample(1_000, 10)];
    assert.deepEqual(calibrate(nonsense), UNCALIBRATED);
    assert.deepEqual(calibrate([...nonsense, ...ratios(1.2)]), calibrate(ratios(1.2)));
  });
});

describe('the tokens of a reply', () => {
  it('are those of its text, its reasoning and its calls, as far as they came', async () => {
    const reply = [
      { type: 'text', text: 'abc' },
      undefined,
      { type: 'reasoning', text: 'de', opaque: 'signed' },
      { type: 'toolCall', id: 'c', name: 'read', rawArgs: '{"' },
    ] as const;
    assert.equal(await replyTokens(reply, characters, NO_PAUSE), 3 + 2 + 'read\n{"'.length);
    assert.equal(await replyTokens([], characters, NO_PAUSE), 0);
  });
});
