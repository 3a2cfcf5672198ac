import assert from 'node:assert/strict';
import { isWaiting, type Approval } from '../../../src/engine/chat/calls/calls.js';
import { toolCallsOf } from '../../../src/engine/chat/message/message.js';
import { openStep, breakdownEvents, interruptionEvents } from '../../../src/engine/run/interruption.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { SHUT_DOWN } from '../../../src/engine/run/input.js';
import type { CallableTool } from '../../../src/engine/tools/offered.js';
import { calls, END, RunRig, says, type Cue, answers } from '../../support/engine/runRig.js';
import { UNASKED } from '../../support/engine/toolExecutor.js';
import { settled, sha256 } from '../../support/engine/ports.js';
import { stateOf, attemptEnded, attemptStarted, logged, runStarted, toolStarted } from '../../support/engine/events.js';
import { assistant, call, result, results, text, user } from '../../support/engine/messages.js';
import { transcript } from '../../../src/engine/chat/transcript.js';
import { failure } from '../../../src/engine/errors.js';
import { LOST_RESULT } from '../../../src/engine/request/adapt/adaptedParts.js';
import { columns } from '../../support/columns.js';
import { canContinue } from '../../../src/engine/chat/branch.js';
import { MOST_IDLE_STEPS, STEPS_UNASKED } from '../../../src/engine/run/run.js';

const TARGET = { name: 'write', serverName: 'files', binding: 'as-it-is' };
const ASKED = { ...TARGET, saysItOnlyReads: false, hasChanged: false };
const ONCE: Approval = { scope: 'once', reason: null };

