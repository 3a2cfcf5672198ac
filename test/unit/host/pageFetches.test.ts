import assert from 'node:assert/strict';
import { failure } from '../../../src/engine/errors.js';
import { PageFetches, type LoadedPage } from '../../../src/host/context/pages/pageFetches.js';
import { PrivateHosts, type PrivateHostQuestion } from '../../../src/host/context/pages/privateHosts.js';
import { rejection } from '../../support/rejection.js';

describe('the fetch of a web page', () => {
  it('is fetched again by Retry after a failure, which hides the banner, and not after a cancel', async () => {
    const asked: string[] = [];
    const hidden: string[] = [];
    class FailingFetches extends PageFetches {
      override fetch(address: string): Promise<LoadedPage> {
        asked.push(address);
        return Promise.reject(
          address === 'cancelled.example' ? failure('page.cancelled') : failure('page.status', { host: address, status: 500 }),
        );
      }
    }
    const fetches = new FailingFetches({
      clock: { now: () => 0 },
      sha256: () => '',
      script: '',
      mayOpenPrivate: () => Promise.resolve(false),
    });
    const banners = { show: () => undefined, hide: (id: string) => void hidden.push(id) };
    const chat = { id: 'chat' } as never;
    await rejection(fetches.add(chat, 'down.example', banners));
    await rejection(fetches.add(chat, 'cancelled.example', banners));
    assert.ok(!hidden.includes('failure'));
    assert.equal((await rejection(fetches.retry(() => Promise.resolve(chat), banners))).code, 'page.status');
    assert.deepEqual(asked, ['down.example', 'cancelled.example', 'down.example']);
    assert.ok(hidden.includes('failure'));
  });

  it('shows no progress while the user answers the question about a private host', async () => {
    const shown: string[] = [];
    class AskingFetches extends PageFetches {
      override async fetch(_address: string, _signal: AbortSignal, mayOpenPrivate: PrivateHostQuestion): Promise<LoadedPage> {
        await mayOpenPrivate('127.0.0.1:4813', ['127.0.0.1']);
        shown.push('allowed');
        throw failure('page.cancelled');
      }
    }
    const mayOpenPrivate = (host: string): Promise<boolean> => {
      shown.push(`Open ${host}?`);
      return Promise.resolve(true);
    };
    const fetches = new AskingFetches({ clock: { now: () => 0 }, sha256: () => '', script: '', mayOpenPrivate });
    const banners = { show: ({ text }: { readonly text: string }) => void shown.push(text), hide: () => void shown.push('hidden') };
    await rejection(fetches.add({ id: 'chat' } as never, 'http://127.0.0.1:4813/a', banners));
    const progress = 'Fetching http://127.0.0.1:4813/a…';
    assert.deepEqual(shown, [progress, 'hidden', 'Open 127.0.0.1:4813?', progress, 'allowed', 'hidden']);
  });
});

describe('the question about a private host', () => {
  const own = ['127.0.0.1'];

  function asking(answers: readonly boolean[]): { readonly hosts: PrivateHosts; readonly asked: string[] } {
    const asked: string[] = [];
    const hosts = new PrivateHosts((host) => {
      asked.push(host);
      return Promise.resolve(answers[asked.length - 1] ?? false);
    });
    return { hosts, asked };
  }

  it('comes once for the pages of a port that the user allowed, and for each IP address', async () => {
    const { hosts, asked } = asking([true, true, true]);
    assert.ok(await hosts.mayOpen('http://local.example:4813/a', 'local.example:4813', own));
    assert.ok(await hosts.mayOpen('http://local.example:4813/b', 'local.example:4813', own));
    assert.ok(await hosts.mayOpen('http://local.example:4814/b', 'local.example:4814', own));
    assert.ok(await hosts.mayOpen('http://local.example:4813/a', 'local.example:4813', ['10.0.0.1']));
    assert.deepEqual(asked, ['local.example:4813', 'local.example:4814', 'local.example:4813']);
  });

  it('comes again after a refusal', async () => {
    const { hosts, asked } = asking([false, true]);
    assert.ok(!(await hosts.mayOpen('http://127.0.0.1:4813/a', '127.0.0.1:4813', own)));
    assert.ok(await hosts.mayOpen('http://127.0.0.1:4813/a', '127.0.0.1:4813', own));
    assert.equal(asked.length, 2);
  });

  it('comes for the target of a redirect, also of an allowed port', async () => {
    const { hosts, asked } = asking([true, false]);
    assert.ok(await hosts.mayOpen('http://127.0.0.1:4813/a', '127.0.0.1:4813', own));
    assert.ok(!(await hosts.mayOpen('https://public.example/', '127.0.0.1:4813', own)));
    assert.equal(asked.length, 2);
  });
});
