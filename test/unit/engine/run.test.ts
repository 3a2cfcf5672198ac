import assert from 'node:assert/strict';
import { SHUT_DOWN, STOP } from '../../../src/engine/run/input.js';
import type { StreamPart } from '../../../src/engine/model/model.js';
import { column } from '../../support/columns.js';
import { usage } from '../../support/engine/events.js';
import { settled } from '../../support/engine/ports.js';
import { answers, calls, END, ESTIMATED_USAGE, RunRig, says, STUCK, thinks, type Cue } from '../../support/engine/runRig.js';
import { failureOf } from '../../support/failures.js';

const broken = failureOf('auth', 'The key is not valid.', { cause: new Error('ECONNRESET') });
const fails: Cue = { type: 'fail', error: broken };

/** The results of the last tool round, as `id: text`. Synthetic ones have a star. */
function resultsOf(rig: RunRig): string[] {
  const last = rig.said.findLast((message) => message.role === 'tool-results');
  assert.ok(last?.role === 'tool-results');
  return last.parts.map(({ callId, content, synthetic, isError }) => {
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    return `${callId}${synthetic ? '*' : ''}${isError ? '!' : ''}: ${text}`;
  });
}

function afterTool(...reply: Cue[]): RunRig {
  const rig = new RunRig([...calls(0, 'read', '{}'), END], reply);
  rig.tools.set('read', answers('content'));
  return rig;
}

function sinceTool({ moments }: RunRig): string[] {
  return moments.slice(moments.indexOf('prepare', moments.indexOf('prepare') + 1));
}

describe('a run that succeeds', () => {
  it('logs the message on the disk before anything is prepared or sent, and commits on the disk', async () => {
    const { moments } = await new RunRig([says('Hel'), says('lo'), END]).go();
    assert.deepEqual(
      moments.filter((moment) => !moment.startsWith('cue')),
      [
        'durable: message run-started',
        'prepare',
        'durable: attempt-started',
        'stream',
        'shown: "Hel"',
        'shown: "lo"',
        'written: "Hello"',
        'durable: attempt-ended message run-committed',
      ],
    );
  });

  it('does not log the message of a retry again', async () => {
    for (const cause of ['retry', 'continue'] as const) {
      const rig = new RunRig([says('Yes'), END]);
      rig.cause = cause;
      await rig.go();
      assert.equal(rig.moments[0], 'durable: run-started');
      assert.equal(rig.live.state.runs.get('r')?.cause, cause);
    }
  });

  it('keeps the reply with the request behind it', async () => {
    const rig = await new RunRig([says('Yes'), END]).go();
    const [message] = rig.said;
    assert.ok(message?.role === 'assistant');
    assert.equal(message.attemptId, rig.ends[0]?.attemptId);
    assert.deepEqual([message.cacheControlIndex, message.stopped, message.parts], [7, false, [{ type: 'text', text: 'Yes' }]]);
  });

  it('keeps what the attempt used, and its price', async () => {
    const used = usage(1_000_000, 0, 0, 1_000_000);
    const end: Cue = { type: 'end', stopReason: 'length', usage: used, rawUsage: { in: 1 }, responseId: 'resp' };
    const [ended] = (await new RunRig([says('Yes'), end]).go()).ends;
    const { outcome, usage: kept, rawUsage, cost, responseId, stopReason, error } = ended!;
    assert.deepEqual(
      { outcome, kept, rawUsage, cost, responseId, stopReason, error },
      {
        outcome: 'complete',
        kept: used,
        rawUsage: { in: 1 },
        cost: { usd: 18, atLeast: false },
        responseId: 'resp',
        stopReason: 'length',
        error: null,
      },
    );
  });

  it('commits a reply without any content', async () => {
    const rig = await new RunRig([END]).go();
    assert.equal(rig.moments.at(-1), 'durable: attempt-ended message run-committed');
  });

  it('looks at nothing after the end of the stream', async () => {
    const rig = await new RunRig([says('Yes'), END, says(' and no')]).go();
    assert.ok(!rig.moments.join().includes('and no'));
  });
});

