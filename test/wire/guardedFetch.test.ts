import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { gzipSync } from 'node:zlib';
import { toLoupeError, type LoupeError } from '../../src/engine/errors.js';
import { guardedFetch, type FetchedFile, type FetchLimits } from '../../src/tools/web/guardedFetch.js';
import { isPublicAddress } from '../../src/tools/web/publicAddress.js';
import { PageServer } from '../support/http/pageServer.js';

const HTML = 'text/html; charset=utf-8';
const MEBIBYTE = 1024 * 1024;

interface Guard {
  readonly limits: FetchLimits;
  readonly resolve: (host: string) => Promise<readonly LookupAddress[]>;
  readonly mayOpenPrivate: (host: string, addresses: readonly string[]) => Promise<boolean>;
}

describe('the guarded fetch', () => {
  let server: PageServer;
  /** Each question, as host and address. */
  let asked: string[];

  beforeEach(async () => {
    server = await PageServer.start({});
    asked = [];
  });
  afterEach(() => server.stop());

  const guard: Guard = {
    limits: { ms: 20_000, bytes: MEBIBYTE },
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    mayOpenPrivate: (host, addresses) => {
      asked.push([host, ...addresses].join(' '));
      return Promise.resolve(true);
    },
  };

  function fetched(address: string, change: Partial<Guard>, signal: AbortSignal): Promise<FetchedFile> {
    return guardedFetch(address, signal, { ...guard, ...change, now: performance.now.bind(performance) });
  }

  async function textOf(address: string, change: Partial<Guard>): Promise<string> {
    return Buffer.from((await fetched(address, change, new AbortController().signal)).bytes).toString();
  }

  async function failureOf(address: string, change: Partial<Guard>, signal: AbortSignal): Promise<LoupeError> {
    try {
      await fetched(address, change, signal);
    } catch (thrown) {
      return toLoupeError(thrown);
    }
    throw new assert.AssertionError({ message: 'The page was fetched.' });
  }

  async function codeOf(address: string, change: Partial<Guard>): Promise<string> {
    return (await failureOf(address, change, new AbortController().signal)).code;
  }

  const own = (): string => `127.0.0.1:${String(server.port)}`;
  const named = (host: string, path: string): string => `http://${host}:${String(server.port)}${path}`;

  it('returns the content, its type and the address without the fragment', async () => {
    server.page('/a', '<p>Tides</p>', HTML, {});
    const file = await fetched(server.url('/a#part'), {}, new AbortController().signal);
    assert.deepEqual([Buffer.from(file.bytes).toString(), file.contentType, file.url.href], ['<p>Tides</p>', HTML, server.url('/a')]);
  });

  describe('asks before it opens an address that is not public', () => {
    it('in the address itself, once for a host', async () => {
      server.redirect('/a', '/b');
      server.page('/b', 'b', HTML, {});
      assert.equal(await textOf(server.url('/a'), {}), 'b');
      assert.deepEqual(asked, [`${own()} 127.0.0.1`]);
    });

    it('for each port of a host, because each can be another program', async () => {
      const other = await PageServer.start({});
      try {
        server.redirect('/a', other.url('/b'));
        other.page('/b', 'b', HTML, {});
        assert.equal(await textOf(server.url('/a'), {}), 'b');
        assert.deepEqual(asked, [`${own()} 127.0.0.1`, `127.0.0.1:${String(other.port)} 127.0.0.1`]);
      } finally {
        await other.stop();
      }
    });

    it('and connects only to the addresses that the question names', async () => {
      server.page('/a', 'inner', HTML, {});
      const outer = { address: '192.0.2.1', family: 4 };
      const resolve: Guard['resolve'] = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }, outer]);
      assert.equal(await textOf(named('tides.example', '/a'), { resolve }), 'inner');
      assert.deepEqual(asked, [`tides.example:${String(server.port)} 127.0.0.1 192.0.2.1`]);
      const mixed: Guard['resolve'] = () =>
        Promise.resolve([
          { address: '8.8.8.8', family: 4 },
          { address: '127.0.0.2', family: 4 },
        ]);
      assert.equal(await codeOf(named('other.example', '/a'), { resolve: mixed }), 'page.noServer');
    });

    it('that a name leads to', async () => {
      server.page('/a', 'a', HTML, {});
      assert.equal(await textOf(named('tides.example', '/a'), {}), 'a');
      assert.deepEqual(asked, [`tides.example:${String(server.port)} 127.0.0.1`]);
    });

    it('that a redirect leads to', async () => {
      server.redirect('/a', named('inner.example', '/b'));
      server.page('/b', 'secret', HTML, {});
      const mayOpenPrivate: Guard['mayOpenPrivate'] = (host) => Promise.resolve(host === own());
      assert.equal(await codeOf(server.url('/a'), { mayOpenPrivate }), 'page.notAllowed');
      assert.deepEqual(server.asked, ['/a']);
    });

    it('and sends nothing without a yes', async () => {
      server.page('/a', 'a', HTML, {});
      assert.equal(await codeOf(server.url('/a'), { mayOpenPrivate: () => Promise.resolve(false) }), 'page.notAllowed');
      assert.deepEqual(server.asked, []);
    });

    it('also written as IPv6, as a number, or behind other addresses of the same name', async () => {
      const refuse = { mayOpenPrivate: () => Promise.resolve(false) };
      for (const host of ['[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '169.254.169.254', '[fd00::1]', '[fe80::1]']) {
        assert.equal(await codeOf(named(host, '/a'), refuse), 'page.notAllowed', host);
      }
      const resolve: Guard['resolve'] = () =>
        Promise.resolve([
          { address: '8.8.8.8', family: 4 },
          { address: '10.0.0.1', family: 4 },
        ]);
      assert.equal(await codeOf('http://tides.example/', { ...refuse, resolve }), 'page.notAllowed');
    });

    it('knows public from other addresses', () => {
      const open = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450:4001::1'];
      const inner = ['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.8.8.8', '172.31.255.255', '192.168.0.1', '224.0.0.1', '255.255.255.255'];
      const inner6 = ['::', '::1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '2002:7f00:1::', 'fc00::1', 'fe80::1%eth0', 'ff02::1', 'tides'];
      assert.deepEqual(open.filter(isPublicAddress), open);
      assert.deepEqual([...inner, ...inner6].filter(isPublicAddress), []);
    });
  });

  it('connects to the address that it checked, although the name changes its address', async () => {
    server.page('/a', 'the checked server', HTML, {});
    const other = await PageServer.start({ host: '127.0.0.2', port: server.port });
    try {
      other.page('/a', 'another server', HTML, {});
      let lookups = 0;
      const resolve: Guard['resolve'] = () => {
        lookups += 1;
        return Promise.resolve([{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
      };
      assert.equal(await textOf(named('tides.example', '/a'), { resolve }), 'the checked server');
      assert.deepEqual([lookups, other.asked], [1, []]);
    } finally {
      await other.stop();
    }
  });

  describe('stops', () => {
    it('at a page that never ends, when the time is over', async () => {
      server.on('/a', (response) => {
        response.writeHead(200, { 'content-type': HTML }).write('<p>');
      });
      assert.equal(await codeOf(server.url('/a'), { limits: { ms: 300, bytes: MEBIBYTE } }), 'page.timeout');
    });

    it('at a server that never answers', async () => {
      server.on('/a', () => undefined);
      assert.equal(await codeOf(server.url('/a'), { limits: { ms: 300, bytes: MEBIBYTE } }), 'page.timeout');
    });

    it('at redirects in a circle, after five', async () => {
      server.redirect('/a', '/b');
      server.redirect('/b', '/a');
      assert.equal(await codeOf(server.url('/a'), {}), 'page.redirects');
      assert.equal(server.asked.length, 6);
    });

    it('at a page of 100 MB, long before its end', async () => {
      let sent = 0;
      server.on('/a', (response) => {
        response.writeHead(200, { 'content-type': HTML });
        const chunk = Buffer.alloc(MEBIBYTE, 'a');
        const more = (): void => {
          while (sent < 100 && !response.destroyed) {
            sent += 1;
            if (!response.write(chunk)) {
              response.once('drain', more);
              return;
            }
          }
          response.end();
        };
        more();
      });
      assert.equal(await codeOf(server.url('/a'), {}), 'page.tooLarge');
      assert.ok(sent < 50, `${String(sent)} MB were sent`);
    });

    it('at a page that says that it is too large, before it reads it', async () => {
      server.page('/a', '', HTML, { 'content-length': String(100 * MEBIBYTE) });
      assert.equal(await codeOf(server.url('/a'), {}), 'page.tooLarge');
    });

    it('at a small file that is large without compression', async () => {
      const bomb = gzipSync(Buffer.alloc(50 * MEBIBYTE));
      assert.ok(bomb.length < MEBIBYTE);
      server.page('/a', bomb, HTML, { 'content-encoding': 'gzip' });
      assert.equal(await codeOf(server.url('/a'), {}), 'page.tooLarge');
    });

    it('when the user cancels', async () => {
      const cancel = new AbortController();
      server.on('/a', () => {
        cancel.abort();
      });
      const { code, kind } = await failureOf(server.url('/a'), {}, cancel.signal);
      assert.deepEqual([code, kind], ['page.cancelled', 'cancelled']);
    });

    it('when the user cancels during a question', async () => {
      const cancel = new AbortController();
      const mayOpenPrivate: Guard['mayOpenPrivate'] = () => {
        cancel.abort();
        return new Promise(() => undefined);
      };
      assert.equal((await failureOf(server.url('/a'), { mayOpenPrivate }, cancel.signal)).code, 'page.cancelled');
      assert.deepEqual(server.asked, []);
    });

    it('when the user cancels during the lookup', async () => {
      const cancel = new AbortController();
      const resolve: Guard['resolve'] = () => {
        cancel.abort();
        return new Promise(() => undefined);
      };
      assert.equal((await failureOf('http://tides.example/', { resolve }, cancel.signal)).code, 'page.cancelled');
    });
  });

  it('reads compressed pages, and reports damaged ones', async () => {
    server.page('/a', gzipSync('<p>Tides</p>'), HTML, { 'content-encoding': 'gzip' });
    server.page('/b', 'no gzip', HTML, { 'content-encoding': 'gzip' });
    assert.equal(await textOf(server.url('/a'), {}), '<p>Tides</p>');
    assert.equal(await codeOf(server.url('/b'), {}), 'page.unreadable');
  });

  it('refuses other addresses than those of web pages', async () => {
    for (const address of ['file:///etc/passwd', 'ftp://tides.example/', 'javascript:alert(1)', 'https://', 'data:text/html,a']) {
      assert.equal(await codeOf(address, {}), 'page.badAddress', address);
    }
    assert.equal(await codeOf('https://user:word@tides.example/', {}), 'page.credentials');
    assert.equal(await codeOf(`https://tides.example/${'%20'.repeat(1_400)}`, {}), 'page.longAddress');
    assert.equal(await codeOf(`https://tides.example/${' a'.repeat(1_400)}`, {}), 'page.longAddress');
    server.redirect('/a', 'file:///etc/passwd');
    assert.equal(await codeOf(server.url('/a'), {}), 'page.badRedirect');
  });

  it('says what is wrong: no such page, no server, no host', async () => {
    assert.equal(await codeOf(server.url('/nothing'), {}), 'page.status');
    const port = server.port;
    await server.stop();
    assert.equal(await codeOf(`http://127.0.0.1:${String(port)}/`, {}), 'page.noServer');
    const resolve: Guard['resolve'] = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
    assert.equal(await codeOf('http://tides.example/', { resolve }), 'page.unknownHost');
    server = await PageServer.start({});
  });
});
