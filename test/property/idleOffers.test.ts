import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type IdleChat, idleOffers, KEEP_WARM_MARGIN_MS } from '../../src/engine/cache/idleOffers.js';
import { ENDS, MEASURED_WEIGHT, pausesLonger } from '../../src/engine/cache/pauses.js';
import { forAll } from '../support/forAll.js';

const MINUTE = 60_000;

/** Pauses of equal weight that together are as the rule assumes: own pauses, measured pauses, one without an end. */
const PER_PAUSE = 500;

const chats: fc.Arbitrary<IdleChat> = fc.record({
  pauses: fc.array(fc.integer({ min: 1_000, max: 600 * MINUTE }), { maxLength: 8 }),
  idle: fc.integer({ min: 0, max: 60 * MINUTE }),
  left: fc.integer({ min: 0, max: 5 * MINUTE }),
  lifetime: fc.constantFrom(5 * MINUTE, 30 * MINUTE, 60 * MINUTE),
  warm: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
  cold: fc.double({ min: 0.5, max: 6, noNaN: true }),
  rebuildSaves: fc.double({ min: 0, max: 0.01, noNaN: true }),
  replies: fc.integer({ min: 1, max: 60 }),
  keepWarm: fc.option(fc.double({ min: 0.01, max: 1, noNaN: true })),
  summary: fc.option(
    fc.record({ write: fc.double({ min: 0.01, max: 1, noNaN: true }), next: fc.double({ min: 0.01, max: 1, noNaN: true }) }),
  ),
});

/** The end of each simulated pause. The measured ones are found by bisection of their distribution. */
function simulatedPauses({ pauses, idle }: IdleChat): readonly number[] {
  const measured = Array.from({ length: MEASURED_WEIGHT * PER_PAUSE }, (_, at) => quantile((at + 0.5) / (MEASURED_WEIGHT * PER_PAUSE)));
  const own = pauses.flatMap((pause) => Array.from({ length: PER_PAUSE }, () => pause));
  const endless = Array.from({ length: ENDS * PER_PAUSE }, () => Infinity);
  return [...own, ...measured, ...endless].filter((pause) => pause > idle);
}

const QUANTILES = new Map<number, number>();

function quantile(share: number): number {
  const known = QUANTILES.get(share);
  if (known !== undefined) {
    return known;
  }
  let [low, high] = [0, 1e12];
  for (let step = 0; step < 80; step += 1) {
    const middle = (low + high) / 2;
    const shorter = 1 - (pausesLonger([], middle) - ENDS) / MEASURED_WEIGHT;
    [low, high] = shorter < share ? [middle, high] : [low, middle];
  }
  QUANTILES.set(share, low);
  return low;
}

/** What all requests until the next expiry save, because the prompt was rebuilt. */
function rebuilt({ rebuildSaves, replies, pauses, lifetime }: IdleChat): number {
  let parts = 1;
  for (const pause of pauses) {
    parts += pause > lifetime ? 1 : 0;
  }
  return rebuildSaves * (replies / parts);
}

/** What one pause costs above a warm request, if Loupe sends up to `requests` keep-warm requests. */
function costOfPause(chat: IdleChat, pause: number, requests: number): number {
  const { idle, left, lifetime, warm, cold, keepWarm } = chat;
  let expiresAt = idle + left;
  let cost = 0;
  for (let sent = 0; sent < requests; sent += 1) {
    const at = expiresAt - KEEP_WARM_MARGIN_MS;
    if (pause <= at) {
      return cost;
    }
    cost += keepWarm ?? 0;
    expiresAt = at + lifetime;
  }
  return pause > expiresAt && pause < Infinity ? cost + cold - warm - rebuilt(chat) : cost;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe('what Loupe offers before a cache expires', () => {
  it('has the expected costs that a simulation of many pauses has', () => {
    forAll(chats, (chat) => {
      const pauses = simulatedPauses(chat);
      const { leave, offers } = idleOffers(chat);
      const tolerance = 0.02 * chat.cold;
      assert.ok(Math.abs(leave - mean(pauses.map((pause) => costOfPause(chat, pause, 0)))) <= tolerance);
      for (const offer of offers) {
        const simulated =
          offer.kind === 'keepWarm'
            ? mean(pauses.map((pause) => costOfPause(chat, pause, offer.requests)))
            : mean(pauses.map((pause) => offer.cost + (pause < Infinity ? (chat.summary?.next ?? 0) - chat.warm - rebuilt(chat) : 0)));
        assert.ok(
          Math.abs(offer.expected - simulated) <= tolerance,
          `${offer.kind}: ${String(offer.expected)} is not ${String(simulated)}`,
        );
      }
    });
  });

  it('saves at least half of its cost, and never costs more than the cold start that it avoids', () => {
    forAll(chats, (chat) => {
      const { leave, offers } = idleOffers(chat);
      assert.ok(offers.every(({ expected, cost }) => leave - expected >= cost / 2));
      assert.ok(offers.every(({ kind, cost }) => kind === 'summarize' || cost <= chat.cold - chat.warm));
      assert.deepEqual(
        offers,
        offers.toSorted((a, b) => a.expected - b.expected),
      );
    });
  });

  it('keeps the cache warm as often as costs the least in a simulation', () => {
    forAll(chats, (chat) => {
      const offer = idleOffers(chat).offers.find(({ kind }) => kind === 'keepWarm');
      if (offer?.kind !== 'keepWarm') {
        return;
      }
      const pauses = simulatedPauses(chat);
      const simulated = (requests: number): number => mean(pauses.map((pause) => costOfPause(chat, pause, requests)));
      for (const other of [offer.requests - 1, offer.requests + 1]) {
        if (other * (chat.keepWarm ?? 0) <= chat.cold - chat.warm - rebuilt(chat)) {
          assert.ok(simulated(offer.requests) <= simulated(other) + 0.02 * chat.cold);
        }
      }
    });
  });
});
