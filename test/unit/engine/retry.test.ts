import assert from 'node:assert/strict';
import type { RetryPlan } from '../../../src/engine/chat/slices/attempts.js';
import { interruptionEvents } from '../../../src/engine/run/interruption.js';
import type { ErrorKind } from '../../../src/engine/failures/entry.js';
import { SHUT_DOWN } from '../../../src/engine/run/input.js';
import { FIRST_WAIT_MS, LONGEST_ASKED_WAIT_MS, MOST_RETRIES } from '../../../src/engine/run/retry.js';
import { column } from '../../support/columns.js';
import { usage } from '../../support/engine/events.js';
import { answers, calls, END, RunRig, says, thinks, type Cue } from '../../support/engine/runRig.js';
import { failureOf } from '../../support/failures.js';

function fails(kind: ErrorKind): Cue {
  return { type: 'fail', error: failureOf(kind, 'Busy.', { cause: new Error('503') }) };
}

function asksToWait(ms: number): Cue {
  return { type: 'fail', error: failureOf('rateLimit', 'Too many requests.', { retryAfterMs: ms }) };
}

function times(count: number, ...cues: Cue[]): Cue[][] {
  return Array.from({ length: count }, () => cues);
}

function waits({ moments }: RunRig): number[] {
  return moments.flatMap((moment) => (moment.startsWith('wait ') ? [Number(moment.slice('wait '.length))] : []));
}

function plans(rig: RunRig): (RetryPlan | null)[] {
  return rig.ends.map(({ retry }) => retry);
}

function streams({ moments }: RunRig): number {
  return moments.filter((moment) => moment === 'stream').length;
}

