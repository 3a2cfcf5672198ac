import assert from 'node:assert/strict';
import type { ToolResultPart } from '../../../src/engine/model/part.js';
import { INLINE_TEXT_BYTES } from '../../../src/engine/run/largeTexts.js';
import { column } from '../../support/columns.js';
import { image, text } from '../../support/engine/messages.js';
import { sha256 } from '../../support/engine/ports.js';
import { answers, calls, END, RunRig, says } from '../../support/engine/runRig.js';
import { failureOf } from '../../support/failures.js';

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
