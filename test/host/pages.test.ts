import assert from 'node:assert/strict';
import { PageDocuments } from '../../src/host/documents/pageDocuments.js';
import { rejection } from '../support/rejection.js';

describe('a web page of a chat in VS Code', () => {
  it('opens in the browser only as an address of the web, because a chat can come from another computer', async () => {
    const chats = { open: () => Promise.resolve({ state: { context: new Map() } }) };
    const documents = new PageDocuments(chats as never);
    try {
      for (const address of ['file:///etc/passwd', 'vscode://extension/run', 'command:workbench.action.quit']) {
        assert.equal((await rejection(documents.show('chat', `page:${address}`))).code, 'page.badAddress', address);
      }
    } finally {
      documents.dispose();
    }
  });
});
