import assert from 'node:assert/strict';
import fc from 'fast-check';
import { defaultConfig } from '../../src/engine/chat/settings/configValues.js';
import type { RecordedTurn } from '../../src/engine/accounting/turnBand.js';
import { latestRequests, type RecordedRequest } from '../../src/engine/cacheMonitor/recordedRequests.js';
import { joinLessons, lessonOf, NO_LESSON, type Lesson } from '../../src/engine/chat/lesson.js';
import { modelKey } from '../../src/engine/model/modelRef.js';
import type { Request } from '../../src/engine/request/request.js';
import { ModelLearning } from '../../src/engine/next/learned.js';
import type { LearnedChat } from '../../src/engine/next/learnedChat.js';
import { conversationBlock } from '../support/engine/blocks.js';
import { attemptEnded, EMPTY_MANIFEST, errorRecord, usage } from '../support/engine/events.js';
import { OPEN_MODEL } from '../support/engine/models.js';
import { forAll } from '../support/forAll.js';

const KEY = modelKey(OPEN_MODEL.ref);
const NOW = 3_600_000;
const TOKENS = 200;

/** Few different times and blocks, so that requests are sent at one time and share prefixes. */
const time = fc.integer({ min: 0, max: 60 }).map((minute) => minute * 60_000);
const blocks = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 5 });

interface SentRequest {
  readonly at: number;
  readonly blocks: readonly number[];
  readonly read: number;
  readonly overflow: boolean;
}

const request = fc.record({ at: time, blocks, read: fc.integer({ min: 0, max: 5 }), overflow: fc.boolean() });
const chats = fc.array(fc.array(request, { maxLength: 12 }), { minLength: 2, maxLength: 6 });

function recordedRequest(id: string, { at, blocks: sent, read }: SentRequest): RecordedRequest {
  const cached = Math.min(read, sent.length) * TOKENS;
  return {
    ...{ at, endedAt: at + 1_000, chatId: id, attemptId: id, parameters: '', tokens: sent.length * TOKENS },
    blocks: sent.map((hash) => ({ hash: String(hash), tokens: TOKENS })),
    marks: [{ at: sent.length - 1, ttl: '5m' }],
    usage: usage(0, cached, sent.length * TOKENS - cached, 10),
  };
}

function lesson(id: string, { at, blocks: sent, overflow }: SentRequest): Lesson {
  const size = { tokens: 100 * sent.length, counted: 100 * sent.length, basis: 'estimate', error: null } as const;
  const end = overflow
    ? { ...attemptEnded('r', id, 'failed'), at, error: { ...errorRecord('Too long.'), inputLimit: 1_000 * sent.length } }
    : { ...attemptEnded('r', id, 'complete'), at, usage: usage(120 * sent.length, 0, 0, 1) };
  return lessonOf({ id, manifest: { ...EMPTY_MANIFEST, size }, end });
}

function learned(sent: readonly SentRequest[], chat: number): LearnedChat {
  const named = sent.map((each, number) => [`${String(chat)}-${String(number)}`, each] as const);
  const turn = ([
    id,
    {
      at,
      blocks: { length },
      read,
    },
  ]: (typeof named)[number]): RecordedTurn => ({
    ...{ id, at, model: KEY },
    steps: [{ input: length * TOKENS, output: read }],
  });
  return {
    lessons: [[KEY, named.map(([id, each]) => lesson(id, each)).reduce(joinLessons, NO_LESSON)]],
    turns: named.map(turn),
    requests: [[KEY, named.map(([id, each]) => recordedRequest(id, each))]],
  };
}

const STATE = { chatId: 'new', config: defaultConfig(OPEN_MODEL.ref), attempts: new Map(), runs: new Map() };

/** What Loupe expects of a request with these blocks, and what it knows of the model. */
function expected(learning: ModelLearning, sent: readonly number[]): unknown {
  const block = (hash: number, at: number) => ({
    ...conversationBlock(String(at), 'user', { type: 'text', text: '' }, at === sent.length - 1 ? '5m' : null),
    hash: String(hash),
    tokens: TOKENS,
  });
  const prompt = { tools: [], system: [], messages: [{ role: 'user' as const, blocks: sent.map(block) }] };
  const size = { tokens: sent.length * TOKENS, counted: sent.length * TOKENS, basis: 'estimate', error: null } as const;
  const next: Pick<Request, 'prompt' | 'size' | 'model'> = { model: OPEN_MODEL, prompt, size };
  const forecast = learning.caches.forecast(next, STATE, NOW);
  return {
    forecast,
    band: learning.turns.of(next, forecast, STATE),
    observed: learning.caches.observations(OPEN_MODEL.ref)?.findings,
    calibration: learning.calibration(OPEN_MODEL.ref),
    limit: learning.inputLimit(OPEN_MODEL.ref),
  };
}

const start = (): ModelLearning => new ModelLearning({ now: () => NOW });

describe('what closed chats teach', () => {
  it('is the same in any order, with forecasts meanwhile, and with chats that are read twice', () => {
    forAll(chats, blocks, fc.infiniteStream(fc.nat()), (sent, next, random) => {
      const all = sent.map(learned);
      const [atOnce, anyOrder] = [start(), start()];
      all.forEach(atOnce.remember.bind(atOnce));
      const [numbers] = [random[Symbol.iterator]()];
      const shuffled = [...all, ...all].map((chat) => [numbers.next().value as number, chat] as const).toSorted(([a], [b]) => a - b);
      for (const [, chat] of shuffled) {
        anyOrder.remember(chat);
        expected(anyOrder, next);
      }
      assert.deepEqual(expected(anyOrder, next), expected(atOnce, next));
    });
  });

  it('is of the latest requests when there are many, in any order of the chats', () => {
    const many = Array.from({ length: 600 }, (_, at) => recordedRequest(`r${String(at)}`, { at, blocks: [0], read: 0, overflow: false }));
    const large = many.map((each) => ({ ...each, blocks: Array.from({ length: 1_000 }, () => ({ hash: 'h', tokens: 1 })) }));
    for (const [requests, kept] of [
      [many, 400],
      [large, 50],
    ] as const) {
      const chats = [requests.slice(0, 200), requests.slice(150, 450), requests.slice(400)];
      const latest = requests.slice(-kept);
      assert.deepEqual(chats.reduce(latestRequests, []), latest);
      assert.deepEqual(chats.toReversed().reduce(latestRequests, []), latest);
    }
  });
});
