import assert from 'node:assert/strict';
import type { MadeEdit } from '../../../src/engine/chat/calls/toolEdit.js';
import { storeEdits, INLINE_TEXT_BYTES } from '../../../src/engine/run/largeTexts.js';
import { columns, column } from '../../support/columns.js';
import { END, RunRig, calls, says, answers } from '../../support/engine/runRig.js';
import { sha256 } from '../../support/engine/ports.js';
import type { ToolResultPart } from '../../../src/engine/model/part.js';
import { image, text } from '../../support/engine/messages.js';
import { failureOf } from '../../support/failures.js';

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

const LARGE = '\u00e9'.repeat(INLINE_TEXT_BYTES / 2 + 1);

function rigWith(answer: string): RunRig {
  const rig = new RunRig([...calls(0, 'read', '{}'), END], [says('Done'), END]);
  rig.tools.set('read', answers(answer));
  return rig;
}

function resultOf(rig: RunRig): ToolResultPart | undefined {
  return rig.said.flatMap((message) => (message.role === 'tool-results' ? message.parts : []))[0];
}

describe('a large result of a tool', () => {
  it('is kept outside the log, before the message that names it is written', async () => {
    const rig = await rigWith(LARGE).go();
    const content = { type: 'blob', blob: sha256(LARGE), bytes: INLINE_TEXT_BYTES + 2, preview: LARGE.slice(0, 1_000) };
    assert.deepEqual(resultOf(rig)?.content, [content]);
    assert.equal(Buffer.from(rig.blobs.get(sha256(LARGE)) ?? []).toString('utf8'), LARGE);
    const kept = rig.moments.indexOf(`keep ${String(INLINE_TEXT_BYTES + 2)} bytes`);
    const ended = rig.moments.indexOf('written: tool-ended');
    assert.ok(kept !== -1 && kept < ended && ended < rig.moments.indexOf('written: message'), rig.moments.join('\n'));
    assert.ok(!JSON.stringify(rig.log).includes(LARGE.slice(0, 2_000)));
    assert.equal(rig.errors.length, 0);
  });

  it('is one by its bytes, and each text for itself', async () => {
    const most = 'x'.repeat(INLINE_TEXT_BYTES);
    const rig = rigWith('');
    rig.tools.set('read', () => Promise.resolve({ content: [text(most), image('aa'), text(LARGE), text('')], isError: true }));
    const result = resultOf(await rig.go());
    assert.ok(result);
    assert.deepEqual(column(result.content, 'type'), ['text', 'image', 'blob', 'text']);
    assert.deepEqual([result.content[0], result.isError], [text(most), true]);
  });

  it('is one too when it says why the tool did not run', async () => {
    const rig = new RunRig([...calls(0, 'read', `{"a": "${LARGE}`), END], [END]);
    rig.tools.set('read', answers('never'));
    const content = resultOf(await rig.go())?.content[0];
    assert.ok(content?.type === 'blob' && content.preview.startsWith('The tool did not run: its arguments'));
  });

  it('has U+FFFD for what no UTF-8 text can hold', async () => {
    const rig = await rigWith(`\ud800${LARGE}`).go();
    assert.ok(Buffer.from([...rig.blobs.values()][0] ?? []).equals(Buffer.from(`\ufffd${LARGE}`)));
  });

  it('stays in the log when it cannot be kept, which is reported', async () => {
    const rig = rigWith(LARGE);
    const full = failureOf('storage', 'The disk is full.');
    rig.onKeep = () => Promise.reject(full);
    await rig.go();
    assert.deepEqual(resultOf(rig)?.content, [text(LARGE)]);
    assert.deepEqual(rig.errors, [full]);
    assert.equal(rig.drafts.at(-1)?.type, 'run-committed');
  });
});
