import assert from 'node:assert/strict';
import type { AttemptState } from '../../../src/engine/chat/slices/attempts.js';
import { diagnose, type Diagnosis } from '../../../src/engine/diagnosis/diagnosis.js';
import { impossibleFigures } from '../../../src/host/request/verdict/oddUsage.js';
import type { PastRequest } from '../../../src/engine/request/pastRequest.js';
import { responseBefore } from '../../../src/engine/diagnosis/requestBefore.js';
import type { Manifest, ManifestBlock } from '../../../src/engine/record/manifest.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import type { RequestInput } from '../../../src/engine/request/request.js';
import type { CacheRules } from '../../../src/engine/model/cacheRules.js';
import { attemptEnded, attemptStarted, usage } from '../../support/engine/events.js';
import { markedCache, OPEN_MODEL } from '../../support/engine/models.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { requestOf } from '../../support/engine/requests.js';

const RULES = markedCache({ minimumTokens: 100 });

function block(key: string, change: Partial<ManifestBlock>): ManifestBlock {
  const role = key.startsWith('system:') ? 'system' : key.includes('reply') ? 'assistant' : 'user';
  const source = key.startsWith('message:')
    ? ({ from: 'message', messageId: key.slice('message:'.length).split('/')[0] ?? '', part: 0 } as const)
    : ({ from: 'snapshot' } as const);
  const category = key.startsWith('message:') ? 'conversation' : 'system';
  return {
    ...{ key, hash: `hash of ${key}`, role, source, category, item: null, form: 'full', tokens: 500, tier: 'active' },
    ...{ opens: true, since: 1, content: null },
    ...change,
  };
}

const SYSTEM = block('system:global', {});
const ASKED = block('message:ask-1/0', {});
const REPLIED = block('message:reply-1/0', {});
const CALLED = block('message:reply-1/1', {});
const NEXT = block('message:ask-2/0', {});

interface Sent {
  readonly blocks: readonly ManifestBlock[];
  readonly at: number;
  readonly ordinal: number;
  /** Read and written. The rest is uncached. */
  readonly cache: readonly [number, number];
  readonly manifest: Partial<Manifest>;
  readonly forgotten: PastRequest['forgotten'];
}

function sent({ blocks, at, ordinal, cache: [read, written], manifest, forgotten }: Sent): PastRequest {
  const { type: _started, attemptId: id, ...started } = attemptStarted('run', `attempt-${String(ordinal)}`);
  const { type: _ended, ...ended } = attemptEnded('run', id, 'complete');
  const input = blocks.reduce((sum, { tokens }) => sum + tokens, 0);
  const size = { tokens: input, counted: input, basis: 'exact', error: null } as const;
  const marks = [{ at: blocks.length - 1, ttl: '5m' }] as const;
  const attempt: AttemptState = {
    ...{ ...started, id, inheritedFrom: null, startedAt: at, reply: [] },
    manifest: { ...started.manifest, layout: 'plain', size, marks, ordinal, ...manifest },
    end: { ...ended, at: at + 1, usage: usage(input - read - written, read, written, 5) },
  };
  return { attempt, blocks, context: [], forgotten };
}

const FIRST: Sent = { ...{ blocks: [SYSTEM, ASKED, REPLIED, CALLED], at: 0, ordinal: 1, cache: [0, 2_000], manifest: {}, forgotten: [] } };

function diagnosed(second: Partial<Sent>, rules: CacheRules): Diagnosis {
  const request = sent({ ...FIRST, blocks: [...FIRST.blocks, NEXT], at: 1_000, ordinal: 2, ...second });
  return diagnose({ request, earlier: [sent(FIRST)], model: { rules, prices: OPEN_MODEL.prices } });
}

