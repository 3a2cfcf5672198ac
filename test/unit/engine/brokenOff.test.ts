import assert from 'node:assert/strict';
import { endsBrokenOff, keepReplyEvents } from '../../../src/engine/run/brokenOff.js';
import { SHUT_DOWN } from '../../../src/engine/run/input.js';
import { CountingHex } from '../../support/engine/ports.js';
import { answers, calls, END, RunRig, says } from '../../support/engine/runRig.js';
import { failureOf } from '../../support/failures.js';

function kept({ live: { state } }: RunRig): unknown[] {
  const ids = new CountingHex();
  return keepReplyEvents(state, () => ids.hex(8)).map(({ type }) => type);
}

describe('a reply that VS Code cut', () => {
  it('can go on with what had arrived', async () => {
    const rig = new RunRig([says('Once upon'), { type: 'hang' }]);
    rig.abortAt('shown: "Once upon"', SHUT_DOWN);
    await rig.go();
    assert.equal(rig.live.state.runs.get('r')?.status, 'interrupted');
    assert.deepEqual(kept(rig), ['run-started', 'message', 'run-committed']);
  });

  it('cannot where nothing had arrived', async () => {
    const rig = new RunRig([{ type: 'hang' }]);
    rig.abortAt('prepare', SHUT_DOWN);
    await rig.go();
    assert.deepEqual([endsBrokenOff(rig.live.state), kept(rig)], [false, []]);
  });
});

describe('a complete reply whose calls did not run', () => {
  const READS = [says('I read.'), ...calls(1, 'read', '{}'), END];

  it('did not break off where VS Code closed before its tools started: it is a message already', async () => {
    const rig = new RunRig(READS, [END]);
    rig.tools.set('read', answers('content'));
    rig.abortAt('written: attempt-ended message', SHUT_DOWN);
    await rig.go();
    assert.deepEqual([rig.live.state.runs.get('r')?.status, endsBrokenOff(rig.live.state), kept(rig)], ['interrupted', false, []]);
  });

  it('did not break off where the request after it could not be made', async () => {
    const rig = new RunRig(READS, [END]);
    rig.prepare = () => (rig.said.length === 0 ? Promise.resolve() : Promise.reject(failureOf('contextOverflow', 'Too long.')));
    await rig.go();
    assert.deepEqual([rig.live.state.runs.get('r')?.status, endsBrokenOff(rig.live.state), kept(rig)], ['rolledBack', false, []]);
  });
});
