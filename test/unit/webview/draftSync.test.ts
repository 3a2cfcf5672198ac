import assert from 'node:assert/strict';
import { DraftSync } from '../../../webview/chat/draftSync.js';

const draft = (text: string, revision: number, edit: number) => ({ text, revision, edit, editing: null });

describe('the draft in the composer', () => {
  it('is the host\'s when another chat is shown', () => {
    const sync = new DraftSync();
    assert.equal(sync.takes('a', draft('', 0, 0), true), true);
    sync.nextEdit();
    assert.equal(sync.takes('b', draft('other', 0, 0), true), true);
  });

  it('is the user\'s while the host only echoes older edits', () => {
    const sync = new DraftSync();
    sync.takes('a', draft('', 0, 0), true);
    sync.nextEdit();
    sync.nextEdit();
    assert.equal(sync.takes('a', draft('h', 0, 1), false), false);
    assert.equal(sync.takes('a', draft('h', 0, 1), true), false);
    assert.equal(sync.takes('a', draft('he', 0, 2), true), true);
  });

  it('is the host\'s when the host changed it', () => {
    const sync = new DraftSync();
    sync.takes('a', draft('', 0, 0), true);
    sync.nextEdit();
    assert.equal(sync.takes('a', draft('edited', 1, 0), false), true);
  });

  it('keeps what was typed behind a message that is on its way', () => {
    const sync = new DraftSync();
    sync.sent('hello');
    assert.equal(sync.merge('hello wor', ''), ' wor');
    assert.equal(sync.merge('hello wor', ''), '', 'only once');
  });

  it('keeps nothing of a text that was replaced meanwhile', () => {
    const sync = new DraftSync();
    sync.sent('hello');
    assert.equal(sync.merge('other', ''), '');
  });
});