describe('a tool that has to be allowed', () => {
  let ran: string[];
  let tool: CallableTool;
  beforeEach(() => {
    ran = [];
    tool = {
      asks: ASKED,
      allowed: null,
      call: async (args) => {
        ran.push(JSON.stringify(args));
        await settled();
        return { content: [{ type: 'text', text: 'written' }], isError: false, edits: [] };
      },
    };
  });

  const REPLY: Cue[] = [...calls(0, 'write', '{"path":"a"}'), END];

  /** A run whose model calls the tool. `answers` are the user's by call id. Calls without one wait. */
  function rigOf(answers: Readonly<Record<string, Approval>>, reply: Cue[]): RunRig {
    const rig = new RunRig(reply, [says('Done'), END]);
    rig.offered = { find: (name) => Promise.resolve(name === 'write' ? tool : null) };
    rig.control = {
      ...UNASKED,
      approvalOf: (callId) => {
        const answer = answers[callId];
        return answer === undefined ? new Promise(() => undefined) : Promise.resolve(answer);
      },
    };
    return rig;
  }

  const results = (rig: RunRig): unknown[] =>
    rig.said.flatMap((message) => (message.role === 'tool-results' ? message.parts.map(({ content, isError }) => [isError, content]) : []));
  const told = (isError: boolean, text: string): unknown[] => [isError, [{ type: 'text', text }]];

  it('is asked about, durably, before it starts', async () => {
    const rig = await rigOf({ 'call-0': ONCE }, REPLY).go();
    const order = rig.moments.filter((moment) => moment.includes(': tool-') && !moment.startsWith('shown'));
    assert.deepEqual(order.slice(0, 3), ['durable: tool-asked', 'durable: tool-started', 'written: tool-ended']);
    const asked = rig.drafts.find(({ type }) => type === 'tool-asked');
    const expected = { type: 'tool-asked', runId: 'r', callId: 'call-0', ...ASKED, argsHash: sha256('{"path":"a"}') };
    assert.deepEqual([asked, ran], [expected, ['{"path":"a"}']]);
  });

  it('does not run when it is refused, and the model is told the reason', async () => {
    const rig = await rigOf({ 'call-0': { scope: 'refused', reason: 'use the clean script' } }, REPLY).go();
    assert.deepEqual(ran, []);
    assert.deepEqual(results(rig), [told(true, 'The tool did not run: the user refused this call and says: use the clean script')]);
    const silent = await rigOf({ 'call-0': { scope: 'refused', reason: null } }, REPLY).go();
    assert.deepEqual(results(silent), [told(true, 'The tool did not run: the user refused this call.')]);
  });

  it('is not asked about where it was allowed before, and that is logged', async () => {
    tool = { ...tool, allowed: 'always' };
    const rig = await rigOf({}, REPLY).go();
    const approval = rig.drafts.find(({ type }) => type === 'tool-approval');
    assert.deepEqual(
      [approval?.type === 'tool-approval' && approval.scope, ran.length, rig.live.state.runs.get('r')?.status],
      ['always', 1, 'committed'],
    );
  });

  it('lets the other calls of the reply run while it waits', async () => {
    const rig = rigOf({ 'call-1': ONCE }, [...calls(0, 'write', '{"path":"a"}'), ...calls(1, 'write', '{"path":"b"}'), END]);
    rig.stopAt('written: tool-ended');
    await rig.go();
    assert.deepEqual(ran, ['{"path":"b"}']);
    const [first, second] = results(rig);
    assert.deepEqual([second, rig.live.state.runs.get('r')?.status], [told(false, 'written'), 'stopped']);
    assert.ok(Array.isArray(first) && first[0] === true);
  });

  it('does not run once the user has stopped the run', async () => {
    const rig = rigOf({}, REPLY);
    rig.stopAt('durable: tool-asked');
    await rig.go();
    assert.deepEqual([ran, rig.said.at(-1)?.role, rig.live.state.runs.get('r')?.status], [[], 'tool-results', 'stopped']);
    assert.match(JSON.stringify(rig.said.at(-1)), /The tool did not run: the turn was stopped before the call began/);
  });

  it('leaves its round open when the window closes while it waits', async () => {
    const rig = rigOf({}, REPLY);
    rig.abortAt('durable: tool-asked', SHUT_DOWN);
    await rig.go();
    assert.deepEqual([ran, rig.said.map(({ role }) => role)], [[], ['assistant']]);
    assert.deepEqual(openStep(rig.live.state)?.reply, rig.said[0]);
  });

  it('is asked about again when it has changed while the user was asked, and runs as it is then', async () => {
    const rig = rigOf({}, REPLY);
    const answers = [ONCE, ONCE];
    rig.control = {
      ...UNASKED,
      approvalOf: () => {
        if (answers.length === 2) {
          tool = { ...tool, asks: { ...ASKED, binding: 'changed meanwhile' } };
        }
        return Promise.resolve(answers.pop() ?? assert.fail('It was asked about twice.'));
      },
    };
    await rig.go();
    const asked = rig.drafts.flatMap((event) => (event.type === 'tool-asked' ? [event.binding] : []));
    assert.deepEqual([asked, ran], [['as-it-is', 'changed meanwhile'], ['{"path":"a"}']]);
  });

  it('does not run when it is gone once the user has answered', async () => {
    const rig = rigOf({}, REPLY);
    let isThere = true;
    rig.offered = { find: () => Promise.resolve(isThere ? tool : null) };
    rig.control = {
      ...UNASKED,
      approvalOf: () => {
        isThere = false;
        return Promise.resolve(ONCE);
      },
    };
    await rig.go();
    assert.deepEqual([ran, results(rig)], [[], [told(true, 'The tool did not run: there is no tool named write.')]]);
  });

  it('can be stopped while it runs, and the run goes on', async () => {
    const stopped = new AbortController();
    tool = { ...tool, call: () => new Promise(() => undefined) };
    const rig = rigOf({ 'call-0': ONCE }, REPLY);
    rig.control = { ...rig.control, stopOf: () => stopped.signal };
    rig.onMoment = (moment) => {
      if (moment === 'durable: tool-started') {
        void settled().then(() => {
          stopped.abort();
        });
      }
    };
    await rig.go();
    assert.deepEqual(results(rig), [told(true, 'The user stopped this call. It may have done part of its work.')]);
    assert.equal(rig.live.state.runs.get('r')?.status, 'committed');
  });

  it('goes on with a round that was interrupted while it waited: what has run does not run again', async () => {
    const rig = rigOf({}, [says('Done'), END]);
    const done = { type: 'toolResult', callId: 'one', name: 'write', content: [], isError: false, synthetic: false } as const;
    rig.cause = 'continue';
    rig.open = {
      reply: assistant('a', call('one', { path: 'a' }), call('two', { path: 'b' })),
      results: new Map([['one', done]]),
      approvals: new Map([['two', { ...ONCE, binding: TARGET.binding }]]),
      isCutOff: false,
    };
    const names = toolCallsOf(rig.open.reply).map(({ name }) => name);
    rig.offered = { find: (name) => Promise.resolve(names.includes(name) ? tool : null) };
    await rig.go();
    assert.deepEqual([ran, rig.said.map(({ role }) => role)], [['{"path":"b"}'], ['tool-results', 'assistant']]);
    assert.equal(rig.drafts.filter(({ type }) => type === 'tool-asked').length, 1);
  });

  it('is asked about again behind an interruption, when the answer was about another one', async () => {
    const rig = rigOf({ two: { scope: 'refused', reason: null } }, [says('Done'), END]);
    rig.cause = 'continue';
    rig.open = {
      reply: assistant('a', call('two', { path: 'b' })),
      results: new Map(),
      approvals: new Map([['two', { ...ONCE, binding: 'another one' }]]),
      isCutOff: false,
    };
    rig.offered = { find: () => Promise.resolve(tool) };
    await rig.go();
    assert.deepEqual([ran, results(rig)], [[], [told(true, 'The tool did not run: the user refused this call.')]]);
  });

  describe('in the log', () => {
    const started: NewEvent[] = [
      { type: 'run-started', runId: 'r', cause: 'retry', userMessageId: 'u' },
      { type: 'tool-asked', runId: 'r', callId: 'c', ...ASKED, argsHash: 'these' },
    ];
    const answer = (argsHash: string, approval: Approval): NewEvent => ({
      type: 'tool-approval',
      runId: 'r',
      callId: 'c',
      argsHash,
      ...approval,
    });
    const callOf = (...events: NewEvent[]) => stateOf(...started, ...events).runs.get('r')!.calls[0]!;

    it('waits until it is answered', () => {
      assert.equal(isWaiting(callOf()), true);
      assert.equal(isWaiting(callOf(answer('these', ONCE))), false);
    });

    it('has the first answer, whichever window gave it, and none about other arguments', () => {
      assert.deepEqual(callOf(answer('these', ONCE), answer('these', { scope: 'refused', reason: null })).approval, ONCE);
      assert.equal(callOf(answer('others', ONCE)).approval, null);
    });

    it('has no answer any more once its tool is asked about as another one', () => {
      const again: NewEvent = { type: 'tool-asked', runId: 'r', callId: 'c', ...ASKED, binding: 'changed', argsHash: 'these' };
      assert.equal(callOf(answer('these', ONCE), again).approval, null);
      assert.deepEqual(callOf(answer('these', ONCE), again, answer('these', ONCE)).approval, ONCE);
    });

    it('is known to be taken back until it is allowed always again', () => {
      const takenBack = (...events: NewEvent[]): string[] => [...stateOf(...started, ...events).takenBack];
      const back: NewEvent = { type: 'approval-taken-back', binding: 'as-it-is' };
      const always = answer('these', { scope: 'always', reason: null });
      assert.deepEqual(takenBack(always), []);
      assert.deepEqual(takenBack(always, back), ['as-it-is']);
      assert.deepEqual(takenBack(back, always), []);
    });

    it('is allowed for the rest of the chat until that is taken back', () => {
      const allowed = (...events: NewEvent[]): string[] => [...stateOf(...started, ...events).allowedTools.keys()];
      const chat = answer('these', { scope: 'chat', reason: null });
      assert.deepEqual(allowed(answer('these', ONCE)), []);
      assert.deepEqual(allowed(answer('others', { scope: 'chat', reason: null })), []);
      assert.deepEqual(allowed(chat), ['as-it-is']);
      assert.deepEqual(allowed(chat, { type: 'approval-taken-back', binding: 'as-it-is' }), []);
    });
  });
});