describe('a run with tools', () => {
  it('logs each call before it starts and each result before the next request', async () => {
    const { moments } = await afterTool(says('Done'), END).go();
    assert.deepEqual(moments.filter((moment) => !moment.startsWith('cue') && !moment.startsWith('shown')).slice(4), [
      'written: toolCall "{}"',
      'written: attempt-ended message',
      'durable: tool-started',
      'tool read {}',
      'written: tool-ended',
      'written: message',
      'prepare',
      'durable: attempt-started',
      'stream',
      'written: "Done"',
      'durable: attempt-ended message run-committed',
    ]);
  });

  it('calls a tool with its arguments and keeps its result', async () => {
    const rig = new RunRig([...calls(0, 'read', '{"path":"a"}'), END], [END]);
    rig.tools.set('read', answers('content'));
    await rig.go();
    assert.ok(rig.moments.includes('tool read {"path":"a"}'));
    assert.deepEqual(resultsOf(rig), ['call-0: content']);
  });

  it('calls no tool without arguments when something cut the reply: they may not have come', async () => {
    for (const stopReason of ['length', 'refused', 'other'] as const) {
      const cut: Cue = { type: 'end', stopReason, usage: null, rawUsage: null, responseId: null };
      const rig = new RunRig([...calls(0, 'clean', ''), cut], [END]);
      rig.tools.set('clean', answers('done'));
      await rig.go();
      assert.ok(!rig.moments.some((moment) => moment.startsWith('tool clean')), stopReason);
    }
  });

  it('calls several tools side by side, and keeps the order of their results', async () => {
    const rig = new RunRig([...calls(0, 'read', '{}'), ...calls(1, 'list', ''), END], [END]);
    rig.tools.set('read', answers('content')).set('list', answers('names'));
    await rig.go();
    const order = rig.moments.filter((moment) => /tool (read|list)|tool-/.test(moment));
    const started = (name: string): string[] => ['durable: tool-started', `tool ${name} {}`];
    assert.deepEqual(order, [...started('read'), ...started('list'), 'written: tool-ended', 'written: tool-ended']);
    assert.deepEqual(resultsOf(rig), ['call-0: content', 'call-1: names']);
  });

  it('does not run a tool that there is not, and says so to the model', async () => {
    const rig = await new RunRig([...calls(0, 'fly', '{}'), END], [END]).go();
    assert.deepEqual(resultsOf(rig), ['call-0!: The tool did not run: there is no tool named fly.']);
    assert.ok(!rig.moments.join().includes('tool-started'));
    assert.equal(rig.live.state.runs.get('r')?.status, 'committed');
  });

  it('does not run a tool whose arguments are no object, and shows them to the model', async () => {
    const deep = `{"path":${'['.repeat(1_000)}${']'.repeat(1_000)}}`;
    for (const rawArgs of ['{"path":}', '[1]', 'null', deep]) {
      const rig = new RunRig([...calls(0, 'read', rawArgs), END], [END]);
      rig.tools.set('read', answers('content'));
      await rig.go();
      assert.deepEqual(resultsOf(rig), [
        `call-0!: The tool did not run: its arguments are not a JSON object with at most 500 levels. They were: ${rawArgs}`,
      ]);
      assert.ok(!rig.moments.join().includes('tool-started'));
    }
  });

  it('goes on when a tool fails', async () => {
    const rig = new RunRig([...calls(0, 'read', '{}'), END], [says('Sorry'), END]);
    rig.tools.set('read', () => Promise.reject(failureOf('toolFailed', 'The server is gone.')));
    await rig.go();
    assert.deepEqual(resultsOf(rig), ['call-0!: The tool failed: The server is gone.']);
    assert.equal(rig.live.state.runs.get('r')?.status, 'committed');
  });
});