describe('a request that fails before anything of its reply has come', () => {
  it('is prepared and made again, as an attempt of its own, and the message is logged once', async () => {
    const rig = await new RunRig([fails('overloaded')], [says('Yes'), END]).go();
    assert.deepEqual(
      rig.moments.filter((moment) => !/^(cue|shown|wait)/.test(moment)),
      [
        'durable: message run-started',
        'prepare',
        'durable: attempt-started',
        'stream',
        'written: attempt-ended',
        'prepare',
        'durable: attempt-started',
        'stream',
        'written: "Yes"',
        'durable: attempt-ended message run-committed',
      ],
    );
    const [first, second] = rig.ends;
    assert.notEqual(first?.attemptId, second?.attemptId);
    assert.deepEqual([first?.outcome, first?.error?.kind, second?.outcome, second?.retry], ['failed', 'overloaded', 'complete', null]);
    assert.deepEqual(column(rig.said, 'role'), ['assistant']);
    assert.deepEqual(rig.live.state.attempts.get(first!.attemptId)?.end?.retry, first?.retry);
  });

  for (const kind of ['rateLimit', 'overloaded', 'network'] as const) {
    it(`is made again for ${kind}`, async () => {
      assert.equal(streams(await new RunRig([fails(kind)], [END]).go()), 2);
    });
  }

  for (const kind of ['auth', 'protocol', 'contextOverflow', 'modelGone', 'refused', 'internal'] as const) {
    it(`is not made again for ${kind}: it would fail again`, async () => {
      const rig = await new RunRig([fails(kind)], [END]).go();
      assert.deepEqual([streams(rig), plans(rig)], [1, [null]]);
      assert.equal(rig.moments.at(-1), 'durable: attempt-ended run-rolled-back');
    });
  }

  for (const [what, cues, text] of [
    ['its connection broke when it may have been there', [fails('incomplete')], 'Busy.'],
    ['it went silent', [fails('timeout')], 'Busy.'],
    ['its answer had begun', [{ type: 'head', status: 200 }, fails('overloaded')], 'Busy.'],
    ['its answer was over without a word', [], 'The reply broke off: the connection closed too early.'],
  ] as const) {
    it(`is not made again when ${what}: it may have been billed, and that is said`, async () => {
      const rig = await new RunRig([...cues], [END]).go();
      assert.deepEqual([streams(rig), plans(rig)], [1, [null]]);
      assert.equal(rig.live.state.runs.get('r')?.error?.message, `${text} The request may have been billed, so Loupe did not repeat it.`);
    });
  }

  it('is made again when its answer turned it down', async () => {
    assert.equal(streams(await new RunRig([{ type: 'head', status: 503 }, fails('overloaded')], [END]).go()), 2);
  });

  it('is given up after the last repeat, and the run ends with the last failure', async () => {
    const rig = await new RunRig(...times(MOST_RETRIES + 5, fails('network'))).go();
    assert.equal(streams(rig), MOST_RETRIES + 1);
    const numbers = plans(rig).map((plan) => plan?.number ?? null);
    assert.deepEqual(numbers, [1, 2, 3, 4, null]);
    assert.ok(plans(rig).every((plan) => plan === null || plan.most === MOST_RETRIES));
    assert.equal(rig.moments.at(-1), 'durable: attempt-ended run-rolled-back');
    assert.deepEqual(rig.live.state.runs.get('r')?.error, rig.ends.at(-1)?.error);
    assert.deepEqual(rig.said, []);
  });

  it('is made again after waits that double, each cut at random by at most a half', async () => {
    const rig = await new RunRig(...times(MOST_RETRIES + 1, fails('network'))).go();
    for (const [index, wait] of waits(rig).entries()) {
      const longest = FIRST_WAIT_MS * 2 ** index;
      assert.ok(wait > longest / 2 && wait <= longest, `${wait} for ${longest}`);
    }
    assert.equal(waits(rig).length, MOST_RETRIES);
  });

  it('draws the cut from the source of randomness', async () => {
    const whole = new RunRig([fails('network')], [END]);
    whole.random = { hex: (count) => '0'.repeat(count) };
    const half = new RunRig([fails('network')], [END]);
    half.random = { hex: (count) => '8'.padEnd(count, '0') };
    assert.deepEqual([waits(await whole.go()), waits(await half.go())], [[1_000], [750]]);
  });

  it('says when it is made again, and is not made earlier', async () => {
    const rig = new RunRig([asksToWait(5_000)], [END]);
    const start = rig.clock.now();
    await rig.go();
    assert.deepEqual(plans(rig)[0], { at: start + 5_000, number: 1, most: MOST_RETRIES });
    assert.equal([...rig.live.state.attempts.values()][1]?.startedAt, start + 5_000);
  });

  it('waits as long as the server asks, also when that is longer than it would wait itself, or nothing', async () => {
    const rig = new RunRig([asksToWait(LONGEST_ASKED_WAIT_MS)], [asksToWait(0)], [END]);
    assert.deepEqual(waits(await rig.go()), [LONGEST_ASKED_WAIT_MS, 0]);
    assert.equal(rig.live.state.runs.get('r')?.status, 'committed');
  });

  it('fails at once when the server asks for too long a wait, and says how long', async () => {
    const words: readonly (readonly [number, string])[] = [
      [LONGEST_ASKED_WAIT_MS + 1, '3 minutes'],
      [30 * 60_000, '30 minutes'],
      [24 * 3_600_000 - 5, '24 hours'],
    ];
    for (const [ms, length] of words) {
      const rig = await new RunRig([asksToWait(ms)], [END]).go();
      assert.deepEqual([streams(rig), plans(rig)], [1, [null]]);
      const message = `Too many requests. The server asks to wait ${length} before the next request.`;
      assert.equal(rig.live.state.runs.get('r')?.error?.message, message);
      assert.equal(rig.ends[0]?.error?.message, message);
    }
  });

  it('does not name a wait where waiting does not help', async () => {
    const error = failureOf('auth', 'No key.', { retryAfterMs: 10 * 60_000 });
    const rig = await new RunRig([{ type: 'fail', error }]).go();
    assert.equal(rig.live.state.runs.get('r')?.error?.message, 'No key.');
  });

  it('ends the run when it cannot be prepared any more', async () => {
    const rig = new RunRig([fails('network')], [END]);
    rig.onMoment = (moment) => {
      rig.prepare = moment.startsWith('wait') ? () => Promise.reject(failureOf('modelGone', 'Gone.')) : rig.prepare;
    };
    await rig.go();
    assert.equal(rig.moments.at(-1), 'durable: run-rolled-back');
    assert.equal(rig.live.state.runs.get('r')?.error?.kind, 'modelGone');
  });

  it('keeps what the provider reported of it, and is not made again: that is billed', async () => {
    const report: Cue = { type: 'usage', usage: usage(9, 0, 0, 0), rawUsage: { in: 9 } };
    const rig = await new RunRig([report, fails('overloaded')], [END]).go();
    assert.deepEqual([rig.ends[0]?.usage, rig.ends[0]?.rawUsage, rig.ends[0]?.retry], [usage(9, 0, 0, 0), { in: 9 }, null]);
  });
});

