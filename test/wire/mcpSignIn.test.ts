import assert from 'node:assert/strict';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import type { McpServer } from '../../src/tools/mcp/mcpServer.js';
import { McpRig, NEVER } from '../support/mcp/rig.js';
import { plain, say, SignInRig, WANTS, windowOf } from '../support/mcp/signInRig.js';
import { browse, type SignInServer } from '../support/mcp/signInServer.js';
import { rejection } from '../support/rejection.js';

describe('the sign-in to an MCP server', function () {
  this.timeout(30_000);
  let all: SignInRig;
  let peer: SignInServer;
  let rig: McpRig;
  let server: McpServer;

  beforeEach(async () => {
    all = await SignInRig.start({ registers: 'all', inner: null }, { headers: { 'X-Team-Key': 'a-key-for-the-server-only' } });
    ({ peer, rig, server } = all);
  });

  afterEach(() => all.close());

  it('is offered when the server asks for one, and only the user starts it', async () => {
    await server.start(NEVER);
    assert.deepEqual(all.problem, ['failed', WANTS, 'wanted']);
    assert.equal(await say(server), `The server "tested" does not run. ${WANTS}`);
    assert.deepEqual(peer.asked, []);
    await server.signIn(NEVER);
    assert.deepEqual(all.problem, ['running', null, 'done']);
    assert.equal(await say(server), 'say: hello');
  });

  it('sends neither configured headers nor tokens to another address', async () => {
    await server.signIn(NEVER);
    assert.ok(peer.headers.length > 3);
    assert.equal(
      peer.headers.every((headers) => headers['x-team-key'] === undefined && headers.authorization === undefined),
      true,
    );
    assert.equal(all.stored?.resource, peer.url);
    assert.equal(rig.signIns.size, 1);
  });

  it('keeps tokens and codes out of errors and the log, even if a server repeats them', async () => {
    peer.tokenStatus = 500;
    const texts = [(await rejection(server.signIn(NEVER))).message];
    peer.tokenStatus = null;
    await server.signIn(NEVER);
    peer.tokenStatus = 500;
    await peer.expire();
    texts.push(await say(server), (await rejection(server.signOut(NEVER))).message, server.log);
    const secrets = peer.refused.flatMap((body) =>
      ['code', 'code_verifier', 'refresh_token', 'token'].flatMap((name) => body.getAll(name)),
    );
    assert.equal(secrets.length, 4);
    assert.match(texts.join(), /\[key\]/);
    for (const secret of secrets) {
      assert.equal(texts.join().includes(secret), false);
    }
  });

  it('is renewed silently, also before the first request of a later window', async () => {
    await server.signIn(NEVER);
    const before = all.stored?.tokens;
    await peer.expire();
    assert.equal(await say(server), 'say: hello');
    assert.notEqual(all.stored?.tokens.access_token, before?.access_token);
    assert.notEqual(all.stored?.tokens.refresh_token, before?.refresh_token);
    await peer.expire();
    const later = new McpRig({}, rig);
    const again = later.server({ url: peer.url });
    await again.start(NEVER);
    assert.deepEqual([again.status, again.signInState], ['running', 'done']);
    await later.servers.dispose();
  });

  it('is renewed once when two windows need it at the same time', async () => {
    await server.signIn(NEVER);
    const other = new McpRig({}, rig);
    const second = other.server({ url: peer.url });
    await second.start(NEVER);
    const before = peer.times('POST /token');
    await peer.expire();
    assert.deepEqual(await Promise.all([say(server), say(second), say(server)]), ['say: hello', 'say: hello', 'say: hello']);
    assert.equal(peer.times('POST /token') - before, 1);
    await peer.expire();
    assert.equal(await say(second), 'say: hello');
    assert.deepEqual(await readdir(rig.lockFolder), []);
    await other.servers.dispose();
  });

  it('is renewed after the crash of a window that renewed it', async () => {
    await server.signIn(NEVER);
    await mkdir(rig.lockFolder, { recursive: true });
    const lock = join(rig.lockFolder, `${all.key}.lock`);
    await writeFile(lock, '');
    await utimes(lock, 0, 0);
    await peer.expire();
    assert.equal(await say(server), 'say: hello');
  });

  it('is wanted again when it has ended at the authorization server', async () => {
    await server.signIn(NEVER);
    await peer.expire();
    await peer.endRefreshToken(all.stored?.tokens.refresh_token ?? '');
    assert.equal(await say(server), WANTS);
    assert.deepEqual(all.problem, ['failed', WANTS, 'wanted']);
    assert.equal(rig.signIns.size, 0);
    await server.signIn(NEVER);
    assert.equal(await say(server), 'say: hello');
  });

  it('is kept while the authorization server does not work', async () => {
    await server.signIn(NEVER);
    await peer.expire();
    peer.tokenStatus = 503;
    assert.match(await say(server), /^Loupe could not renew your sign-in: HTTP 503/);
    await server.restart(NEVER);
    assert.deepEqual([server.status, server.signInState], ['failed', 'done']);
    assert.match(server.problem ?? '', /^Loupe could not renew your sign-in: HTTP 503/);
    peer.tokenStatus = null;
    await server.restart(NEVER);
    assert.equal(await say(server), 'say: hello');
  });

  it('ends with its tokens when the user signs out', async () => {
    await server.signIn(NEVER);
    const token = all.stored?.tokens.refresh_token ?? '';
    assert.equal(await peer.knows(token), true);
    await server.signOut(NEVER);
    assert.equal(await peer.knows(token), false);
    assert.equal(rig.signIns.size, 0);
    assert.deepEqual(all.problem, ['failed', WANTS, 'wanted']);
  });

  it('ends here even if the authorization server does not confirm the end', async () => {
    await server.signIn(NEVER);
    peer.tokenStatus = 503;
    const error = await rejection(server.signOut(NEVER));
    assert.equal(error.message, 'You are signed out in Loupe. The server did not confirm that it ended the sign-in: HTTP 503.');
    assert.equal(rig.signIns.size, 0);
    assert.deepEqual(all.problem, ['failed', WANTS, 'wanted']);
  });

  it('tells when the user refuses in the browser', async () => {
    await server.start(NEVER);
    peer.consents = false;
    const error = await rejection(server.signIn(NEVER));
    assert.equal(error.message, 'The sign-in was refused in the browser: The user said no.');
    assert.deepEqual(all.problem, ['failed', WANTS, 'wanted']);
    peer.consents = true;
    await server.signIn(NEVER);
    assert.equal(server.status, 'running');
  });

  it('ignores an answer with another state', async () => {
    const statuses: number[] = [];
    rig.browse = async (address) => {
      const callback = new URL(address).searchParams.get('redirect_uri') ?? '';
      for (const answer of ['?code=stolen&state=wrong', '?code=stolen', '/other?code=stolen']) {
        statuses.push((await fetch(`${callback}${answer}`)).status);
      }
      void browse(address, plain);
      return true;
    };
    await server.signIn(NEVER);
    assert.deepEqual(statuses, [400, 400, 400]);
    assert.equal(server.status, 'running');
  });

  it('ends without a trace when the user cancels it', async () => {
    const cancel = new AbortController();
    let callback = '';
    rig.browse = (address) => {
      callback = new URL(address).searchParams.get('redirect_uri') ?? '';
      cancel.abort(new Error('cancelled'));
      return Promise.resolve(true);
    };
    await server.start(NEVER);
    await assert.rejects(server.signIn(cancel.signal), /^Error: cancelled$/);
    await assert.rejects(fetch(callback), /fetch failed/);
    assert.deepEqual(all.problem, ['failed', WANTS, 'wanted']);
  });

  it('ends when VS Code does not open the page', async () => {
    rig.browse = () => Promise.resolve(false);
    assert.equal((await rejection(server.signIn(NEVER))).code, 'mcp.signInCancelled');
  });

  it('ends after a time limit', async () => {
    const quick = windowOf({ signInMs: 50 });
    quick.browse = () => Promise.resolve(true);
    const error = await rejection(quick.server({ url: peer.url }).signIn(NEVER));
    assert.equal(error.message, 'You did not finish the sign-in in the browser within 1 minute.');
    await quick.servers.dispose();
  });

  it('starts again when the user presses the button again', async () => {
    await server.start(NEVER);
    let pages = 0;
    const opened = new Promise<void>((resolve) => {
      rig.browse = (address) => {
        pages += 1;
        if (pages === 1) {
          resolve();
        } else {
          void browse(address, plain);
        }
        return Promise.resolve(true);
      };
    });
    const first = rejection(server.signIn(NEVER));
    await opened;
    await server.signIn(NEVER);
    assert.equal((await first).code, 'mcp.signInCancelled');
    assert.deepEqual([pages, server.status], [2, 'running']);
  });

  it('uses the sign-in of another window instead of the browser', async () => {
    await server.start(NEVER);
    const other = windowOf({}, rig);
    await other.server({ url: peer.url }).signIn(NEVER);
    rig.browse = () => Promise.reject(new Error('no page is needed'));
    await server.signIn(NEVER);
    assert.equal(await say(server), 'say: hello');
    await other.servers.dispose();
  });

  it('does not try forever at a server that refuses every token', async () => {
    await server.start(NEVER);
    peer.refusal = { status: 401, challenge: 'error="invalid_token"' };
    const error = await rejection(server.signIn(NEVER));
    const refused = 'The server refuses your sign-in (HTTP 401). Sign in again, for example with another account.';
    assert.equal(error.message, `The server "tested" does not run. ${refused}`);
    assert.deepEqual(all.problem, ['failed', refused, 'wanted']);
    // The code, and one renewal.
    assert.equal(peer.times('POST /token'), 2);
  });

  it('asks for more permissions when the server needs them', async () => {
    await server.signIn(NEVER);
    peer.refusal = { status: 403, challenge: 'error="insufficient_scope", scope="mcp write"' };
    assert.equal(await say(server), 'The server wants you to sign in again, with more permissions.');
    assert.equal(server.signInState, 'wanted');
    let asked = '';
    rig.browse = (address) => {
      asked = new URL(address).searchParams.get('scope') ?? '';
      return Promise.resolve(false);
    };
    await rejection(server.signIn(NEVER));
    assert.deepEqual(asked.split(' ').toSorted(), ['mcp', 'offline_access', 'write']);
  });

  it('ignores a stored sign-in that it cannot read', async () => {
    rig.signIns.set(all.key, '{"tokens":"of a later version"}');
    await server.start(NEVER);
    assert.deepEqual(all.problem, ['failed', WANTS, 'wanted']);
    assert.match(server.log, /Loupe cannot read the stored sign-in/);
    rig.signIns.set(all.key, 'no JSON');
    await server.restart(NEVER);
    assert.deepEqual(all.problem, ['failed', WANTS, 'wanted']);
  });

  it('is only at addresses that are safe', async () => {
    await server.start(NEVER);
    const refuses = async (metadata: object, text: RegExp): Promise<void> => {
      peer.metadata = { ...metadata };
      assert.match((await rejection(server.signIn(NEVER))).message, text);
    };
    await refuses(
      { authorization_servers: ['http://login.example'] },
      /^The server names http:\/\/login\.example for the sign-in\. Loupe signs in only at addresses with https/,
    );
    await refuses({ authorization_servers: ['ftp://login.example'] }, /^The server names ftp:\/\/login\.example for the sign-in/);
    await refuses(
      { resource: 'https://other.example/mcp' },
      /^The sign-in failed: Protected resource https:\/\/other\.example\/mcp does not match/,
    );
    peer.metadata = {};
    const page = 'http://login.example/page';
    const endpoints = { authorization_endpoint: page, token_endpoint: page, registration_endpoint: `${peer.issuer}/reg`, jwks_uri: page };
    const supported = {
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      code_challenge_methods_supported: ['S256'],
    };
    peer.issuerMetadata = { issuer: peer.issuer, ...endpoints, ...supported, id_token_signing_alg_values_supported: ['RS256'] };
    assert.match((await rejection(server.signIn(NEVER))).message, /^The server names http:\/\/login\.example for the sign-in/);
    peer.asked.splice(peer.asked.indexOf('POST /reg'), 1);
    assert.deepEqual(
      peer.asked.filter((each) => !each.startsWith('GET /.well-known')),
      [],
    );
  });

  it('tells that the authorization server is not there', async () => {
    await server.start(NEVER);
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    peer.metadata = { authorization_servers: [`http://127.0.0.1:${String(port)}`] };
    assert.match((await rejection(server.signIn(NEVER))).message, /^The sign-in failed: No server answers at 127\.0\.0\.1:\d+/);
  });

  it('tells when the server knows no sign-in', async () => {
    await server.start(NEVER);
    peer.hasMetadata = false;
    const error = await rejection(server.signIn(NEVER));
    assert.equal(error.message, 'The server does not say where to sign in. If it needs a token, set it in "headers".');
  });
});