const newId = (): string => 'new';

const round: readonly NewEvent[] = [
  logged('r', user('u', 'Read both')),
  runStarted('r', 'u'),
  attemptStarted('r', 'at'),
  attemptEnded('r', 'at', 'complete'),
  logged('r', { ...assistant('a'), parts: [call('c1', {}), call('c2', {})], attemptId: 'at' }),
];

function toolEnded(callId: string): NewEvent {
  return { type: 'tool-ended', runId: 'r', callId, result: result(callId, text(`of ${callId}`)), durationMs: 3, edits: [] };
}

describe('a run whose window was killed between the end of a tool and the results of its round', () => {
  const killed = [...round, toolStarted('r', 'c1'), toolEnded('c1'), toolStarted('r', 'c2')];

  it('keeps the result that was there, and says that the other one is lost', () => {
    const drafts = interruptionEvents(stateOf(...killed), 'r', newId);
    const sent = transcript(stateOf(...killed, ...drafts)).messages.at(-1);
    assert.ok(sent?.role === 'tool-results');
    assert.deepEqual(columns(sent.parts, 'callId', 'synthetic', 'content'), [
      ['c1', false, [text('of c1')]],
      ['c2', true, [text(LOST_RESULT)]],
    ]);
    assert.equal(drafts.at(-1)?.type, 'run-interrupted');
  });

  it('keeps it also when a defect broke the run off', () => {
    const defect = failure('internal.defect', { text: 'A defect' });
    const types = breakdownEvents(stateOf(...killed), 'r', { defect, newId }).map(({ type }) => type);
    assert.deepEqual(types, ['message', 'run-failed']);
  });
});

