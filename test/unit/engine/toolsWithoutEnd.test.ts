import assert from 'node:assert/strict';
import { canContinue } from '../../../src/engine/chat/branch.js';
import { transcript } from '../../../src/engine/chat/transcript.js';
import { MOST_IDLE_ROUNDS, MOST_STEPS } from '../../../src/engine/run/run.js';
import { answers, calls, END, RunRig, says, type Cue } from '../../support/engine/runRig.js';

describe('a model that calls tools without end', () => {
  const asks = (name: string): Cue[] => [...calls(0, name, '{}'), END];
  const ends = (rig: RunRig): unknown[] => {
    const run = rig.live.state.runs.get('r');
    return [rig.ends.length, run?.status, run?.error?.kind, canContinue(run!)];
  };

  async function asked(...names: string[]): Promise<RunRig> {
    const rig = new RunRig(...names.map(asks), [says('Done'), END]);
    rig.tools.set('read', answers('content'));
    return rig.go();
  }

  it('gets its answer in after all steps but one', async () => {
    const rig = await asked(...Array.from({ length: MOST_STEPS - 1 }, () => 'read'));
    assert.deepEqual(ends(rig), [MOST_STEPS, 'committed', undefined, false]);
  });

  it('gets no further request after so many steps, and what they brought stays', async () => {
    const rig = await asked(...Array.from({ length: MOST_STEPS + 5 }, () => 'read'));
    assert.deepEqual(ends(rig), [MOST_STEPS, 'failed', 'toolFailed', true]);
    assert.equal(transcript(rig.live.state).messages.length, 1 + 2 * MOST_STEPS);
    assert.equal(rig.moments.at(-1), 'durable: message run-failed');
  });

  it('gets none after two rounds in a row in which no call could run, and what they brought stays', async () => {
    const rig = await asked('fly', 'fly', 'read');
    assert.deepEqual(ends(rig), [MOST_IDLE_ROUNDS, 'failed', 'toolFailed', true]);
    assert.equal(transcript(rig.live.state).messages.length, 1 + 2 * MOST_IDLE_ROUNDS);
  });

  it('may learn from a call that could not run', async () => {
    assert.deepEqual(ends(await asked('fly', 'read', 'fly', 'read')), [5, 'committed', undefined, false]);
  });
});
