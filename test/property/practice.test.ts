import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expectedCache } from '../../src/engine/cache/expectedCache.js';
import { forecast } from '../../src/engine/cache/forecast.js';
import type { Json } from '../../src/engine/json.js';
import type { WirePart } from '../../src/engine/model/block.js';
import { ASKED_LIFETIMES } from '../../src/engine/model/cacheRules.js';
import { partTokens } from '../../src/engine/tokens/partTokens.js';
import {
  EMPTY_CACHE,
  inColumns,
  useCache,
  type CacheOutcome,
  type CachePart,
  type CacheState,
} from '../../src/engine/model/providerCache.js';
import { convert } from '../../src/providers/practice/convert.js';
import { PRACTICE_CACHE, PRACTICE_STANDARD } from '../../src/providers/practice/models.js';
import { requestParts } from '../../src/providers/practice/requestParts.js';
import { sumTokens } from '../../src/engine/sumTokens.js';
import type { PracticeRequest } from '../../src/providers/practice/wire.js';
import { CODE_POINT } from '../support/codePoint.js';
import { depth } from '../support/depth.mjs';
import { MarkedCache } from '../support/cachingServer/markedCache.js';
import type { Prompt } from '../support/cachingServer/prompt.js';
import { characters } from '../support/engine/ports.js';
import { forAll, forAllAsync, inRuns } from '../support/forAll.js';
import { replyTo, user } from '../unit/practice/support.js';

const RUNS = depth({ short: 500, deep: 5_000 });

const rawPart = fc.record({
  name: fc.constantFrom('a' as const, 'b' as const, 'c' as const),
  breakpoint: fc.constantFrom(null, null, '5m' as const, '1h' as const),
});

/** Parts with equal names have equal sizes, so that prefixes recur. */
const request = fc.array(rawPart, { minLength: 1, maxLength: 12 }).map((raw) => {
  const sizes = { a: 100, b: 700, c: 1_300 } as const;
  let prefix = '';
  return raw.map(({ name, breakpoint }): CachePart => {
    prefix += name;
    return { prefix, tokens: sizes[name], breakpoint };
  });
});

function used(state: CacheState, parts: readonly CachePart[], now: number): CacheOutcome {
  return useCache(PRACTICE_CACHE, state, inColumns(parts), now);
}

const total = (parts: readonly CachePart[]): number => parts.reduce((sum, part) => sum + part.tokens, 0);

/** Tokens up to the last breakpoint that the provider takes. */
function markedTokens(parts: readonly CachePart[]): number {
  let sum = 0;
  let marked = 0;
  for (const part of parts) {
    sum += part.tokens;
    marked = part.breakpoint !== null && sum >= PRACTICE_CACHE.minimumTokens ? sum : marked;
  }
  return marked;
}

const timed = fc.array(fc.record({ parts: request, wait: fc.integer({ min: 0, max: 90 * 60_000 }) }), { maxLength: 8 });

function warm(requests: readonly { parts: CachePart[]; wait: number }[]): { state: CacheState; now: number } {
  return requests.reduce(({ state, now }, { parts, wait }) => ({ state: used(state, parts, now + wait).state, now: now + wait }), {
    state: EMPTY_CACHE,
    now: 0,
  });
}

/** Long requests of small parts with common prefixes, longer than the look-back. */
const longRequest = fc
  .tuple(
    fc.integer({ min: 1, max: 60 }),
    fc.array(fc.record({ at: fc.nat(59), mark: fc.constantFrom('5m' as const, '1h' as const) }), { maxLength: 4 }),
    fc.nat(2),
  )
  .map(([length, marks, variant]) =>
    Array.from({ length }, (_, index): CachePart => {
      const name = index < 40 ? '' : `-${String(variant)}`;
      const breakpoint = marks.find(({ at }) => at === index)?.mark ?? null;
      return { prefix: `${String(index)}${name}`, tokens: 100 + index, breakpoint };
    }),
  );

