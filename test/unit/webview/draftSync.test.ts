import assert from 'node:assert/strict';
import type { DraftView } from '../../../src/protocol/view.js';
import { DraftSync } from '../../../webview/chat/draftSync.js';

const draft = (text: string, revision: number, edit: number): DraftView => ({ text, revision, edit, editing: null, isShortened: false });

describe('the draft in the composer', () => {
  let sync: DraftSync;

  beforeEach(() => {
    sync = new DraftSync();
    assert.equal(sync.resolve('', 'a', draft('kept', 0, 0), true), 'kept');
  });

  it("is the host's when another chat is shown", () => {
    sync.nextEdit();
    assert.equal(sync.resolve('kept and more', 'b', draft('other', 0, 0), true), 'other');
    assert.equal(sync.resolve('other', 'b', draft('revised', 1, 0), false), 'revised');
  });

  it("is the user's while the host only echoes older edits", () => {
    sync.nextEdit();
    sync.nextEdit();
    assert.equal(sync.resolve('he', 'a', draft('h', 0, 1), false), null);
    assert.equal(sync.resolve('he', 'a', draft('h', 0, 1), true), null);
    assert.equal(sync.resolve('he', 'a', draft('he', 0, 2), true), 'he');
  });

  it("is the host's when the host changed it", () => {
    assert.equal(sync.resolve('kept', 'a', draft('to edit', 1, 0), false), 'to edit');
  });

  it("is the user's when both sides changed it at once", () => {
    sync.nextEdit();
    assert.equal(sync.resolve('typed', 'a', draft('', 1, 0), false), null);
    assert.equal(sync.resolve('typed', 'a', draft('', 2, 1), false), '', 'but not once the host has seen the keys');
  });

  it('keeps what was typed behind a message that is on its way', () => {
    sync.sent('hello');
    sync.nextEdit();
    assert.equal(sync.resolve('hello wor', 'a', draft('', 1, 0), false), ' wor');
    sync.nextEdit();
    assert.equal(sync.resolve(' world', 'a', draft('', 2, 1), false), null, 'only once');
  });

  it('is empty after a message was sent and nothing typed', () => {
    sync.nextEdit();
    sync.sent('hello');
    assert.equal(sync.resolve('hello', 'a', draft('', 1, 1), false), '');
  });

  it('keeps a text that was put in place of the sent one meanwhile', () => {
    sync.sent('hello');
    sync.nextEdit();
    assert.equal(sync.resolve('other', 'a', draft('', 1, 0), false), null);
  });
});
