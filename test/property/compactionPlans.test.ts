import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type SentMessage, toolCallsOf } from '../../src/engine/chat/message/message.js';
import { emergencyTruncation } from '../../src/engine/compaction/emergency.js';
import { type History, historyOf, historyTokens } from '../../src/engine/compaction/history.js';
import { messageCountPolicy, rollingWindowPolicy } from '../../src/engine/compaction/policies/policies.js';
import { NO_PLAN, type Plan, gain } from '../../src/engine/compaction/plan.js';
import type { CompactionSettings } from '../../src/engine/compaction/settings.js';
import { MOST_TOPIC_CHARACTERS, formatHistory } from '../../src/engine/compaction/policies/topic.js';
import { parseTopic, topicBoundaryPolicy } from '../../src/engine/compaction/policies/topicBoundaryPolicy.js';
import { isDue, triggerTokens } from '../../src/engine/compaction/policies/triggers.js';
import { depth } from '../support/depth.mjs';
import { anyTranscript } from '../support/engine/randomTranscript.js';
import { forAll, inRuns } from '../support/forAll.js';

const RUNS = depth({ short: 1_000, deep: 5_000 });
const size = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 20_000 }));

/** Several random conversations in a row, long enough for each policy. */
const anyMessages: fc.Arbitrary<SentMessage[]> = fc
  .array(anyTranscript, { maxLength: 12 })
  .map((pieces) => pieces.flatMap((messages, n) => messages.map((message) => ({ ...message, id: `${String(n)}-${message.id}` }))));

interface Drawn {
  readonly history: History;
  readonly pinned: ReadonlySet<string>;
}

const anyHistory: fc.Arbitrary<Drawn> = anyMessages.chain((messages) =>
  fc
    .record({
      sizes: fc.array(size, { minLength: messages.length, maxLength: messages.length }),
      pinned: fc.oneof(fc.constant([]), fc.subarray(messages.map(({ id }) => id))),
    })
    .map(({ sizes, pinned: ids }) => {
      const pinned = new Set(ids);
      return {
        pinned,
        history: historyOf(
          messages.map((message, n) => ({ message, tokens: sizes[n] ?? 0 })),
          pinned,
        ),
      };
    }),
);

const anySettings = fc.record({
  policy: fc.constantFrom<CompactionSettings['policy']>('topic-boundary', 'rolling-window', 'message-count', 'manual'),
  triggerPercent: fc.integer({ min: 1, max: 100 }),
  triggerTokens: fc.option(fc.integer({ min: 1, max: 100_000 })),
  mostSummaryTokens: fc.constantFrom(500, 4_000),
  verbatimTokens: fc.integer({ min: 0, max: 60_000 }),
  recentMessages: fc.integer({ min: 1, max: 12 }),
  leastRecentMessages: fc.integer({ min: 1, max: 12 }),
  leastExchanges: fc.integer({ min: 1, max: 4 }),
});

/** A boundary `fromEnd` messages before the end. None at 0. */
const anyChoice = fc.record({ fromEnd: fc.nat({ max: 20 }), confidence: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100) });

type Choice = typeof anyChoice extends fc.Arbitrary<infer T> ? T : never;

function byTopic(history: History, settings: CompactionSettings, { fromEnd, confidence }: Choice): Plan {
  return topicBoundaryPolicy(history, settings, {
    messageId: history.messages[history.messages.length - fromEnd]?.message.id ?? null,
    confidence,
  });
}

function ladder(history: History, settings: CompactionSettings): readonly Plan[] {
  const plans: Plan[] = [];
  for (
    let plan = rollingWindowPolicy(history, settings, NO_PLAN);
    plan.case !== 'none';
    plan = rollingWindowPolicy(history, settings, plan)
  ) {
    plans.push(plan);
    assert.ok(plans.length <= 14, 'the ladder ends');
  }
  return plans;
}

function cutOf({ messages }: History, plan: Plan): number {
  return plan.case === 'none' ? 0 : messages.findIndex(({ message }) => message.id === plan.to) + 1;
}

function usersFrom({ messages }: History, cut: number): number {
  return messages.slice(cut).filter(({ message }) => message.role === 'user').length;
}

function assertWholePairs({ messages }: History, cut: number): void {
  const open = new Set<string>();
  for (const [place, { message }] of messages.entries()) {
    if (message.role !== 'tool-results') {
      open.clear();
      for (const { id } of message.role === 'assistant' && place < cut ? toolCallsOf(message) : []) {
        open.add(id);
      }
    } else if (place >= cut) {
      assert.ok(!message.parts.some(({ callId }) => open.has(callId)), 'a result is cut off from its call');
    }
  }
}

/** Checks what stays in the request: pinned messages, and the results of their calls. */
function assertFrees({ messages }: History, pinned: ReadonlySet<string>, plan: Plan, cut: number): void {
  if (plan.case === 'none') {
    return;
  }
  const gone = messages.slice(0, cut).filter(({ message }, place) => {
    const before = messages[place - 1]?.message;
    const isKeptResult = message.role === 'tool-results' && before !== undefined && pinned.has(before.id);
    return !pinned.has(message.id) && !isKeptResult;
  });
  const freed = gone.reduce((sum, { tokens }) => sum + tokens, 0);
  assert.ok(freed >= plan.tokens && gone.length >= plan.messages && plan.messages > 0);
  if (pinned.size === 0) {
    assert.deepEqual([plan.tokens, plan.messages], [freed, cut]);
  }
}

