import assert from 'node:assert/strict';
import fc from 'fast-check';
import { calibrate, CALIBRATION_WINDOW, type CalibrationSample } from '../../src/engine/tokens/calibration.js';
import { forAll } from '../support/forAll.js';

const sound = fc
  .record({ counted: fc.integer({ min: 1, max: 100_000 }), ratio: fc.double({ min: 0.51, max: 4.9, noNaN: true }) })
  .map(({ counted, ratio }): CalibrationSample => ({ counted, reported: counted * ratio }));

/** Equal figures for requests of different sizes mean a cut prompt. */
const reportedOf = ({ reported }: CalibrationSample): number => reported;

const anything = fc.record({ counted: fc.double(), reported: fc.double() });

describe('the calibration of any model', () => {
  it('is a factor within the ratios seen lately, and an error that is a share', () => {
    forAll(fc.uniqueArray(sound, { minLength: 1, maxLength: 60, selector: reportedOf }), (samples) => {
      const { factor, error } = calibrate(samples);
      const lately = samples.slice(-CALIBRATION_WINDOW).map(({ counted, reported }) => reported / counted);
      assert.ok(factor >= Math.min(...lately) && factor <= Math.max(...lately));
      assert.equal(error === null, samples.length < 3);
      assert.ok(error === null || (error >= 0 && Number.isFinite(error)));
    });
  });

  it('is right, and knows it, when the tokenizers differ by a steady factor', () => {
    const steady = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 3, maxLength: 60 });
    forAll(steady, fc.double({ min: 0.51, max: 4.9, noNaN: true }), (counts, ratio) => {
      const { factor, error } = calibrate(counts.map((counted) => ({ counted, reported: counted * ratio })));
      assert.ok(Math.abs(factor / ratio - 1) < 1e-9);
      assert.ok(error !== null && error < 1e-9);
    });
  });

  it('stays within the usual ratios while fewer than half of the requests are odd', () => {
    const usual = fc.array(fc.double({ min: 1.1, max: 1.3, noNaN: true }), { minLength: 6, maxLength: 10 });
    forAll(usual, fc.array(sound, { maxLength: 5 }), fc.infiniteStream(fc.nat()), (usualRatios, odd, places) => {
      const samples = usualRatios.map((ratio): CalibrationSample => ({ counted: 1_000, reported: 1_000 * ratio }));
      for (const each of odd) {
        samples.splice(Number(places.next().value) % (samples.length + 1), 0, each);
      }
      const { factor } = calibrate(samples);
      assert.ok(factor >= 1.1 - 1e-9 && factor <= 1.3 + 1e-9);
    });
  });

  it('is the same with any nonsense in between', () => {
    // Below one token, the quotient of two doubles is rounded: 8.4e-323 and 4e-323 give 0.47 or 0.5.
    const isCountable = ({ counted }: CalibrationSample): boolean => !(counted > 0 && counted < 1);
    const nonsense = anything
      .filter(isCountable)
      .filter(({ counted, reported }) => !(reported / counted >= 0.5 && reported / counted <= 5 && counted > 0));
    forAll(fc.uniqueArray(fc.oneof(sound, nonsense), { selector: reportedOf }), (samples) => {
      const kept = samples.filter(({ counted, reported }) => counted > 0 && reported / counted >= 0.5 && reported / counted <= 5);
      assert.deepEqual(calibrate(samples), calibrate(kept));
    });
  });
});