/** In ms, up to more than each lifetime. */
const wait = fc.oneof(...[4, 4, 20, 70].map((minutes) => fc.integer({ min: 0, max: minutes * 60_000 })));

const longRequests = fc.array(fc.record({ parts: longRequest, wait }), { minLength: 6, maxLength: 10 });

const DOCUMENTED = { minimumTokens: PRACTICE_CACHE.minimumTokens, lookback: 20, toolRunsShareAPosition: false };

/** Converts the parts for the tests' own cache, which follows the documentation. */
function promptOf(parts: readonly CachePart[]): Prompt {
  const rest = { level: 'messages', run: null, opening: '', path: '' } as const;
  // Only these lifetimes are drawn.
  const blocks = parts.map(({ prefix, tokens, breakpoint }) => ({ ...rest, text: prefix, tokens, mark: breakpoint as '5m' | '1h' | null }));
  return { blocks, parameters: '', tail: 0 };
}

/** The expected cache and the cache of the documentation, with the same requests. */
class ComparedCaches {
  readonly #documented = new MarkedCache();
  readonly #expected = expectedCache(PRACTICE_CACHE, ASKED_LIFETIMES) ?? assert.fail('Its rules are known.');
  #before: readonly CachePart[] = [];
  #now = 0;

  /** Sends a request after a pause. Returns how many of its tokens have expired since the last request. */
  send(parts: readonly CachePart[], wait: number): number {
    const [sentAt, now] = [this.#now, this.#now + wait];
    const readBefore = this.#read(parts, sentAt);
    const pending = this.#documented.use(promptOf(parts), 'owner', DOCUMENTED, now);
    const { expired, parts: made } = forecast(this.#expected, inColumns(parts), { now, lastReplyAt: sentAt }, null);
    const { read, written5m, written1h, fresh } = pending.use;
    assert.deepEqual(made, { read, written: written5m + written1h, fresh });
    assert.equal(expired?.tokens ?? 0, Math.max(0, readBefore - read));
    assert.ok(expired === null || (expired.at < now && expired.at >= sentAt));
    assert.equal(this.#expected.cachedParts(inColumns(this.#before), now), this.#keptOfLast(now));
    pending.begin();
    this.#expected.add({ at: now, parts: inColumns(parts), usage: null });
    [this.#before, this.#now] = [parts, now];
    return expired?.tokens ?? 0;
  }

  #read(parts: readonly CachePart[], at: number): number {
    return this.#documented.use(promptOf(parts), 'owner', DOCUMENTED, at).use.read;
  }

  /** A prefix with a breakpoint at its end reads all of itself only from an entry of the same length. */
  #keptOfLast(at: number): number {
    const lengths = this.#before.map((_, index) => index + 1);
    const isKept = (length: number): boolean => {
      const prefix = this.#before
        .slice(0, length)
        .map((part, index) => (index === length - 1 ? { ...part, breakpoint: '5m' as const } : part));
      return this.#read(prefix, at) === total(prefix);
    };
    return lengths.findLast(isKept) ?? 0;
  }
}

describe('properties of the simulated cache', () => {
  it('it reads and writes what the cache of the documentation does', () => {
    let reads = 0;
    inRuns(RUNS).forAll(longRequests, (requests) => {
      const documented = new MarkedCache();
      let state = EMPTY_CACHE;
      let now = 0;
      for (const { parts, wait } of requests) {
        now += wait;
        const pending = documented.use(promptOf(parts), 'owner', DOCUMENTED, now);
        const outcome = used(state, parts, now);
        assert.deepEqual(outcome.use, pending.use);
        pending.begin();
        state = outcome.state;
        reads += outcome.use.read > 0 ? 1 : 0;
      }
    });
    assert.ok(reads > RUNS / 2, `only ${String(reads)} requests read anything`);
  });

  it('the expected cache has, reads and loses by expiry what the cache of the documentation does', () => {
    let expiries = 0;
    inRuns(RUNS / 10).forAll(longRequests, (requests) => {
      const compared = new ComparedCaches();
      for (const { parts, wait } of requests) {
        expiries += compared.send(parts, wait) > 0 ? 1 : 0;
      }
    });
    assert.ok(expiries > RUNS / 100, `only ${String(expiries)} requests lost anything`);
  });

  it('read, written and fresh tokens add up to the request, and none is negative', () => {
    forAll(timed, request, (before, parts) => {
      const { state, now } = warm(before);
      const { read, written5m, written1h, fresh } = used(state, parts, now).use;
      assert.equal(read + written5m + written1h + fresh, total(parts));
      assert.ok(Math.min(read, written5m, written1h, fresh) >= 0);
    });
  });

  it('the same request again within the time to live reads everything up to the last breakpoint', () => {
    forAll(timed, request, fc.integer({ min: 0, max: 5 * 60_000 - 1 }), (before, parts, wait) => {
      const { state, now } = warm(before);
      const first = used(state, parts, now);
      const second = used(first.state, parts, now + wait).use;
      assert.ok(second.read >= markedTokens(parts));
      assert.equal(second.written5m + second.written1h, 0);
    });
  });

  it('nothing below the minimum is ever read or written', () => {
    forAll(timed, request, (before, parts) => {
      const { state, now } = warm(before);
      const { read, written5m, written1h } = used(state, parts, now).use;
      const cached = read + written5m + written1h;
      assert.ok(cached === 0 || cached >= PRACTICE_CACHE.minimumTokens);
      assert.ok(read === 0 || read >= PRACTICE_CACHE.minimumTokens);
    });
  });

  it('a cold cache reads nothing and writes up to the last breakpoint', () => {
    forAll(request, (parts) => {
      const { read, written5m, written1h } = used(EMPTY_CACHE, parts, 0).use;
      assert.deepEqual([read, written5m + written1h], [0, markedTokens(parts)]);
    });
  });
});

const json = fc.jsonValue() as fc.Arbitrary<Json>;
const anyPart: fc.Arbitrary<WirePart> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: CODE_POINT }) }),
  fc.record({
    type: fc.constant('toolCall' as const),
    id: fc.string(),
    name: fc.string(),
    args: fc.dictionary(fc.string(), json, { noNullPrototype: true }),
  }),
);

