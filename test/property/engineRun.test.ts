import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { NewEvent } from '../../src/engine/chat/slices/table.js';
import { canContinue } from '../../src/engine/chat/branch.js';
import { transcript } from '../../src/engine/chat/transcript.js';
import type { ErrorKind } from '../../src/engine/failures/entry.js';
import { BlockFactory } from '../../src/engine/request/blockFactory.js';
import { SHUT_DOWN, STOP } from '../../src/engine/run/input.js';
import { STEPS_UNASKED } from '../../src/engine/run/run.js';
import { column } from '../support/columns.js';
import { depth } from '../support/depth.mjs';
import { folded, plainState, usage } from '../support/engine/events.js';
import { STRICT_MODEL } from '../support/engine/models.js';
import { characters, sha256 } from '../support/engine/ports.js';
import { PLAIN, requestOf } from '../support/engine/requests.js';
import { answers, calls, END, RunRig, says, thinks, type Cue } from '../support/engine/runRig.js';
import { UNASKED } from '../support/engine/toolExecutor.js';
import { wireFaults } from '../support/engine/wireRules.js';
import { failureOf } from '../support/failures.js';
import { inRuns } from '../support/forAll.js';

const chunk = fc.string({ minLength: 1, maxLength: 5 });

const prose: fc.Arbitrary<Cue> = fc.oneof(
  chunk.map(says),
  chunk.map(thinks),
  fc.constant<Cue>({ type: 'reasoningSigned', index: 1, opaque: 'signed' }),
  fc.integer({ min: 1, max: 300 }).map((ms): Cue => ({ type: 'pass', ms })),
);

/** Tools that answer, fail or do not exist, with complete or cut arguments. */
const toolCalls = fc
  .array(fc.record({ name: fc.constantFrom('read', 'break', 'dump', 'fly'), rawArgs: fc.constantFrom('{}', '{"a":1}', '', '{"a"') }), {
    maxLength: 2,
  })
  .map((made) => made.flatMap(({ name, rawArgs }, index) => calls(index + 2, name, rawArgs)));

const ending: fc.Arbitrary<Cue[]> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Cue[]>([END]) },
  { weight: 1, arbitrary: fc.constant<Cue[]>([]) },
  { weight: 1, arbitrary: fc.constantFrom(null, 0, 3_000, 600_000).map((ms): Cue[] => [fails('overloaded', ms)]) },
  { weight: 1, arbitrary: fc.constant<Cue[]>([fails('auth', null)]) },
);

function fails(kind: ErrorKind, retryAfterMs: number | null): Cue {
  return { type: 'fail', error: failureOf(kind, 'Busy.', { retryAfterMs }) };
}

/** Failures before any part of a reply. The request is repeated. */
const refusal = fc.oneof(
  ending,
  ending.map((cues): Cue[] => [reported(3), ...cues]),
);

function reported(fresh: number): Cue {
  return { type: 'usage', usage: usage(fresh, 0, 0, 1), rawUsage: { fresh } };
}

const reply = fc.oneof({ weight: 3, arbitrary: fullReply() }, { weight: 1, arbitrary: refusal });

function fullReply(): fc.Arbitrary<Cue[]> {
  return fc.tuple(fc.array(prose, { maxLength: 5 }), toolCalls, ending).map((parts) => parts.flat());
}

/** The model's replies. After the last one it replies without content. */
const script = fc.array(reply, { minLength: 1, maxLength: 6 });

function rigOf(replies: readonly Cue[][]): RunRig {
  const rig = new RunRig(...replies, [END], [END], [END]);
  rig.tools
    .set('read', answers('content'))
    .set('dump', answers('a line\n'.repeat(3_000)))
    .set('break', () => Promise.reject(new Error('Broken.')));
  return rig;
}

function endings(drafts: readonly NewEvent[]): NewEvent[] {
  return drafts.filter(({ type }) => type.startsWith('run-') && !['run-started', 'run-asked'].includes(type));
}

function assertSound(rig: RunRig): void {
  assert.equal(endings(rig.drafts).length, 1);
  assert.equal(rig.drafts.at(-1), endings(rig.drafts)[0]);
  assert.match(rig.moments.findLast((moment) => /^(shown|written|durable)/.test(moment)) ?? '', /^durable: /);
  const started = rig.drafts.filter(({ type }) => type === 'attempt-started').length;
  assert.equal(rig.ends.length, started);
  assert.equal(rig.clock.sleeping, 0);
  assertRetries(rig);
  const { messages } = transcript(rig.live.state);
  const input = { ...PLAIN, model: STRICT_MODEL, messages, resultTexts: rig.resultTexts };
  assert.deepEqual(wireFaults(requestOf(input, new BlockFactory(characters, sha256)), messages, input), []);
}