describe('a run that fails', () => {
  it('is rolled back when no request can be made, and calls nobody', async () => {
    const rig = new RunRig([says('Yes'), END]);
    rig.prepare = () => Promise.reject(failureOf('contextOverflow', 'Too long.'));
    await rig.go();
    assert.deepEqual(rig.moments, ['durable: message run-started', 'prepare', 'durable: run-rolled-back']);
    assert.equal(rig.live.state.runs.get('r')?.error?.kind, 'contextOverflow');
  });

  it('says so when the reason is a defect of ours', async () => {
    const rig = new RunRig([]);
    rig.prepare = () => Promise.reject(new TypeError('x is undefined'));
    await rig.go();
    assert.equal(rig.live.state.runs.get('r')?.error?.kind, 'internal');
  });

  it('is rolled back when the stream breaks before any tool ran, and keeps what had come', async () => {
    const rig = await new RunRig([says('Half a'), fails]).go();
    assert.deepEqual(rig.moments.slice(-2), ['written: "Half a"', 'durable: attempt-ended run-rolled-back']);
    assert.deepEqual(rig.said, []);
    const [ended] = rig.ends;
    assert.deepEqual([ended?.outcome, ended?.error?.kind, ended?.error?.detail], ['failed', 'auth', 'Error: ECONNRESET']);
    assert.deepEqual(rig.live.state.runs.get('r')?.error, ended?.error);
  });

  it('is incomplete when the stream is over without its end', async () => {
    const rig = await new RunRig([says('Half a')]).go();
    assert.equal(rig.moments.at(-1), 'durable: attempt-ended run-rolled-back');
    const [ended] = rig.ends;
    assert.deepEqual([ended?.outcome, ended?.stopReason, ended?.retry], ['failed', null, null]);
    assert.deepEqual([ended?.error?.kind, ended?.error?.retryable], ['incomplete', true]);
  });

  it('keeps its complete rounds when a tool ran', async () => {
    const rig = await afterTool(says('Half a'), fails).go();
    assert.equal(rig.moments.at(-1), 'durable: attempt-ended run-failed');
    assert.deepEqual(column(rig.said, 'role'), ['assistant', 'tool-results']);
    assert.equal(rig.live.state.runs.get('r')?.error?.kind, 'auth');
  });

  it('keeps them too when the next request cannot be made', async () => {
    const rig = afterTool();
    rig.onMoment = (moment) => {
      rig.prepare = moment === 'written: tool-ended' ? () => Promise.reject(broken) : rig.prepare;
    };
    await rig.go();
    assert.equal(rig.moments.at(-1), 'durable: run-failed');
  });

  it('is rolled back when all its calls were refused: nothing has happened', async () => {
    const rig = await new RunRig([...calls(0, 'fly', '{}'), END], [fails]).go();
    assert.equal(rig.moments.at(-1), 'durable: attempt-ended run-rolled-back');
  });
});

