import assert from 'node:assert/strict';
import fc from 'fast-check';
import { attemptRows } from '../../src/engine/accounting/attemptRow.js';
import { costOf } from '../../src/engine/model/price.js';
import { figureValue } from '../../src/engine/model/usage.js';
import type { AttemptState } from '../../src/engine/chat/slices/attempts.js';
import type { ChatState } from '../../src/engine/chat/state.js';
import { itemProofs, NEVER_HELD } from '../../src/engine/accounting/itemProof.js';
import type { ContextRecord } from '../../src/engine/record/manifest.js';
import { contextRecordsOf, manifestBlocksOf } from '../../src/engine/request/rebuild.js';
import { depth } from '../support/depth.mjs';
import { stateOf, usage } from '../support/engine/events.js';
import { user } from '../support/engine/messages.js';
import { RecordedChat } from '../support/engine/requests.js';
import { inRuns } from '../support/forAll.js';

const NAMES = ['A', 'B', 'C'];
const PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 };

/** The rules that a request held, did not select, or does not mention, and the cache's reads and writes. */
const anyRequest = fc.record({
  states: fc.tuple(...NAMES.map(() => fc.constantFrom('held', 'cut', 'out', 'none'))),
  read: fc.double({ min: 0, max: 1, noNaN: true }),
  written: fc.double({ min: 0, max: 1, noNaN: true }),
});

type AnyRequest = typeof anyRequest extends fc.Arbitrary<infer T> ? T : never;

function contextOf({ states }: AnyRequest): ContextRecord[] {
  return states.flatMap((state, at): ContextRecord[] => {
    const item = { type: 'rule', name: NAMES[at] ?? '', includeMode: 'always' } as const;
    const cut = state === 'cut' ? { cut: { hash: 'h', lines: 1, ofLines: 9, tokens: 1, ofTokens: 9 } } : {};
    return state === 'none' ? [] : [{ item, leftOut: state === 'out' ? { code: 'removed' } : null, ...cut }];
  });
}

function chatAfter(requests: readonly AnyRequest[]): ChatState {
  const chat = new RecordedChat();
  for (const [at, request] of requests.entries()) {
    const held = contextOf(request).filter(({ leftOut }) => leftOut === null);
    const standing = held.map(
      ({ item }) => ({ key: `rule:${item.name}`, category: 'rules', text: item.name.repeat(5 * item.name.charCodeAt(0)) }) as const,
    );
    chat.send({ messages: [user(`u${at}`, 'Hello '.repeat(at + 1))], context: contextOf(request), standing });
  }
  const attempts = [...chat.attempts.values()].map((attempt, at): [string, AttemptState] => {
    const counted = (manifestBlocksOf(attempt, chat.attempts) ?? []).reduce((sum, { tokens }) => sum + tokens, 0);
    const read = Math.floor(counted * (requests[at]?.read ?? 0));
    const written = Math.floor((counted - read) * (requests[at]?.written ?? 0));
    const used = usage(counted - read - written, read, written, 100);
    const end = { outcome: 'complete', usage: used, rawUsage: null, cost: costOf(used, PRICES), at, error: null } as const;
    const rest = { responseId: null, stopReason: 'end', retry: null, exchange: null } as const;
    return [attempt.id, { ...attempt, startedAt: at, end: { ...end, ...rest } }];
  });
  return { ...stateOf(), attempts: new Map(attempts) };
}

/** The cost of an item, token by token: cache reads come first, then writes. */
function naiveCost(key: string, state: ChatState): number {
  let dollars = 0;
  for (const attempt of state.attempts.values()) {
    const { cacheReadInputTokens, cacheCreationInputTokens } = attempt.end?.usage ?? usage(0, 0, 0, 0);
    const read = figureValue(cacheReadInputTokens) ?? 0;
    const written = read + (figureValue(cacheCreationInputTokens) ?? 0);
    const blocks = manifestBlocksOf(attempt, state.attempts) ?? [];
    const owners = blocks.flatMap(({ item, tokens }) => Array.from({ length: tokens }, () => item));
    for (const [place, owner] of owners.entries()) {
      const price = place < read ? PRICES.cacheRead : place < written ? PRICES.cacheWrite5m : PRICES.input;
      dollars += owner === key ? price / 1_000_000 : 0;
    }
  }
  return dollars;
}

describe('the proof of a rule', () => {
  it('is what a count over all manifests gives, and its price what each of its tokens cost', async () => {
    await inRuns(depth({ short: 15, deep: 300 })).forAllAsync(fc.array(anyRequest, { maxLength: 70 }), async (requests) => {
      const state = chatAfter(requests);
      const proofs = itemProofs((await attemptRows(state, new Map(), () => Promise.resolve())) ?? [], () => PRICES);
      assert.equal(proofs.requests, requests.length);
      for (const name of NAMES) {
        const key = `rule:${name}`;
        const records = [...state.attempts.values()].flatMap((attempt) =>
          (contextRecordsOf(attempt, state.attempts) ?? []).filter(({ item, leftOut }) => item.name === name && leftOut === null),
        );
        const proof = proofs.items.get(key) ?? NEVER_HELD;
        assert.equal(proof.whole, records.filter(({ cut }) => cut === undefined).length);
        assert.equal(proof.cut, records.filter(({ cut }) => cut !== undefined).length);
        assert.ok(Math.abs((proof.cost ?? 0) - naiveCost(key, state)) < 1e-12, `${String(proof.cost)} for ${name}`);
      }
    });
  });

  it('costs what the provider billed, also when prices have changed since, and says how often that is unknown', async () => {
    const state = chatAfter(Array.from({ length: 3 }, () => ({ states: ['held', 'none', 'none'], read: 0, written: 0 })));
    const rows = (await attemptRows(state, new Map(), () => Promise.resolve())) ?? [];
    const now = itemProofs(rows, () => PRICES).items.get('rule:A');
    const doubled = { input: 6, output: 30, cacheRead: 0.6, cacheWrite5m: 7.5, cacheWrite1h: 12 };
    assert.ok(Math.abs((itemProofs(rows, () => doubled).items.get('rule:A')?.cost ?? 0) - (now?.cost ?? 1)) < 1e-15);
    const { cost, unknownCosts, whole, lastAt } = itemProofs(rows, () => null).items.get('rule:A') ?? NEVER_HELD;
    assert.deepEqual({ cost, unknownCosts, whole, lastAt }, { cost: null, unknownCosts: 3, whole: 3, lastAt: 2 });
    const free = rows.map((row) => ({ ...row, isUnbilled: true, cost: null }));
    assert.deepEqual(itemProofs(free, () => PRICES).items.get('rule:A')?.unknownCosts, 0);
  });
});
