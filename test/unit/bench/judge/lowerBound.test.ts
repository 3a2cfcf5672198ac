import assert from 'node:assert/strict';
import type { ChatRequest, Trace } from '../../../bench/judge/content.js';
import { differenceBound } from '../../../bench/judge/differenceBound.js';
import { lowerBound } from '../../../bench/judge/lowerBound.js';
import { fileOf, itemOf, messageOf, PRICES, requestOf } from '../../../support/bench/judged.js';

const RULE = itemOf('rule', 'rule', 100);

const traceOf = (...requests: readonly ChatRequest[]): Trace => ({ name: 'by hand', seed: 0, requests });

/** A rule in requests at these seconds. */
const ruleAt = (...times: readonly number[]): Trace => traceOf(...times.map((at) => requestOf(at, RULE)));

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

describe('the lower bound of a chat', () => {
  const bound = (trace: Trace): number => rounded(lowerBound(trace, PRICES));

  it('pays what is sent once as input', () => {
    assert.equal(bound(ruleAt(0)), 100);
  });

  it('writes for five minutes what is sent again within them', () => {
    assert.equal(bound(ruleAt(0, 300, 600)), 100 * (1.25 + 2 * 0.1));
  });

  it('writes for an hour what is sent again within it, if that pays', () => {
    assert.equal(bound(ruleAt(0, 3_600)), 200);
    assert.equal(bound(ruleAt(0, 3_600, 7_200)), 220);
    assert.equal(bound(ruleAt(0, 3_601, 7_202)), 300);
  });

  it('counts each content and each model by itself', () => {
    const title: ChatRequest = { ...requestOf(1, RULE), kind: 'title', model: 'small' };
    assert.equal(bound(traceOf(requestOf(0, RULE), title, requestOf(2, itemOf('rule', 'other', 10)))), 210);
  });

  it('lets pings keep an entry, each for the price of reading', () => {
    const bounded = (gap: number): number => rounded(lowerBound(ruleAt(0, gap), { ...PRICES, pings: true }));
    assert.equal(bounded(600), 100 * (1.25 + 2 * 0.1));
    assert.equal(bounded(601), 100 * (1.25 + 3 * 0.1));
    assert.equal(bounded(1_500), 100 * (1.25 + 5 * 0.1));
    assert.equal(bounded(86_400), 200);
  });

  it('lets what is read live for an hour from then on, where the provider allows that', () => {
    const trace = ruleAt(0, 10, 3_000);
    assert.equal(bound(trace), 220);
    assert.equal(rounded(lowerBound(trace, { ...PRICES, raises: true })), 145);
  });
});

describe('the lower bound of a chat with differences', () => {
  const bound = (trace: Trace): number => rounded(differenceBound(trace, PRICES));

  it('is the lower bound where no file changes', () => {
    const trace = traceOf(requestOf(0, RULE, fileOf('f', [500], 0)), requestOf(100, RULE, fileOf('f', [500], 0)));
    assert.equal(bound(trace), rounded(lowerBound(trace, PRICES)));
  });

  it('owes each difference once in full, then as often as it is read', () => {
    const [before, after] = [fileOf('f', [500], 20), fileOf('f', [500, 500], 20)];
    const trace = traceOf(requestOf(0, before), requestOf(10, after), requestOf(20, after), requestOf(30, after));
    assert.equal(bound(trace), 500 * (1.25 + 3 * 0.1) + 20 * (1 + 2 * 0.1));
  });

  it('owes a new copy where that costs less than the differences', () => {
    const [before, after] = [fileOf('f', [500], 2_000), fileOf('f', [500, 500], 2_000)];
    assert.equal(bound(traceOf(requestOf(0, before), requestOf(10, after))), 1_000);
  });

  it('owes the differences in full again after a pause that no entry survives', () => {
    const [before, after] = [fileOf('f', [500], 20), fileOf('f', [500, 500], 20)];
    const trace = traceOf(requestOf(0, before), requestOf(10, after), requestOf(10_000, after));
    // A new copy costs as much as the old one there, and makes the difference superfluous.
    assert.equal(bound(trace), 500 * (1.25 + 0.1) + 20 + 500);
  });

  it('owes all differences of versions that no request has held', () => {
    const trace = traceOf(requestOf(0, fileOf('f', [500], 20)), requestOf(10, fileOf('f', [500, 500, 500], 20)));
    assert.equal(bound(trace), 500 * 1.35 + 40);
  });

  it('owes messages as they are', () => {
    const message = messageOf('m', 'user', 50);
    assert.equal(bound(traceOf(requestOf(0, message))), 50);
  });
});
