import assert from 'node:assert/strict';
import { chatTitle } from '../../../src/engine/chat/message/opening.js';
import type { UserPart } from '../../../src/engine/model/part.js';
import { findChats } from '../../../src/storage/transfer/foundChats.js';
import { readyPanel } from '../../support/host/panel.js';
import { useWindows } from '../../support/host/window.js';

const IMAGE: UserPart = { type: 'image', blob: 'b', mimeType: 'image/png', bytes: 4, width: null, height: null };

describe('a chat without a title', () => {
  const windows = useWindows();

  const CASES: readonly (readonly [string, readonly UserPart[], string])[] = [
    ['no text that names it', [{ type: 'text', text: '```' }], 'New chat'],
    ['an image alone', [IMAGE], '(image)'],
    ['code before its first line', [{ type: 'text', text: '```\nlet tide = 1;\n```' }], 'let tide = 1;'],
  ];
  for (const [what, parts, name] of CASES) {
    it(`has one name in the panel, the list, the API and among the chats of other workspaces: ${what}`, async () => {
      const window = windows.open({});
      const { panel, webview, api, session } = await readyPanel(window);
      await session.record([
        { type: 'message', message: { role: 'user', id: '1700000000000-0000000a', parts, author: null }, runId: null },
      ]);
      panel.channel.snapshot();
      await window.chats.refresh();
      const { chats } = await findChats([windows.folder], (error) => assert.fail(error));
      const names = [
        chatTitle(session.state),
        webview.state.chat?.title,
        window.chats.list()[0]?.title,
        (await api.getChat(session.id)).title,
        chats[0]?.title,
      ];
      assert.deepEqual(new Set(names), new Set([name]));
    });
  }
});
