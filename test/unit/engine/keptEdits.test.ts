import assert from 'node:assert/strict';
import type { MadeEdit } from '../../../src/engine/chat/calls/toolEdit.js';
import { storeEdits } from '../../../src/engine/run/largeTexts.js';
import { columns } from '../../support/columns.js';
import { END, RunRig, calls, says } from '../../support/engine/runRig.js';
import { sha256 } from '../../support/engine/ports.js';

const BEFORE = 'one\n';
const EDIT: MadeEdit = {
  path: 'a.ts',
  before: sha256(BEFORE),
  after: sha256('two\n'),
  added: 1,
  removed: 1,
  noCopy: null,
  earlier: new TextEncoder().encode(BEFORE),
};

describe('the earlier copy of a file that a tool edits', () => {
  it('is on the disk, under its hash, before the log names it', async () => {
    const rig = new RunRig([...calls(0, 'edit', '{}'), END], [says('Done'), END]);
    const call = () => Promise.resolve({ content: [], isError: false, edits: [EDIT] });
    rig.offered = { find: () => Promise.resolve({ asks: null, allowed: null, call }) };
    rig.onKeep = () => {
      assert.ok(!rig.drafts.some(({ type }) => type === 'tool-ended'));
      return Promise.resolve();
    };
    await rig.go();
    const { earlier, ...logged } = EDIT;
    const edit = { ...logged, blob: [...rig.blobs.keys()][0] };
    assert.deepEqual([...rig.blobs.values()], [earlier]);
    assert.deepEqual(rig.live.state.runs.get('r')?.calls[0]?.end?.edits, [edit]);
  });

  it('that cannot be stored is reported, and the log says so', async () => {
    const errors: unknown[] = [];
    const keepBlob = () => Promise.reject(new Error('The disk is full.'));
    const kept = await storeEdits([EDIT], { keepBlob, reportError: (error) => errors.push(error) });
    assert.deepEqual(columns(kept, 'blob', 'noCopy'), [[null, 'notKept']]);
    assert.equal(errors.length, 1);
  });

  it('is not asked of a file that was not there', async () => {
    const keepBlob = () => assert.fail('There is nothing to store.');
    const kept = await storeEdits([{ ...EDIT, before: null, earlier: null }], { keepBlob, reportError: keepBlob });
    assert.deepEqual([kept[0]?.blob, kept[0]?.noCopy], [null, null]);
  });
});