/** A request is repeated only when no part of its reply had arrived, within the limit, and after an announcement. */
function assertRetries(rig: RunRig): void {
  let repeats = 0;
  for (const [index, ended] of rig.ends.entries()) {
    const next = rig.ends[index + 1];
    if (ended.retry === null) {
      assert.ok(next === undefined || ended.outcome === 'complete');
      repeats = 0;
    } else {
      repeats += 1;
      assert.deepEqual([ended.outcome, ended.error?.retryable, ended.retry.number], ['failed', true, repeats]);
      assert.ok(repeats <= ended.retry.most);
      assert.deepEqual(rig.live.state.attempts.get(ended.attemptId)?.reply, []);
      const startedAt = next === undefined ? Infinity : (rig.live.state.attempts.get(next.attemptId)?.startedAt ?? 0);
      assert.ok(startedAt >= ended.retry.at);
    }
  }
}

/** Logged calls without a logged result, except those of the interrupted last reply. */
function openCalls(rig: RunRig): string[] {
  const open = new Set<string>();
  for (const message of rig.said) {
    for (const part of 'parts' in message ? message.parts : []) {
      if (part.type === 'toolCall') {
        open.add(part.id);
      } else if (part.type === 'toolResult') {
        open.delete(part.callId);
      }
    }
  }
  return [...open];
}

function shownText(rig: RunRig): string[] {
  const reply = [...rig.live.state.attempts.values()].at(-1)?.reply ?? [];
  return reply.flatMap((part) => (part !== undefined && 'text' in part ? [part.text] : []));
}

describe('any run', () => {
  it('ends once, on the disk, and leaves a conversation that can go on', async () => {
    await inRuns(depth({ short: 60, deep: 1_500 })).forAllAsync(script, async (replies) => {
      assertSound(await rigOf(replies).go());
    });
  });

  it('comes to its end, whatever the model calls without end', async () => {
    const rounds = fc.array(
      toolCalls.filter((made) => made.length > 0),
      { minLength: STEPS_UNASKED + 1, maxLength: STEPS_UNASKED + 3 },
    );
    await inRuns(depth({ short: 30, deep: 500 })).forAllAsync(rounds, async (made) => {
      const rig = rigOf(made.map((cues) => [...cues, END]));
      rig.control = { ...UNASKED, continueDecision: () => Promise.resolve(false) };
      await rig.go();
      assertSound(rig);
      assert.ok(rig.ends.length <= STEPS_UNASKED);
      const [end] = endings(rig.drafts);
      const isAnswered = rig.said.at(-1)?.role === 'assistant';
      const isAsked = rig.live.state.runs.get('r')?.question?.goesOn === null;
      assert.equal(end?.type, isAnswered ? 'run-committed' : isAsked ? 'run-stopped' : 'run-failed');
      assert.equal(canContinue(rig.live.state.runs.get('r')!), end.type !== 'run-committed');
      assert.ok(transcript(rig.live.state).messages.length === 1 + rig.said.length);
    });
  });

  it('is live what its log says, at each step', async () => {
    await inRuns(depth({ short: 60, deep: 1_500 })).forAllAsync(script, async (replies) => {
      const rig = rigOf(replies);
      rig.onLogged = () => {
        assert.deepEqual(plainState(rig.live.state), { ...(plainState(folded(rig.log)) as object), createdAt: 0 });
      };
      await rig.go();
    });
  });

  it('stopped at any moment ends once, shows nothing later, and keeps what had come', async () => {
    await inRuns(depth({ short: 15, deep: 250 })).forAllAsync(script, fc.constantFrom(STOP, SHUT_DOWN), async (replies, reason) => {
      const whole = await rigOf(replies).go();
      for (let at = 0; at < whole.moments.length; at += 1) {
        const rig = rigOf(replies);
        rig.onMoment = (_name, index) => {
          if (index === at) {
            rig.abort.abort(reason);
          }
        };
        await rig.go();
        assertSound(rig);
        assertStopped(rig, whole, at);
      }
    });
  });
});

function assertStopped(rig: RunRig, whole: RunRig, at: number): void {
  const [end] = endings(rig.drafts);
  assert.ok(rig.moments.slice(at + 1).every((moment) => !/^(shown|prepare|stream|tool )/.test(moment)));
  const expected = rig.abort.signal.reason === STOP ? 'run-stopped' : 'run-interrupted';
  if (end?.type !== expected) {
    // It had ended or failed before the stop: it ends the same way.
    assert.deepEqual(column(endings(rig.drafts), 'type'), column(endings(whole.drafts), 'type'));
    return;
  }
  if (end.type === 'run-stopped') {
    assert.deepEqual(openCalls(rig), []);
    const last = rig.said.findLast((message) => message.role === 'assistant');
    const kept = last?.parts.flatMap((part) => ('text' in part ? [part.text] : [])) ?? [];
    assert.ok(shownText(rig).length === 0 || kept.join('|') === shownText(rig).join('|'));
  }
}
