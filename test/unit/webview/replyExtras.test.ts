import assert from 'node:assert/strict';
import { nothing } from 'lit';
import { assistantEntry, replyExtras, splitOff } from '../../../webview/chat/entries/assistantEntry.js';
import { assistantEntry as replyEntry } from '../../../webview/preview/views.js';
import { entryScope, TOOL_CALL } from '../../support/webview/entries.js';
import { markup } from '../../support/webview/markup.js';

const words = (value: unknown): string =>
  markup(value)
    .replaceAll(/<[^>]*>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

describe('What came beside a reply', () => {
  it('is a list: sources by title, else by address, and images that were not saved by kind and size', () => {
    const source = { type: 'source', url: 'https://a.example/b', title: '' } as const;
    const list = replyExtras([{ ...source, title: 'Tides' }, source, { type: 'image', mimeType: 'image/png', bytes: 2_048, blob: null }]);
    assert.equal(words(list), 'Source: Tides Source: https://a.example/b Image (image/png, 2 KB). Loupe could not save it.');
    assert.equal(replyExtras([]), nothing);
  });

  it('has sources without an address by their title', () => {
    const list = replyExtras([{ type: 'source', url: '', title: "Document 0 of a tool's results" }]);
    assert.equal(words(list), "Source: Document 0 of a tool's results");
    assert.doesNotMatch(markup(list), /<a/);
  });

  it('links only to the web', () => {
    for (const url of ['javascript:alert(1)', 'command:loupe.newChat', 'file:///etc/passwd']) {
      const list = replyExtras([{ type: 'source', url, title: '' }]);
      assert.doesNotMatch(markup(list), /<a/);
      assert.equal(words(list), `Source: ${url}`);
    }
  });
});

describe('A reply of another model than was asked', () => {
  it('names it', () => {
    const told = words(assistantEntry({ ...replyEntry('a'), status: 'done', answeredBy: 'small-model' }, entryScope()));
    assert.match(told, /small-model replied instead of the requested model\./);
    assert.doesNotMatch(words(assistantEntry({ ...replyEntry('a'), status: 'done' }, entryScope())), /Answered by/);
  });
});

describe('A reply with calls in the arguments of another one', () => {
  it('says how many, and that they run as separate calls', () => {
    const told = (...split: readonly boolean[]): string => {
      const parts = split.map((isSplitOff, at) => ({ ...TOOL_CALL, callId: String(at), isSplitOff }));
      return words(splitOff({ ...replyEntry('a'), parts }));
    };
    assert.match(told(false, true), /The model wrote 1 call into the arguments of another call\. Loupe runs it as a separate call\./);
    assert.match(
      told(false, true, true),
      /The model wrote 2 calls into the arguments of another call\. Loupe runs them as separate calls\./,
    );
    assert.doesNotMatch(told(false, false), /came in the arguments/);
  });
});

describe('A reply that its provider ended', () => {
  it('says so, with the word of the provider', () => {
    const scope = entryScope();
    const entry = { ...replyEntry('a'), status: 'endedEarly', finishReason: 'abort' } as const;
    assert.match(words(assistantEntry(entry, scope)), /Ended early before any text arrived\. Reason from the provider: abort/);
    const refused = { ...entry, status: 'refused', finishReason: 'Harmful (bio)' } as const;
    assert.match(words(assistantEntry(refused, scope)), /content filter blocked the reply\. Reason from the provider: Harmful \(bio\)/);
  });
});
