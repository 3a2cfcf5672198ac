import assert from 'node:assert/strict';
import { failure } from '../../src/engine/errors.js';
import { PageFetches, type LoadedPage } from '../../src/host/context/pages/pageFetches.js';
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

  it('is fetched again by Retry after a failure, which hides the banner, and not after a cancel', async () => {
    const asked: string[] = [];
    const hidden: string[] = [];
    class FailingFetches extends PageFetches {
      override load(address: string): Promise<LoadedPage> {
        asked.push(address);
        return Promise.reject(
          address === 'cancelled.example' ? failure('page.cancelled') : failure('page.status', { host: address, status: 500 }),
        );
      }
    }
    const fetches = new FailingFetches({ clock: { now: () => 0 }, sha256: () => '', script: '' });
    const banners = { show: () => undefined, hide: (id: string) => void hidden.push(id) };
    const chat = { id: 'chat' } as never;
    await rejection(fetches.add(chat, 'down.example', banners));
    await rejection(fetches.add(chat, 'cancelled.example', banners));
    assert.ok(!hidden.includes('failure'));
    assert.equal((await rejection(fetches.retry(() => Promise.resolve(chat), banners))).code, 'page.status');
    assert.deepEqual(asked, ['down.example', 'cancelled.example', 'down.example']);
    assert.ok(hidden.includes('failure'));
  });
});
