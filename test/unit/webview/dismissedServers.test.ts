import assert from 'node:assert/strict';
import { EMPTY_PANEL } from '../../../src/protocol/panel/state.js';
import { requestNotices } from '../../../webview/chat/nextRequest/requestNotices.js';
import { NEXT } from '../../../webview/preview/states/parts.js';
import { words } from '../../support/webview/markup.js';
import { pressed } from '../../support/webview/pressed.js';

describe('The notice about a failed server', () => {
  const parts = new Set<string>();
  const groups = { isOpen: (name: string) => parts.has(name), toggle: (name: string) => parts.add(name) };
  const notices = (problem: string, isOpen: boolean): unknown =>
    requestNotices(
      { ...EMPTY_PANEL, nextRequest: NEXT, failedServers: [{ name: 'git', problem, wantsSignIn: false }] },
      { chatId: 'c', isOpen, onSettings: () => undefined, groups },
    );

  it('goes when the user dismisses it, and comes back with another problem or with the details', () => {
    assert.match(words(notices('It ended.', false)), /git/);
    assert.deepEqual(pressed(notices('It ended.', false), 'Dismiss git'), []);
    assert.doesNotMatch(words(notices('It ended.', false)), /git/);
    assert.match(words(notices('It ended.', true)), /git.*It ended\./);
    assert.match(words(notices('The command was not found.', false)), /git.*The command was not found\./);
  });
});
