import assert from 'node:assert/strict';
import { EditPreviews } from '../../../src/host/panel/composer/editPreviews.js';
import { previewEdit } from '../../../src/host/tools/workspace/previewEdit.js';
import type { ToolCallView, ToolQuestionView } from '../../../src/protocol/panel/toolCalls.js';
import type { EntryView } from '../../../src/protocol/panel/entries.js';
import { settled } from '../../support/engine/ports.js';
import { MemoryFiles } from '../../support/host/window.js';
import { ASSISTANT_ENTRY, TOOL_CALL } from '../../support/webview/entries.js';

const QUESTION: ToolQuestionView = {
  ...{ covers: 'tool', asked: [], saysItOnlyReads: false, hasChanged: false, secret: null, isSetup: false, change: null },
};
const EDIT: ToolCallView = {
  ...TOOL_CALL,
  name: 'edit_file',
  args: '{"path":"a.ts","old_text":"two","new_text":"2\\n2"}',
  status: { kind: 'waiting', question: QUESTION },
};

describe('an edit that waits for the user', () => {
  let files: MemoryFiles;
  let previews: EditPreviews;
  let changes: number;
  let watching: (() => void)[];
  beforeEach(() => {
    files = new MemoryFiles();
    files.texts.set('a.ts', 'one\ntwo\n');
    changes = 0;
    watching = [];
    previews = new EditPreviews({
      preview: (args) => previewEdit(args, files),
      watch: (changed) => {
        watching.push(changed);
        return { dispose: () => void watching.splice(watching.indexOf(changed), 1) };
      },
      changed: () => {
        changes += 1;
      },
      logError: (error) => assert.fail(error.message),
    });
  });

  const told = (...calls: ToolCallView[]): unknown[] => {
    const entries: EntryView[] = [{ ...ASSISTANT_ENTRY, parts: calls }];
    return previews
      .derive(entries)
      .flatMap((entry) => (entry.kind === 'assistant' ? entry.parts : []))
      .map((part) => (part.type === 'toolCall' && part.status.kind === 'waiting' ? part.status.question?.change : 'no question'));
  };

  it('tells the lines that it would add and remove, once the file is read', async () => {
    assert.deepEqual(told(EDIT), [null]);
    await settled();
    assert.deepEqual([told(EDIT), changes], [[{ ok: true, added: 2, removed: 1 }], 1]);
  });

  it('tells it anew when the file changes, also that it would change nothing any more', async () => {
    told(EDIT);
    await settled();
    files.texts.set('a.ts', 'one\n2 by hand\n');
    watching.forEach((changed) => {
      changed();
    });
    await settled();
    const [change] = told(EDIT) as [{ readonly ok: boolean; readonly reason: string }];
    assert.equal(change.ok, false);
    assert.match(change.reason, /^a\.ts does not have old_text/);
  });

  it('watches the files only while an edit of Loupe itself waits', () => {
    told({ ...EDIT, serverName: 'files' }, { ...EDIT, name: 'run_command' });
    assert.equal(watching.length, 0);
    told(EDIT);
    assert.equal(watching.length, 1);
    assert.deepEqual(told({ ...EDIT, status: { kind: 'done' } }), ['no question']);
    assert.equal(watching.length, 0);
    told(EDIT);
    previews.dispose();
    assert.equal(watching.length, 0);
  });
});