describe('any plan of a compaction', () => {
  it('tears no tool call from its results, leaves the last exchange, and frees at least what it says', () => {
    const seen = new Map<string, number>();
    inRuns(RUNS).forAll(anyHistory, anySettings, anyChoice, size, ({ history, pinned }, settings, choice, trigger) => {
      const plans: Readonly<Record<string, readonly Plan[]>> = {
        topic: [byTopic(history, settings, choice)],
        count: [messageCountPolicy(history, settings)],
        window: ladder(history, settings),
        emergency: [emergencyTruncation(history, trigger)],
      };
      for (const [name, made] of Object.entries(plans)) {
        for (const plan of made) {
          const cut = cutOf(history, plan);
          assertWholePairs(history, cut);
          assertFrees(history, pinned, plan, cut);
          assert.ok(plan.case === 'none' || usersFrom(history, cut) >= 1);
          seen.set(`${name} ${plan.case}`, (seen.get(`${name} ${plan.case}`) ?? 0) + 1);
        }
      }
    });
    for (const kind of ['topic truncate', 'topic summarize', 'count summarize', 'window summarize', 'emergency truncate']) {
      assert.ok((seen.get(kind) ?? 0) > RUNS / 20, `${kind}: ${String(seen.get(kind))}`);
    }
  });

  it('by topic or by message count leaves the least number of exchanges', () => {
    inRuns(depth({ short: 150, deep: 2_500 })).forAll(anyHistory, anySettings, anyChoice, ({ history }, settings, choice) => {
      for (const plan of [byTopic(history, settings, choice), messageCountPolicy(history, settings)]) {
        assert.ok(plan.case === 'none' || usersFrom(history, cutOf(history, plan)) >= settings.leastExchanges);
      }
    });
  });

  it('by topic summarizes nothing of the verbatim window', () => {
    inRuns(depth({ short: 150, deep: 2_500 })).forAll(anyHistory, anySettings, anyChoice, ({ history }, settings, choice) => {
      const plan = byTopic(history, settings, choice);
      // With the last replaced message, the rest would exceed the window.
      const rest = history.messages.slice(Math.max(0, cutOf(history, plan) - 1)).reduce((sum, { tokens }) => sum + tokens, 0);
      assert.ok(plan.case !== 'summarize' || rest > settings.verbatimTokens);
    });
  });

  it('by rolling window leaves fewer tokens on each rung, and never cuts earlier', () => {
    inRuns(depth({ short: 150, deep: 2_500 })).forAll(anyHistory, anySettings, ({ history }, settings) => {
      const plans = ladder(history, settings);
      for (const [rung, plan] of plans.entries()) {
        const before = plans[rung - 1] ?? NO_PLAN;
        assert.ok(gain(plan) > gain(before));
        assert.ok(cutOf(history, plan) >= cutOf(history, before));
      }
    });
  });

  it('in an emergency brings the conversation to its trigger, or down to the last exchange and what is pinned', () => {
    inRuns(depth({ short: 150, deep: 2_500 })).forAll(anyHistory, size, ({ history }, trigger) => {
      const plan = emergencyTruncation(history, trigger);
      const left = historyTokens(history) - (plan.case === 'none' ? 0 : plan.tokens);
      const most = historyTokens(history) - (history.freedBefore[history.turns.at(-1) ?? 0] ?? 0);
      assert.ok(left <= 2 * trigger || left <= most);
    });
  });
});

describe('the trigger', () => {
  it('agrees with the rule in whole numbers', () => {
    const tokens = fc.integer({ min: 0, max: 2_000_000 });
    const anyLoad = fc.record({ budget: tokens, fixedTokens: tokens, historyTokens: tokens, messages: fc.integer({ min: 0, max: 200 }) });
    inRuns(depth({ short: 400, deep: 10_000 })).forAll(
      anySettings,
      anyLoad,
      fc.integer({ min: -1, max: 1 }),
      fc.boolean(),
      (settings, drawn, off, isNear) => {
        // Half of the time right at the limit.
        const near = Math.max(0, triggerTokens(settings, drawn) + off);
        const load = isNear ? { ...drawn, historyTokens: near } : drawn;
        const { historyTokens: history, budget, fixedTokens: fixed, messages } = load;
        const isEarly = settings.triggerTokens !== null && history > settings.triggerTokens;
        const isOverShare = BigInt(history) * 100n > BigInt(Math.max(0, budget - fixed)) * BigInt(settings.triggerPercent);
        const rules = {
          'topic-boundary': history > 0 && (isEarly || isOverShare),
          'rolling-window': history > 0 && (isEarly || fixed + history > budget),
          'message-count': messages >= 81,
          manual: false,
        };
        assert.equal(isDue(settings, load), rules[settings.policy]);
      },
    );
  });
});

describe('any answer about topics', () => {
  it('gives an index of a formatted message or none, and a confidence from 0 to 1', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '"boundary_index": ',
      '"confidence": ',
      '"summary": "',
      '3',
      '-1',
      '0.9',
      '7',
      'null',
      ', ',
      '```',
      '\\',
    );
    inRuns(depth({ short: 400, deep: 10_000 })).forAll(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      anyMessages,
      (answer, messages) => {
        const { messages: formatted } = formatHistory(
          { messages: messages.map((message) => ({ message, tokens: 1 })) },
          MOST_TOPIC_CHARACTERS,
        );
        const { index, confidence } = parseTopic(answer, formatted.length);
        assert.ok(index === null || formatted[index] !== undefined);
        assert.ok(confidence >= 0 && confidence <= 1);
      },
    );
  });
});

describe('the sums of a history', () => {
  it('are those of its messages, one by one', () => {
    forAll(anyHistory, ({ history }) => {
      for (const [place, before] of history.tokensBefore.entries()) {
        const sum = history.messages.slice(0, place).reduce((all, { tokens }) => all + tokens, 0);
        assert.equal(before, sum);
      }
      assert.equal(history.turns.length, usersFrom(history, 0));
    });
  });
});
