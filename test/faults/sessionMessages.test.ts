import assert from 'node:assert/strict';
import { MAX_TEXT_LENGTH } from '../../src/protocol/panel/toHost.js';
import { column } from '../support/columns.js';
import { openPanel } from '../support/host/panel.js';
import { useWindows } from '../support/host/window.js';

describe('messages of the panel that are not valid', () => {
  const windows = useWindows();

  const INVALID: readonly [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a text', 'ready'],
    ['a list', ['ready']],
    ['an object without a type', {}],
    ['an unknown type', { type: 'selfDestruct' }],
    ['a missing member', { type: 'send', chatId: 'x' }],
    ['a member too many', { type: 'ready', now: true }],
    ['a member of the wrong type', { type: 'send', chatId: 7, text: 'x' }],
    ['an empty id', { type: 'stop', chatId: '' }],
    ['an id that is too long', { type: 'stop', chatId: 'x'.repeat(5_000) }],
    ['a text that is too long', { type: 'send', chatId: 'x', text: 'x'.repeat(MAX_TEXT_LENGTH + 1) }],
    ['a title that is too long', { type: 'renameChat', chatId: 'x', title: 'x'.repeat(201) }],
    ['too many files', { type: 'dropFiles', chatId: 'x', uris: new Array<string>(1_001).fill('file:///x') }],
    ['an unknown banner action', { type: 'bannerAction', bannerId: 'x', action: 'format', argument: '' }],
    ['a setting that is an object', { type: 'changeSetting', chatId: 'x', name: 'model', value: {} }],
    ['a setting without a name', { type: 'changeSetting', chatId: 'x', name: '', value: 'x' }],
    ['the name of a member of every object', { type: 'toString' }],
    ['a prototype', JSON.parse('{"type":"ready","__proto__":{"x":1}}')],
  ];

  for (const [what, message] of INVALID) {
    it(`are dropped and logged: ${what}`, async () => {
      const window = windows.open({});
      const { panel, webview, post } = openPanel(window, { currentChat: undefined });
      panel.ready();
      await post(message);
      assert.deepEqual(column(window.errors, 'kind'), ['invalidInput']);
      assert.match(window.errors[0]?.message ?? '', /^A view of Loupe sent an invalid message: /);
      assert.ok((window.errors[0]?.message.length ?? 0) < 5_000);
      assert.equal(webview.received.length, 1);
      assert.equal(panel.session, null);
    });
  }
});