describe('a partial reply', () => {
  const starts: readonly (readonly [string, Cue[]])[] = [
    ['text', [says('Half a')]],
    ['reasoning', [thinks('Hm')]],
    ['a tool call', calls(0, 'read', '{"pa')],
  ];
  for (const [name, cues] of starts) {
    it(`with ${name} is never made again: it would be paid twice`, async () => {
      for (const end of [[fails('network')], []]) {
        const rig = await new RunRig([...cues, ...end], [END]).go();
        assert.deepEqual([streams(rig), plans(rig)], [1, [null]]);
        assert.equal(rig.live.state.runs.get('r')?.status, 'rolledBack');
      }
    });
  }
});

describe('retries in a run with tools', () => {
  it('are counted anew in each round', async () => {
    const rig = new RunRig(
      ...times(MOST_RETRIES, fails('network')),
      [...calls(0, 'read', '{}'), END],
      ...times(MOST_RETRIES, fails('network')),
      [says('Done'), END],
    );
    rig.tools.set('read', answers('content'));
    await rig.go();
    assert.equal(rig.live.state.runs.get('r')?.status, 'committed');
    const numbers = plans(rig).map((plan) => plan?.number ?? null);
    assert.deepEqual(numbers, [1, 2, 3, 4, null, 1, 2, 3, 4, null]);
    assert.equal(rig.moments.filter((moment) => moment.startsWith('tool read')).length, 1);
  });

  it('that come to nothing leave the complete rounds', async () => {
    const rig = new RunRig([...calls(0, 'read', '{}'), END], ...times(MOST_RETRIES + 1, fails('network')));
    rig.tools.set('read', answers('content'));
    await rig.go();
    assert.equal(rig.live.state.runs.get('r')?.status, 'failed');
    assert.deepEqual(column(rig.said, 'role'), ['assistant', 'tool-results']);
  });
});

describe('the wait before a repeat', () => {
  it('ends at once when the run is stopped, and nothing is sent', async () => {
    const rig = new RunRig([asksToWait(60_000)], [END]);
    const start = rig.clock.now();
    rig.stopAt('wait');
    await rig.go();
    assert.equal(rig.moments.at(-1), 'durable: run-stopped');
    assert.deepEqual([streams(rig), rig.clock.now() - start, rig.clock.sleeping], [1, 0, 0]);
    assert.deepEqual(rig.said, []);
  });

  it('does not begin when the run is stopped while the failure is logged', async () => {
    const rig = new RunRig([asksToWait(60_000)], [END]);
    rig.stopAt('written: attempt-ended');
    await rig.go();
    assert.equal(rig.moments.at(-1), 'durable: run-stopped');
    assert.equal(streams(rig), 1);
  });

  it('ends at once when the host goes down', async () => {
    const rig = new RunRig([fails('network')], [END]);
    rig.abortAt('wait', SHUT_DOWN);
    await rig.go();
    assert.equal(rig.moments.at(-1), 'durable: run-interrupted');
    assert.equal(rig.live.state.runs.get('r')?.status, 'interrupted');
  });

  it('leaves nothing open but the run, for the window that finds a dead one', async () => {
    const rig = new RunRig([fails('network')], [END]);
    let found: unknown = null;
    rig.onMoment = (moment) => {
      found = moment.startsWith('wait') ? interruptionEvents(rig.live.state, 'r', () => 'id') : found;
    };
    await rig.go();
    assert.deepEqual(found, [{ type: 'run-interrupted', runId: 'r' }]);
  });
});
