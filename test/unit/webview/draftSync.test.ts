import assert from 'node:assert/strict';
import type { DraftView } from '../../../src/protocol/panel/view.js';
import { DraftSync } from '../../../webview/chat/shell/draftSync.js';

const draft = (text: string, revision: number, edit: number): DraftView => ({
  text,
  revision,
  edit,
  editing: null,
  isShortened: false,
});

describe('the draft in the composer', () => {
  let sync: DraftSync;

  beforeEach(() => {
    sync = new DraftSync();
    assert.equal(sync.resolve('', 'a', draft('kept', 0, 0)), 'kept');
  });

  it("is the host's when another chat is shown", () => {
    sync.nextEdit();
    assert.equal(sync.resolve('kept and more', 'b', draft('other', 0, 0)), 'other');
    assert.equal(sync.resolve('other', 'b', draft('revised', 1, 0)), 'revised');
  });

  it("is the user's while the host only echoes older edits", () => {
    sync.nextEdit();
    sync.nextEdit();
    assert.equal(sync.resolve('he', 'a', draft('h', 0, 1)), null);
    assert.equal(sync.resolve('he', 'a', draft('he', 0, 2)), 'he');
  });

  it("is the host's when the host changed it", () => {
    assert.equal(sync.resolve('kept', 'a', draft('to edit', 1, 0)), 'to edit');
  });

  it("is the user's when both sides changed it at once", () => {
    sync.nextEdit();
    assert.equal(sync.resolve('typed', 'a', draft('', 1, 0)), null);
    assert.equal(sync.resolve('typed', 'a', draft('', 2, 1)), '', 'but not once the host has seen the keys');
  });

  it('is what the user types in another panel, until they type here', () => {
    assert.equal(sync.resolve('kept', 'a', draft('kept there', 0, 0)), 'kept there');
    sync.nextEdit();
    assert.equal(sync.resolve('kept here', 'a', draft('kept there and there', 0, 0)), null);
    assert.equal(sync.resolve('kept here', 'a', draft('kept here', 0, 1)), 'kept here');
    assert.equal(sync.resolve('kept here', 'a', draft('kept here and there', 0, 1)), 'kept here and there');
  });

  it('keeps what was typed behind a message that is on its way', () => {
    sync.sent('hello');
    sync.nextEdit();
    assert.equal(sync.resolve('hello wor', 'a', draft('', 1, 0)), ' wor');
    sync.nextEdit();
    assert.equal(sync.resolve(' world', 'a', draft('', 2, 1)), null, 'only once');
  });

  it('is empty after a message was sent and nothing typed', () => {
    sync.nextEdit();
    sync.sent('hello');
    assert.equal(sync.resolve('hello', 'a', draft('', 1, 1)), '');
  });

  it('keeps a text that was put in place of the sent one meanwhile', () => {
    sync.sent('hello');
    sync.nextEdit();
    assert.equal(sync.resolve('other', 'a', draft('', 1, 0)), null);
  });
});