describe('the diagnosis of a request by its record', () => {
  it('is that the cache held where all of it was read', () => {
    const { cause, again, expected, difference } = diagnosed({ cache: [2_000, 500] }, RULES);
    assert.deepEqual([cause, again, expected, difference], [{ kind: 'held' }, 0, 2_000, null]);
  });

  it('names other settings of the model, where the prompt is the same', () => {
    const params = { maxOutputTokens: null, extraBody: { thinking: true } };
    const { cause, again } = diagnosed({ cache: [0, 2_500], manifest: { params } }, RULES);
    assert.deepEqual([cause, again], [{ kind: 'parameters' }, 2_000]);
  });

  it('takes the request that the provider compares with for no other setting', () => {
    const params = { maxOutputTokens: null, extraBody: {}, previousResponseId: 'msg_1' };
    assert.deepEqual(diagnosed({ cache: [0, 2_500], manifest: { params } }, RULES).cause, { kind: 'provider', rulesAreKnown: true });
  });

  it('names the response of the request before only where its provider knows it', () => {
    const before = (manifest: Partial<Manifest>, responseId: string | null): AttemptState => {
      const { attempt } = sent({ ...FIRST, manifest });
      assert.ok(attempt.end !== null);
      return { ...attempt, end: { ...attempt.end, responseId } };
    };
    const params = { maxOutputTokens: null, extraBody: {} };
    const kept = before({ params: { ...params, previousResponseId: null } }, 'msg_1');
    const { provider } = kept.model;
    assert.equal(responseBefore([kept], { provider, model: 'any' }), 'msg_1');
    assert.equal(responseBefore([kept], { provider: 'another', model: kept.model.model }), null);
    assert.equal(responseBefore([before({ params }, 'msg_1')], kept.model), null, 'it was not asked to keep it');
    assert.equal(responseBefore([], kept.model), null);
    const stopped = before({ params: { ...params, previousResponseId: null } }, null);
    assert.equal(responseBefore([kept, stopped], kept.model), null, 'no other than what Loupe compares with');
  });

  it('asks the provider for none of a request that holds nothing of the conversation, nor where it would not be told', () => {
    const model = { ...OPEN_MODEL, capabilities: { ...OPEN_MODEL.capabilities, cacheDiagnostics: true } };
    const named = (change: Partial<RequestInput>): unknown =>
      requestOf({ model, previousResponseId: () => 'msg_1', ...change }, new BlockFactory(characters, sha256)).params.previousResponseId;
    assert.equal(named({}), 'msg_1');
    assert.equal(named({ messages: [], systemPrompt: 'Be brief.', instruction: 'Name this chat.' }), undefined);
    assert.equal(named({ model: OPEN_MODEL }), undefined);
    assert.equal(named({ model: { ...model, refusedMembers: ['diagnostics'] } }), undefined, 'its server refuses the member');
  });

  it('names the provider where nothing differs, and says whether its rules are known', () => {
    const unknown = diagnosed({ cache: [0, 2_500] }, { kind: 'unknown' });
    assert.deepEqual(diagnosed({ cache: [0, 2_500] }, RULES).cause, { kind: 'provider', rulesAreKnown: true });
    assert.deepEqual(unknown.cause, { kind: 'provider', rulesAreKnown: false });
  });

  it('names the provider that had cached nothing of the request before', () => {
    const earlier = [sent({ ...FIRST, cache: [0, 0] })];
    const request = sent({ ...FIRST, ordinal: 2, at: 1_000, blocks: [...FIRST.blocks, NEXT], cache: [0, 0] });
    const { cause, again } = diagnose({ request, earlier, model: { rules: RULES, prices: null } });
    assert.deepEqual([cause, again], [{ kind: 'provider', rulesAreKnown: true }, 0]);
  });

  it('names tool calls that were forgotten', () => {
    const forgotten = [{ messageId: 'reply-1', tools: ['read'], calls: 1, tokens: 500, after: 1 }];
    const { cause } = diagnosed({ blocks: [SYSTEM, ASKED, REPLIED, NEXT], cache: [0, 2_000], forgotten }, RULES);
    assert.deepEqual(cause, { kind: 'callsForgotten' });
  });

  it('names a part of a message that is sent in another form', () => {
    const blocks = [SYSTEM, block(ASKED.key, { hash: 'another hash' }), REPLIED, CALLED, NEXT];
    const { cause, difference, again } = diagnosed({ blocks, cache: [500, 2_000] }, RULES);
    assert.deepEqual([cause, difference?.at, again], [{ kind: 'otherForm' }, 1, 1_000]);
    assert.deepEqual([difference?.now?.hash, difference?.before?.hash], ['another hash', ASKED.hash]);
  });

  const file = (key: string, hash: string): ManifestBlock => block(key, { item: 'file:a.ts', category: 'files', hash });

  /** The cause when the blocks of the request before were `before`. */
  function causeOfBlocks(before: readonly ManifestBlock[], now: readonly ManifestBlock[], layout: Manifest['layout']): Diagnosis['cause'] {
    const earlier = [sent({ ...FIRST, blocks: before, cache: [0, before.length * 500], manifest: { layout } })];
    const request = sent({ ...FIRST, blocks: now, ordinal: 2, at: 1_000, cache: [500, (now.length - 1) * 500], manifest: { layout } });
    return diagnose({ request, earlier, model: { rules: RULES, prices: null } }).cause;
  }

  it('names a new layout where what a file is now takes the place of its copy and the change of it', () => {
    const before = [SYSTEM, file('file:a.ts', 'as it was'), ASKED, REPLIED, file('file:a.ts~2', 'its change'), CALLED];
    const now = [SYSTEM, file('file:a.ts~2', 'as it is'), ASKED, REPLIED, CALLED, NEXT];
    assert.deepEqual(causeOfBlocks(before, now, 'adaptive'), { kind: 'laidOutAnew', layout: null });
    assert.deepEqual(causeOfBlocks(before, [SYSTEM, ASKED, REPLIED, CALLED, NEXT], 'adaptive'), {
      ...{ kind: 'item', name: 'a.ts', change: 'removed' },
    });
  });

  it('names the file that changed and for that stands behind what has stayed the same', () => {
    for (const role of ['user', 'system'] as const) {
      const header = block('files:header/L1', { category: 'files', role });
      const before = [SYSTEM, header, file('file:a.ts', 'as it was'), ASKED, REPLIED, CALLED];
      const now = [SYSTEM, ASKED, REPLIED, CALLED, file('file:a.ts', 'as it is'), NEXT];
      assert.deepEqual(causeOfBlocks(before, now, 'tiered'), { kind: 'item', name: 'a.ts', change: 'changed' });
      const unchanged = [SYSTEM, ASKED, REPLIED, CALLED, file('file:a.ts', 'as it was'), NEXT];
      assert.deepEqual(causeOfBlocks(before, unchanged, 'tiered'), { kind: 'laidOutAnew', layout: null });
    }
  });

  it('names the reply that was replaced, whatever left the context before the message that is answered again', () => {
    const picked = file('file:a.ts', 'picked for the first message');
    const [asked, calling] = [sent({ ...FIRST, blocks: [SYSTEM, picked, ASKED] }), { ...FIRST, ordinal: 2, at: 1_000 }];
    const prompt = [SYSTEM, ASKED, REPLIED, NEXT, block('system:note', {})];
    const answered = sent({ ...calling, blocks: prompt, cache: [500, 2_000] });
    const round = sent({ ...calling, ordinal: 3, at: 2_000, blocks: [...prompt, block('message:reply-2/0', {})], cache: [2_500, 500] });
    const again = prompt.map((each) => (each === NEXT ? { ...NEXT, hash: 'joined otherwise' } : each));
    const retried = sent({ ...calling, at: 3_000, blocks: again, cache: [1_500, 1_000] });
    const { cause } = diagnose({ request: retried, earlier: [asked, answered, round], model: { rules: RULES, prices: null } });
    assert.deepEqual(cause, { kind: 'edited', what: 'reply' });
  });

  it('prices what was sent again, and tells what the request would have cost had the cache held', () => {
    const request = sent({ ...FIRST, ordinal: 2, at: 1_000, blocks: [...FIRST.blocks, NEXT], cache: [0, 2_500] });
    const prices = OPEN_MODEL.prices;
    assert.ok(prices !== null && request.attempt.end !== null);
    const cost = { usd: (2_500 * 3.75 + 5 * 15) / 1_000_000, atLeast: false };
    const paid = { ...request, attempt: { ...request.attempt, end: { ...request.attempt.end, cost } } };
    const { againCost, costHadHeld } = diagnose({ request: paid, earlier: [sent(FIRST)], model: { rules: RULES, prices } });
    assert.deepEqual([againCost, costHadHeld?.toFixed(8)], [0.0075, (cost.usd - 0.0075 + 0.0006).toFixed(8)]);
    const dearer = { ...prices, output: 20 };
    const today = diagnose({ request: paid, earlier: [sent(FIRST)], model: { rules: RULES, prices: dearer } });
    assert.deepEqual([today.againCost, today.costHadHeld], [null, null], 'its prices were others');
  });

  it('compares requests of their own with nothing', () => {
    const request = sent({ ...FIRST, blocks: [SYSTEM], at: 1_000, ordinal: 2, cache: [0, 0] });
    const title: PastRequest = { ...request, attempt: { ...request.attempt, purpose: 'title' } };
    const { cause, before } = diagnose({ request: title, earlier: [sent(FIRST)], model: null });
    assert.deepEqual([cause, before], [{ kind: 'alone' }, null]);
  });
});

describe('counts that cannot be', () => {
  it('are found wherever a provider reports them', () => {
    const raw = { input_tokens: 5, cached: -1, details: { audio: 0, reasoning: -20 }, note: 'none', list: [] };
    assert.deepEqual(impossibleFigures(raw), [
      { name: 'cached', value: -1 },
      { name: 'details.reasoning', value: -20 },
    ]);
    assert.deepEqual(impossibleFigures(null), []);
  });
});
