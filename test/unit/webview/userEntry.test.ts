import assert from 'node:assert/strict';
import type { UserEntry } from '../../../src/protocol/panel/entries.js';
import { userEntry } from '../../../webview/chat/entries/userEntry.js';
import { entryScope } from '../../support/webview/entries.js';
import { markup, words } from '../../support/webview/markup.js';

const ENTRY: UserEntry = {
  kind: 'user',
  id: 'u',
  text: 'Hello',
  images: [],
  imagesFirst: 0,
  imageTokens: null,
  status: 'sent',
  isPinned: false,
  isExcluded: false,
  versions: null,
};

function shown(entry: UserEntry, isLocked: boolean): string {
  return markup(userEntry(entry, { ...entryScope(), isLocked }));
}

const IMAGE = { type: 'image', blob: 'b', mimeType: 'image/png', bytes: 2_048, width: 640, height: 480 } as const;

describe('A message of the user', () => {
  it('has the direction of its own text, as each block of a reply has', () => {
    assert.match(shown({ ...ENTRY, text: 'שלום' }, false), /<div dir="auto" class="user-text/);
  });

  it('that waits can be taken back, and sent as soon as no reply is in progress', () => {
    const queued: UserEntry = { ...ENTRY, status: 'queued' };
    const said = (isLocked: boolean): string => words(userEntry(queued, { ...entryScope(), isLocked }));
    assert.match(said(true), /Waiting to be sent · Take back/);
    assert.match(said(false), /Not sent yet · Send now · Take back/);
    assert.doesNotMatch(said(true), /Send now/);
    assert.doesNotMatch(shown(queued, false), /aria-label="Edit"/);
  });

  it('that is only an image shows it instead of an empty line', () => {
    const only = shown({ ...ENTRY, text: '', images: [IMAGE] }, false);
    assert.match(only, /<loupe-image/);
    assert.doesNotMatch(only, /class="user-text|Copy/);
    assert.doesNotMatch(shown(ENTRY, false), /loupe-image/);
  });

  it('shows four of many images, and how many others there are', () => {
    const images = [1, 2, 3, 4, 5, 6, 7].map((at) => ({ ...IMAGE, blob: String(at) }));
    const count = (text: string): number => text.split('<loupe-image').length - 1;
    const few = shown({ ...ENTRY, images }, false);
    assert.equal(count(few), 4);
    assert.match(few, /aria-label="Show 3 more images"/);
    const all = markup(userEntry({ ...ENTRY, images }, { ...entryScope(), isOpen: (part) => part === 'images' }));
    assert.equal(count(all), 7);
    assert.doesNotMatch(all, /more images/);
  });

  it('shows four images in all, on both sides of its text', () => {
    const images = [1, 2, 3, 4, 5].map((at) => ({ ...IMAGE, blob: String(at) }));
    for (const imagesFirst of [0, 2, 5]) {
      const text = shown({ ...ENTRY, images, imagesFirst }, false);
      assert.equal(text.split('<loupe-image').length - 1, 4, String(imagesFirst));
      assert.equal(text.split('aria-label="Show 1 more image"').length - 1, 1, String(imagesFirst));
    }
  });

  it('has the tokens of its images below them, if they are known', () => {
    assert.match(
      words(userEntry({ ...ENTRY, images: [IMAGE, IMAGE], imageTokens: { tokens: 2_184, isEstimate: false } }, entryScope())),
      /2 images, 2,184 tokens/,
    );
    assert.match(
      words(userEntry({ ...ENTRY, images: [IMAGE], imageTokens: { tokens: 414, isEstimate: true } }, entryScope())),
      /1 image, ≈ 414 tokens/,
    );
    assert.doesNotMatch(words(userEntry({ ...ENTRY, images: [IMAGE] }, entryScope())), /1 image/);
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
