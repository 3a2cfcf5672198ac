import assert from 'node:assert/strict';
import type { Usage } from '../../../src/engine/model/usage.js';
import { ASKED_LIFETIMES, type CacheRules } from '../../../src/engine/model/cacheRules.js';
import { CacheMonitor, type Finding } from '../../../src/engine/cacheMonitor/cacheMonitor.js';
import { lostCost } from '../../../src/engine/cacheMonitor/otherLifetimes.js';
import type { MonitoredRequest } from '../../../src/engine/cacheMonitor/trials.js';
import { column } from '../../support/columns.js';
import { parts } from '../../support/engine/blocks.js';
import { usage } from '../../support/engine/events.js';
import { markedCache, OPEN_MODEL } from '../../support/engine/models.js';

const MINUTE = 60_000;
const RULES = markedCache({});
const AUTOMATIC: CacheRules = { kind: 'automatic', minimumTokens: 1_024, stepTokens: 128, lifetimeSeconds: 600 };

/** A request with a complete reply after a second. `figures`: uncached, read and written tokens. */
function request(at: number, letters: string, [fresh, read, written]: readonly [number, number, number]): MonitoredRequest {
  return sent(at, letters, usage(fresh, read, written, 5));
}

function sent(at: number, letters: string, reported: Usage | null): MonitoredRequest {
  return {
    at,
    endedAt: at + 1_000,
    chatId: 'c',
    attemptId: `a${String(at / MINUTE)}`,
    parameters: '',
    parts: parts(letters),
    usage: reported,
  };
}

/** The same request with 1-hour breakpoints. */
function forAnHour(each: MonitoredRequest): MonitoredRequest {
  return { ...each, parts: { ...each.parts, breakpoints: each.parts.breakpoints.map(({ at }) => ({ at, ttl: '1h' })) } };
}

function monitored(rules: CacheRules, requests: readonly MonitoredRequest[]): CacheMonitor {
  const monitor = new CacheMonitor(rules);
  for (const each of requests) {
    monitor.take(each);
  }
  return monitor;
}

function finding(rules: CacheRules, ...requests: MonitoredRequest[]): Finding | undefined {
  return monitored(rules, requests).findings[0];
}

const WRITTEN = request(0, 'ab', [0, 0, 2_000]);