describe('properties of the practice model', () => {
  it('counts of any part on the wire what the engine counts of it', () => {
    forAll(fc.array(anyPart, { minLength: 1, maxLength: 6 }), (wireParts) => {
      const blocks = wireParts.map((part) => ({
        key: '',
        hash: '',
        role: 'assistant' as const,
        part,
        source: { from: 'snapshot' as const },
        category: 'conversation' as const,
        item: null,
        form: 'full' as const,
        tokens: 0,
        tier: 'active' as const,
        breakpoint: null,
      }));
      const prompt = { tools: [], system: [], messages: [{ role: 'assistant' as const, blocks }] };
      const { body } = convert(PRACTICE_STANDARD, prompt, { maxOutputTokens: null, extraBody: {} });
      const { framing } = PRACTICE_STANDARD.capabilities;
      const counted = sumTokens(requestParts(JSON.parse(body) as PracticeRequest, framing, characters));
      const content = wireParts.reduce((sum, part) => sum + partTokens(part, characters, () => 1_600), 0);
      assert.equal(counted, framing.perRequest + framing.perMessage + content);
    });
  });

  it('answers any message, in parts that are the billed text', async () => {
    const line = fc.oneof(
      fc.string({ unit: CODE_POINT }),
      fc.constantFrom('/slow', '/long 30', '/tool x {', '/error zzz', '```', '/tool', ''),
    );
    await forAllAsync(fc.array(line, { maxLength: 4 }), async (lines) => {
      const reply = await replyTo(user(`text\n${lines.join('\n')}`));
      assert.equal(reply.error, null);
      const call = reply.parts.find((part) => part.type === 'toolCall');
      const output = reply.text.length + (call === undefined ? 0 : `${call.name}\n${reply.args}`.length);
      assert.equal(reply.end?.usage?.completionTokens?.value, output);
    });
  });
});
