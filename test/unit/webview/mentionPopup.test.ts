import assert from 'node:assert/strict';
import type { MentionRow } from '../../../src/protocol/mentions.js';
import { mentionAt, MentionPopup } from '../../../webview/chat/mentionPopup.js';
import { markup } from '../../support/webview/markup.js';

const row = (name: string, change: Partial<MentionRow>): MentionRow => ({
  ...{ key: `file:${name}`, kind: 'file', name, about: 'src', matches: [], isIn: false },
  ...change,
});

describe('a mention', () => {
  it('is what stands behind an @ that begins a word, up to the caret', () => {
    assert.deepEqual(mentionAt('Compare @bp with', 11), { from: 8, text: 'bp' });
    assert.deepEqual(mentionAt('@', 1), { from: 0, text: '' });
    assert.deepEqual(mentionAt('see (@src/a', 11), { from: 5, text: 'src/a' });
    assert.equal(mentionAt('me@example', 10), null);
    assert.equal(mentionAt('@bp with', 8), null);
    assert.equal(mentionAt('no', 2), null);
  });
});

describe('the popup of mentions', () => {
  function open(): { readonly popup: MentionPopup; readonly asked: string[]; readonly picked: string[]; readonly said: string[] } {
    const [asked, picked, said]: [string[], string[], string[]] = [[], [], []];
    const popup = new MentionPopup({
      ask: (text) => asked.push(text),
      pick: ({ name }, { from, text }) => picked.push(`${name} for ${text} at ${String(from)}`),
      announce: (text) => said.push(text),
      changed: () => undefined,
    });
    popup.typed('@b', 2);
    popup.found({
      type: 'mentions',
      text: 'b',
      rows: [row('bpe.ts', { matches: [0] }), row('Bees', { kind: 'rule', about: '', isIn: true })],
    });
    return { popup, asked, picked, said };
  }

  it('asks for each text once, and shows the answer by kinds with the letters that match', () => {
    const { popup, asked } = open();
    popup.typed('@b', 2);
    assert.deepEqual(asked, ['b']);
    const shown = markup(popup.render());
    assert.match(shown, /Files.*<b>b<\/b>.*Rules.*in this chat/s);
    assert.equal(popup.isOpen, true);
  });

  it('drops an answer to another text', () => {
    const { popup } = open();
    popup.typed('@bx', 3);
    popup.found({ type: 'mentions', text: 'old', rows: [] });
    assert.equal(popup.isOpen, true);
    popup.found({ type: 'mentions', text: 'bx', rows: [] });
    assert.equal(popup.isOpen, false);
  });

  it('is moved in with the arrows, and takes with Enter or Tab', () => {
    for (const key of ['Enter', 'Tab']) {
      const { popup, picked, said } = open();
      assert.equal(popup.key('ArrowDown'), true);
      assert.equal(popup.key('ArrowDown'), true);
      assert.equal(popup.key('ArrowUp'), true);
      assert.equal(popup.key(key), true);
      assert.deepEqual(picked, ['Bees for b at 0']);
      assert.deepEqual(said.at(-1), 'Bees , rule, 2 of 2');
      assert.equal(popup.isOpen, false);
      assert.equal(popup.key('Enter'), false, 'the next Enter is for the message box');
    }
  });

  it('stays closed after Escape until another mention begins', () => {
    const { popup, asked } = open();
    assert.equal(popup.key('Escape'), true);
    popup.typed('@bp', 3);
    assert.deepEqual([asked, popup.isOpen], [['b'], false]);
    popup.typed('@bp and @c', 10);
    assert.deepEqual(asked, ['b', 'c']);
  });

  it('closes when the caret leaves the mention, or text is selected', () => {
    const { popup } = open();
    popup.typed('@b and', 6);
    assert.equal(popup.isOpen, false);
    popup.typed('@b', null);
    assert.equal(popup.isOpen, false);
  });
});
