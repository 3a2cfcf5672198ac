import assert from 'node:assert/strict';
import type { UserEntry } from '../../../src/protocol/panel/userEntry.js';
import { userEntry } from '../../../webview/chat/entries/userEntry.js';
import { entryScope } from '../../support/webview/entries.js';
import { markup } from '../../support/webview/markup.js';

const ENTRY: UserEntry = {
  kind: 'user',
  id: 'u',
  text: 'Hello',
  images: [],
  imagesFirst: 0,
  at: 0,
  status: 'sent',
  isPinned: false,
  isExcluded: false,
  versions: null,
};

function shown(entry: UserEntry, isLocked: boolean): string {
  return markup(userEntry(entry, { ...entryScope(), isLocked }));
}

describe('A message of the user', () => {
  it('has the direction of its own text, as each block of a reply has', () => {
    assert.match(shown({ ...ENTRY, text: 'שלום' }, false), /<div dir="auto" class="user-text/);
  });

  it('that is only an image shows it instead of an empty line', () => {
    const image = { type: 'image' as const, blob: 'b', mimeType: 'image/png', bytes: 2_048, width: 640, height: 480 };
    const only = shown({ ...ENTRY, text: '', images: [image] }, false);
    assert.match(only, /<loupe-image/);
    assert.doesNotMatch(only, /class="user-text|Copy/);
    assert.doesNotMatch(shown(ENTRY, false), /loupe-image/);
  });

  it('says which of its versions is on show, and leads to those before and after it while the chat is free', () => {
    const second = { ...ENTRY, versions: { number: 2, count: 2, earlier: 'r', later: null } };
    const disabled = (label: string, isLocked: boolean): string | undefined =>
      new RegExp(`title=${label}.*?\\?disabled=(true|false)`, 's').exec(shown(second, isLocked))?.[1];
    assert.match(shown(second, false), /aria-label=Version 2 of 2/);
    assert.deepEqual(
      ['Earlier version', 'Later version'].map((label) => [disabled(label, false), disabled(label, true)]),
      [
        ['false', 'true'],
        ['true', 'true'],
      ],
    );
    assert.doesNotMatch(shown(ENTRY, false), /Version/);
  });
});
