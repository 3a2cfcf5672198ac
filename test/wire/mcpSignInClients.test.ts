import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ended, freePort, startEverything } from '../support/mcp/everything.js';
import { NEVER } from '../support/mcp/rig.js';
import { callText, say, SignInRig } from '../support/mcp/signInRig.js';
import { KNOWN_CLIENT } from '../support/mcp/signInServer.js';
import { rejection } from '../support/rejection.js';

describe('the sign-in to an MCP server that does not register every program, or has the older transport', function () {
  this.timeout(30_000);
  let all: SignInRig;

  afterEach(() => all.close());

  it('needs a client id if programs cannot register, and uses the configured one', async () => {
    all = await SignInRig.start({ registers: 'none', inner: null }, {});
    const { peer } = all;
    let { server } = all;
    const error = await rejection(server.signIn(NEVER));
    assert.equal(
      error.message,
      'The sign-in of this server does not register programs. Get a client id from the operator of the server, and set "oauth": { "clientId": "…" } at the server.',
    );
    server = all.configure({ oauth: { clientId: KNOWN_CLIENT } });
    await server.signIn(NEVER);
    assert.equal(await say(server), 'say: hello');
    await peer.expire();
    assert.equal(await say(server), 'say: hello');
    assert.equal(all.stored?.client.client_id, KNOWN_CLIENT);
  });

  it('returns to the configured port', async () => {
    all = await SignInRig.start({ registers: 'none', inner: null }, {});
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const server = all.configure({ oauth: { clientId: KNOWN_CLIENT, callbackPort: port } });
    assert.equal(
      (await rejection(server.signIn(NEVER))).message,
      `Loupe could not use the port ${String(port)} for the sign-in (EADDRINUSE). Close the program that uses it, or change "callbackPort".`,
    );
    taken.close();
    await once(taken, 'close');
    await server.signIn(NEVER);
    assert.equal(server.status, 'running');
    assert.ok(
      all.peer.asked.some((each) => each.includes(`redirect_uri=${encodeURIComponent(`http://localhost:${String(port)}/callback`)}`)),
    );
  });

  it('tells when the authorization server refuses to register Loupe', async () => {
    all = await SignInRig.start({ registers: 'withToken', inner: null }, {});
    const error = await rejection(all.server.signIn(NEVER));
    assert.match(
      error.message,
      /^The sign-in of this server refused to register Loupe: HTTP 40[01]: .+\. Get a client id from the operator/,
    );
  });

  it('works over SSE, also when the tokens expire between two streams', async () => {
    const port = await freePort();
    const program = await startEverything('sse', port);
    try {
      all = await SignInRig.start({ registers: 'all', inner: `http://127.0.0.1:${String(port)}/sse` }, { type: 'sse' });
      const { peer, server } = all;
      const echo = (): Promise<string> => callText(server, 'echo', { message: 'over SSE' });
      await server.signIn(NEVER);
      assert.equal(await echo(), 'Echo: over SSE');
      await peer.expire();
      await server.restart(NEVER);
      assert.equal(await echo(), 'Echo: over SSE');
      await peer.expire();
      assert.equal(await echo(), 'Echo: over SSE');
    } finally {
      await ended(program);
    }
  });

  it('is not offered at a server with a configured token', async () => {
    all = await SignInRig.start({ registers: 'all', inner: null }, { headers: { authorization: 'Bearer a-configured-token' } });
    const { peer, server } = all;
    await server.start(NEVER);
    assert.deepEqual(all.problem, ['failed', 'The server refused access (HTTP 401). Check "headers".', 'none']);
    assert.equal((await rejection(server.signIn(NEVER))).message, 'The server "tested" does not ask for a sign-in.');
    assert.deepEqual(peer.asked, []);
  });
});
