import assert from 'node:assert/strict';
import { textWithoutLinks } from '../../../src/host/window/plainText.js';

/** A link in a notification, as in VS Code's `src/vs/base/common/linkedText.ts`. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

describe('the text of a notification', () => {
  it('has no link that a title brings', () => {
    const text = 'The reply in "[Spring tide](command:loupe.newChat)" has ended.';
    assert.match(text, LINK);
    assert.doesNotMatch(textWithoutLinks(text), LINK);
    assert.equal(textWithoutLinks(text), 'The reply in "(Spring tide)(command:loupe.newChat)" has ended.');
  });
});
