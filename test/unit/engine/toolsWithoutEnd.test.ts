import assert from 'node:assert/strict';
import { canContinue } from '../../../src/engine/chat/branch.js';
import { transcript } from '../../../src/engine/chat/transcript.js';
import { MOST_IDLE_STEPS, STEPS_UNASKED } from '../../../src/engine/run/run.js';
import { answers, calls, END, RunRig, says, type Cue } from '../../support/engine/runRig.js';
import { UNASKED } from '../../support/engine/toolExecutor.js';

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