describe('a run whose window was killed at another time', () => {
  const types = (...events: readonly NewEvent[]): string[] => interruptionEvents(stateOf(...events), 'r', newId).map(({ type }) => type);

  it('gets no results before the first tool has ended', () => {
    assert.deepEqual(types(...round, toolStarted('r', 'c1')), ['run-interrupted']);
  });

  it('gets no results when those of its round are a message already', () => {
    const told = logged('r', results('t', result('c1', text('1')), result('c2', text('2'))));
    assert.deepEqual(types(...round, toolStarted('r', 'c1'), toolEnded('c1'), told), ['run-interrupted']);
  });

  it('has its open attempt ended', () => {
    assert.deepEqual(types(...round.slice(0, 3)), ['attempt-ended', 'run-interrupted']);
  });
});

describe('a model that calls tools without end', () => {
  const asks = (name: string): Cue[] => [...calls(0, name, '{}'), END];
  const ends = (rig: RunRig): unknown[] => {
    const run = rig.live.state.runs.get('r');
    return [rig.ends.length, run?.status, run?.error?.kind, canContinue(run!)];
  };

  /** A run whose model calls these tools. The user continues it `leave` times. */
  async function asked(names: readonly string[], leave: number): Promise<RunRig> {
    const rig = new RunRig(...names.map(asks), [says('Done'), END]);
    let left = leave;
    rig.control = { ...UNASKED, continueDecision: () => Promise.resolve(left-- > 0) };
    rig.tools.set('read', answers('content'));
    return rig.go();
  }
  const reads = (count: number): readonly string[] => Array.from({ length: count }, () => 'read');

  it('gets its answer in after all steps but one', async () => {
    const rig = await asked(reads(STEPS_UNASKED - 1), 0);
    assert.deepEqual(ends(rig), [STEPS_UNASKED, 'committed', undefined, false]);
  });

  it('gets no further request after so many steps unless the user lets it, and what they brought stays', async () => {
    const rig = await asked(reads(STEPS_UNASKED + 5), 0);
    assert.deepEqual(ends(rig), [STEPS_UNASKED, 'stopped', undefined, true]);
    assert.equal(transcript(rig.live.state).messages.length, 1 + 2 * STEPS_UNASKED);
    assert.deepEqual(rig.moments.slice(-2), ['durable: message run-asked', 'durable: run-stopped']);
  });

  it('goes on for as many steps as before each time that the user lets it', async () => {
    const once = await asked(reads(3 * STEPS_UNASKED), 1);
    assert.deepEqual(ends(once), [2 * STEPS_UNASKED, 'stopped', undefined, true]);
    const done = await asked(reads(2 * STEPS_UNASKED + 3), 2);
    assert.deepEqual(ends(done), [2 * STEPS_UNASKED + 4, 'committed', undefined, false]);
  });

  it('is not asked about after the user has stopped it', async () => {
    const rig = new RunRig(...reads(STEPS_UNASKED).map(asks));
    rig.tools.set('read', answers('content'));
    rig.stopAt('durable: message run-asked');
    await rig.go();
    assert.deepEqual(ends(rig), [STEPS_UNASKED, 'stopped', undefined, true]);
  });

  it('gets none after two rounds in a row in which no call could run, and what they brought stays', async () => {
    const rig = await asked(['fly', 'fly', 'read'], 0);
    assert.deepEqual(ends(rig), [MOST_IDLE_STEPS, 'failed', 'toolFailed', true]);
    assert.equal(transcript(rig.live.state).messages.length, 1 + 2 * MOST_IDLE_STEPS);
  });

  it('may learn from a call that could not run', async () => {
    assert.deepEqual(ends(await asked(['fly', 'read', 'fly', 'read'], 0)), [5, 'committed', undefined, false]);
  });
});