describe('the cache monitor', () => {
  it('compares each request with the longest breakpoint of an earlier one', () => {
    const found = finding(RULES, WRITTEN, request(MINUTE, 'abc', [0, 2_000, 1_000]), request(4 * MINUTE, 'abcd', [0, 0, 4_000]));
    const { all, read, lived, gone, inTime, early, isLatestEarly } = found ?? assert.fail();
    assert.deepEqual([all, read, lived, gone, inTime, isLatestEarly], [2, 1, MINUTE, 3 * MINUTE, 2, true]);
    assert.deepEqual(
      early.map(({ gap, tokens, lost, attemptId }) => [gap, tokens, lost, attemptId]),
      [[3 * MINUTE, 3_000, 3_000, 'a4']],
    );
  });

  it('tells of no early loss where a cache that works unasked was never read', () => {
    const unread = finding(AUTOMATIC, request(0, 'ab', [2_000, 0, 0]), request(MINUTE, 'abc', [3_000, 0, 0]));
    assert.deepEqual([unread?.early.length, unread?.isLatestEarly], [1, false]);
  });

  it('tells of an early loss until the next request', () => {
    const lost = request(MINUTE, 'abc', [0, 0, 3_000]);
    assert.equal(finding(RULES, WRITTEN, lost)?.isLatestEarly, true);
    assert.equal(finding(RULES, WRITTEN, lost, request(2 * MINUTE, 'abcd', [0, 3_000, 1_000]))?.isLatestEarly, false);
  });

  it('counts a loss after the lifetime as none that is early', () => {
    const found = finding(RULES, WRITTEN, request(6 * MINUTE, 'abc', [0, 0, 3_000]));
    assert.deepEqual([found?.gone, found?.inTime, found?.early, found?.lifetime], [6 * MINUTE, 0, [], 5 * MINUTE]);
  });

  it('prices an early loss as the request that met it was billed', () => {
    const prices = OPEN_MODEL.prices ?? assert.fail();
    const written = forAnHour(WRITTEN);
    const again = request(10 * MINUTE, 'abc', [0, 0, 3_000]);
    const costs = [again, forAnHour(again)].map((each) => lostCost(finding(RULES, written, each)?.early ?? [], prices).toFixed(6));
    const [short, long] = [prices.cacheWrite5m, prices.cacheWrite1h].map((rate) => ((2_000 * (rate - prices.cacheRead)) / 1e6).toFixed(6));
    assert.deepEqual(costs, [short, long]);
  });

  it('concludes nothing from what proves nothing', () => {
    const again = request(MINUTE, 'abc', [0, 0, 3_000]);
    const estimated = { value: 0, source: 'estimated' } as const;
    const long = 'abcdefghijklmnopqrstuvwxyz';
    const cases: Readonly<Record<string, readonly MonitoredRequest[]>> = {
      'no usage': [WRITTEN, sent(MINUTE, 'abc', null)],
      'usage that was counted here': [
        WRITTEN,
        sent(MINUTE, 'abc', { ...usage(0, 0, 3_000, 5), cacheReadInputTokens: estimated, cacheCreationInputTokens: estimated }),
      ],
      'an earlier request without usage': [sent(0, 'ab', null), again],
      'an earlier request that was still being answered': [{ ...WRITTEN, endedAt: 2 * MINUTE }, again],
      'a request with other parameters': [{ ...WRITTEN, parameters: 'thinking' }, again],
      'a prefix that was not sent before': [WRITTEN, request(MINUTE, 'xyz', [0, 0, 3_000])],
      'a prefix that is too short': [request(0, 'a', [0, 0, 1_000]), request(MINUTE, 'ab', [0, 0, 2_000])],
      'a breakpoint that looks back less far': [WRITTEN, request(MINUTE, long, [0, 0, 26_000])],
      'a breakpoint that was not written': [request(0, 'ab', [2_000, 0, 0]), again],
    };
    for (const [name, requests] of Object.entries(cases)) {
      assert.equal(finding(RULES, ...requests), undefined, name);
    }
    const half = [request(0, 'abc', [3_000, 0, 0]), request(MINUTE, 'abcd', [2_400, 1_600, 0])];
    assert.equal(finding(AUTOMATIC, ...half), undefined, 'a prefix of which more than half was read');
    const shorter = finding(RULES, WRITTEN, request(MINUTE, 'abc', [0, 1_500, 1_500]));
    assert.equal(shorter?.early[0]?.lost, 500, 'entries at breakpoints are read whole or not');
  });

  it('counts a loss once: what was lost with it is forgotten', () => {
    const lost = request(MINUTE, 'abc', [0, 0, 3_000]);
    assert.equal(finding(RULES, WRITTEN, lost, request(2 * MINUTE, 'abd', [0, 0, 3_000]))?.early.length, 1);
  });

  it('takes a request without breakpoints as a prefix where the cache is automatic', () => {
    const first = request(0, 'abc', [3_000, 0, 0]);
    const edited = request(MINUTE, 'abd', [1_000, 1_920, 0]);
    const found = finding(AUTOMATIC, first, edited, request(3 * MINUTE, 'abde', [4_000, 0, 0]));
    assert.deepEqual([found?.asked, found?.all, found?.lived, found?.gone, found?.inTime], [null, 2, MINUTE, 2 * MINUTE, 2]);
  });

  it('keeps the expected lifetime after one early loss, because a provider may drop a single entry', () => {
    const lost = finding(RULES, WRITTEN, request(2 * MINUTE, 'abc', [0, 0, 3_000]));
    assert.deepEqual([lost?.early.length, lost?.lifetime], [1, 5 * MINUTE]);
  });

  it('counts with the shortest time of two early losses, until a prefix is read after as long a time', () => {
    const lifetime = (...requests: MonitoredRequest[]): number | null | undefined => finding(RULES, WRITTEN, ...requests)?.lifetime;
    const early = [request(2 * MINUTE, 'abc', [0, 0, 3_000]), request(4 * MINUTE, 'abcd', [0, 0, 4_000])];
    assert.equal(lifetime(...early), 2 * MINUTE - 1);
    const soon = request(5 * MINUTE, 'abcde', [0, 4_000, 1_000]);
    assert.equal(lifetime(...early, soon), 2 * MINUTE - 1);
    assert.equal(lifetime(...early, soon, request(7 * MINUTE, 'abcdef', [0, 5_000, 1_000])), 5 * MINUTE);
  });

  it('corrects the rules by what was observed', () => {
    const first = request(0, 'abc', [3_000, 0, 0]);
    const read = request(2 * MINUTE, 'abcd', [1_000, 3_000, 0]);
    const asAsked = { lifetimes: ASKED_LIFETIMES };
    assert.deepEqual(monitored({ kind: 'unknown' }, [first]).observedRules, { rules: { kind: 'unknown' }, ...asAsked });
    const known = { kind: 'automatic', minimumTokens: 3_000, stepTokens: 1, lifetimeSeconds: 120 };
    assert.deepEqual(monitored({ kind: 'unknown' }, [first, read]).observedRules, { rules: known, ...asAsked });
    const lost = [request(5 * MINUTE, 'abcde', [5_000, 0, 0]), request(8 * MINUTE, 'abcdef', [6_000, 0, 0])];
    assert.deepEqual(monitored(AUTOMATIC, [first, read, ...lost]).observedRules, {
      rules: { ...AUTOMATIC, lifetimeSeconds: 179.999 },
      ...asAsked,
    });
    const early = [request(2 * MINUTE, 'abc', [0, 0, 3_000]), request(4 * MINUTE, 'abcd', [0, 0, 4_000])];
    const lifetimes = { ...ASKED_LIFETIMES, '5m': 2 * MINUTE - 1 };
    assert.deepEqual(monitored(RULES, [WRITTEN, ...early]).observedRules, { rules: RULES, lifetimes });
  });

  it('finds with the second request in a row that breakpoints are not taken', () => {
    const refused = [0, 1, 2].map((at) => request(at * MINUTE, 'abc', [3_000, 0, 0]));
    assert.deepEqual(monitored(RULES, refused.slice(0, 1)).refused, []);
    const monitor = monitored(RULES, refused);
    assert.deepEqual(column(monitor.refused, 'attemptId'), ['a0', 'a1', 'a2']);
    assert.equal(monitor.observedRules.rules.kind, 'none');
    monitor.take(request(3 * MINUTE, 'abc', [0, 0, 3_000]));
    assert.deepEqual([monitor.refused, monitor.observedRules.rules.kind], [[], 'marks']);
    assert.deepEqual(
      monitored(
        RULES,
        [0, 1].map((at) => request(at * MINUTE, 'a', [1_000, 0, 0])),
      ).refused,
      [],
    );
  });

  it('reports the requests in a row that were written for another lifetime than was asked for', () => {
    const given = (at: number, letters: string, fiveMinutes: number, oneHour: number): MonitoredRequest =>
      sent(at, letters, { ...usage(0, 0, fiveMinutes + oneHour, 5), cacheCreation: { fiveMinutes, oneHour } });
    const monitor = monitored(RULES, [given(0, 'ab', 0, 2_000), given(MINUTE, 'xyz', 0, 3_000)]);
    const [{ asked, actual, proofs } = assert.fail()] = monitor.otherLifetimes;
    assert.deepEqual([asked, actual, column(proofs, 'written')], ['5m', '1h', [2_000, 3_000]]);
    monitor.take(given(2 * MINUTE, 'abc', 3_000, 0));
    assert.deepEqual([monitor.otherLifetimes, monitor.findings], [[], []]);
  });
});
