import assert from 'node:assert/strict';
import { afterSave, mayWrite } from '../../../../src/host/tools/workspace/notSaved.js';
import { systemError } from '../../storage/fixtures.js';

describe('a file that is edited', () => {
  it('is known to be read-only before anything is changed', async () => {
    for (const code of ['EACCES', 'EPERM', 'EROFS']) {
      assert.equal(await mayWrite(Promise.reject(systemError(code))), false, code);
    }
    assert.equal(await mayWrite(Promise.reject(systemError('EIO'))), true);
    assert.equal(await mayWrite(Promise.resolve()), true);
  });
});

describe('an edit that VS Code was to save', () => {
  const texts = { path: 'a.ts', before: 'one\n', after: 'two\n', shown: 'two\n' };
  const saved = { ok: true, hadUnsaved: false };
  const notSaved = (why: string): unknown => ({ ok: false, reason: `a.ts is edited in its editor, but ${why}`, isInEditor: true });

  it('is saved where VS Code says so, and where it is on disk all the same: the user has typed meanwhile', () => {
    for (const onDisk of ['two\n', '\uFEFFtwo\r\n']) {
      assert.deepEqual(afterSave({ ...texts, onDisk, hadUnsaved: false, saysSaved: true }), saved);
      assert.deepEqual(afterSave({ ...texts, shown: 'two\n3', onDisk, hadUnsaved: false, saysSaved: false }), saved);
    }
    const formatted = { ...texts, shown: 'Two\n', onDisk: 'Two\n' };
    assert.deepEqual(afterSave({ ...formatted, hadUnsaved: true, saysSaved: true }), { ok: true, hadUnsaved: true });
    const undone = { ...texts, shown: 'one\n', onDisk: 'one\n' };
    assert.deepEqual(afterSave({ ...undone, hadUnsaved: false, saysSaved: true }), saved);
  });

  it('is in a read-only editor where the disk has the earlier text, and nothing is left to save', () => {
    for (const onDisk of ['one\n', '\uFEFFone\r\n']) {
      assert.equal(afterSave({ ...texts, onDisk, hadUnsaved: false, saysSaved: true }), 'readOnly');
    }
  });

  it('says that the file has changed on disk, where nothing else was unsaved', () => {
    for (const onDisk of ['zero\n', null]) {
      assert.deepEqual(
        afterSave({ ...texts, onDisk, hadUnsaved: false, saysSaved: false }),
        notSaved(
          'it is not saved: it has changed on disk since it was read. The user has to compare both versions and save the right one.',
        ),
      );
    }
  });

  it('leaves the reason to VS Code where the file has not changed, or had unsaved changes', () => {
    for (const [onDisk, hadUnsaved] of [
      ['one\n', false],
      ['\uFEFFone\r\n', false],
      ['zero\n', true],
    ] as const) {
      assert.deepEqual(
        afterSave({ ...texts, onDisk, hadUnsaved, saysSaved: false }),
        notSaved('VS Code did not save it, and shows why in a notification. The user has to save it or undo the edit.'),
      );
    }
  });
});