describe('a run that is stopped', () => {
  it('keeps what had arrived', async () => {
    const rig = new RunRig([says('One'), thinks('Two'), says(' three'), END]);
    rig.stopAt('shown: "Two"');
    await rig.go();
    assert.deepEqual(rig.moments.slice(-2), ['written: "One" "Two"', 'durable: attempt-ended message run-stopped']);
    const [message] = rig.said;
    assert.ok(message?.role === 'assistant' && message.stopped);
    assert.deepEqual(column(message.parts, 'type'), ['text', 'reasoning']);
    assert.deepEqual([rig.ends[0]?.outcome, rig.ends[0]?.usage], ['stopped', ESTIMATED_USAGE]);
  });

  it('shows nothing of what arrives together with the stop', async () => {
    const rig = new RunRig();
    const next = async (): Promise<IteratorResult<StreamPart, undefined>> => {
      await settled();
      // Both are known before the run looks.
      queueMicrotask(() => {
        rig.abort.abort(STOP);
      });
      return { done: false, value: { type: 'text', index: 0, text: 'Late' } };
    };
    rig.stream = () => ({ [Symbol.asyncIterator]: () => ({ next }) });
    await rig.go();
    assert.deepEqual(rig.moments.slice(-2), ['stream', 'durable: attempt-ended run-stopped']);
  });

  it('has no reply when nothing had arrived', async () => {
    const rig = new RunRig([{ type: 'hang' }]);
    rig.stopAt('cue hang');
    await rig.go();
    assert.deepEqual(rig.moments.slice(-1), ['durable: attempt-ended run-stopped']);
  });

  it('gives calls that will not run a synthetic result', async () => {
    const rig = new RunRig([says('I read.'), ...calls(1, 'read', '{}'), ...calls(2, 'read', '{"pa'), { type: 'hang' }]);
    rig.stopAt('cue hang');
    await rig.go();
    assert.equal(rig.moments.at(-1), 'durable: attempt-ended message message run-stopped');
    const [message] = rig.said;
    assert.ok(message?.role === 'assistant');
    assert.deepEqual(column(message.parts, 'type'), ['text', 'toolCall']);
    assert.match(resultsOf(rig).join(), /^call-1\*!: The tool call was interrupted/);
  });

  it('waits for no tool, keeps what others gave and starts no more', async () => {
    const rig = new RunRig([...calls(0, 'read', '{}'), ...calls(1, 'wait', '{}'), ...calls(2, 'read', '{}'), END]);
    rig.tools.set('read', answers('content')).set('wait', STUCK);
    rig.stopAt('tool wait');
    await rig.go();
    assert.deepEqual(rig.moments.slice(-2), ['written: tool-ended', 'durable: message run-stopped']);
    const begins = resultsOf(rig).map((line) => line.slice(0, 16));
    assert.deepEqual(begins, ['call-0: content', 'call-1*!: The to', 'call-2*!: The to']);
    assert.equal(rig.moments.filter((moment) => moment.startsWith('tool read')).length, 1);
  });

  it('does not call a tool whose start was only just logged', async () => {
    const rig = new RunRig([...calls(0, 'read', '{}'), END]);
    rig.tools.set('read', answers('content'));
    rig.stopAt('durable: tool-started');
    await rig.go();
    assert.ok(!rig.moments.join().includes('tool read'));
    assert.deepEqual(rig.moments.slice(-2), ['written: tool-ended', 'durable: message run-stopped']);
    assert.match(resultsOf(rig).join(), /^call-0\*!: The tool call was interrupted/);
  });

  it('takes a tool that fails because of the stop for stopped', async () => {
    const rig = new RunRig([...calls(0, 'read', '{}'), END]);
    rig.tools.set('read', () => Promise.reject(new Error('aborted')));
    rig.stopAt('tool read');
    await rig.go();
    assert.match(resultsOf(rig).join(), /^call-0\*!: The tool call was interrupted/);
  });

  it('sends nothing when it is stopped before', async () => {
    for (const moment of ['durable: message', 'prepare', 'durable: attempt-started']) {
      const rig = new RunRig([says('Yes'), END]);
      rig.stopAt(moment);
      await rig.go();
      assert.ok(!rig.moments.includes('stream'), moment);
      assert.equal(rig.live.state.runs.get('r')?.status, 'stopped');
    }
  });

  it('waits for no request that is being made', async () => {
    const rig = new RunRig();
    rig.prepare = () => new Promise(() => undefined);
    rig.stopAt('prepare');
    await rig.go();
    assert.deepEqual(rig.moments, ['durable: message run-started', 'prepare', 'durable: run-stopped']);
  });

  it('is stopped, not failed, when making the request fails because of it', async () => {
    const rig = new RunRig();
    rig.prepare = () => Promise.reject(broken);
    rig.stopAt('prepare');
    await rig.go();
    assert.equal(rig.moments.at(-1), 'durable: run-stopped');
  });

  it('logs its message even when it was stopped before it began', async () => {
    const rig = new RunRig();
    rig.abort.abort(STOP);
    await rig.go();
    assert.deepEqual(rig.moments, ['durable: message run-started', 'durable: run-stopped']);
  });

  it('leaves no timer behind', async () => {
    const rig = new RunRig([says('One'), { type: 'hang' }]);
    rig.stopAt('cue hang');
    await rig.go();
    assert.equal(rig.clock.sleeping, 0);
  });
});

describe('a run whose host goes down', () => {
  it('is interrupted, its text in the log but not in the conversation', async () => {
    const rig = new RunRig([says('Half a'), { type: 'hang' }]);
    rig.abortAt('cue hang', SHUT_DOWN);
    await rig.go();
    assert.deepEqual(rig.moments.slice(-2), ['written: "Half a"', 'durable: attempt-ended run-interrupted']);
    assert.equal(rig.ends[0]?.outcome, 'interrupted');
    assert.deepEqual(rig.said, []);
  });

  it('keeps the round in which a tool ran', async () => {
    const rig = new RunRig([...calls(0, 'wait', '{}'), END]);
    rig.tools.set('wait', STUCK);
    rig.abortAt('tool wait', SHUT_DOWN);
    await rig.go();
    assert.equal(rig.moments.at(-1), 'durable: message run-interrupted');
    assert.match(resultsOf(rig).join(), /^call-0\*!/);
    assert.deepEqual(sinceTool(rig).includes('stream'), false);
  });
});
