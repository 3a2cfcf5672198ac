import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activated, failure, until } from '../support/host/extension.js';
import { browse, SignInServer } from '../support/mcp/signInServer.js';

const NAME = 'tickets';

const signIn = (name: string): Thenable<unknown> => vscode.commands.executeCommand('loupe.signInServer', name);

/** The web server of code-server, which is not part of this test, passes such addresses on to a port. */
function proxied(address: string): string {
  return address.replace(/^http:\/\/[^/]+\/proxy\/(\d+)\//, 'http://127.0.0.1:$1/');
}

describe('the sign-in to an MCP server in VS Code', () => {
  const { openExternal } = vscode.env;
  let peer: SignInServer;
  let opened: string[];
  let isAllowed: boolean;

  before(async () => {
    await activated();
  });

  beforeEach(async () => {
    peer = await SignInServer.start({ registers: 'all', inner: null });
    opened = [];
    isAllowed = true;
    // In place of VS Code's question and the user's browser. VS Code lets tests replace the members of `env`.
    const browser = (given: vscode.Uri | string): Promise<boolean> => {
      // VS Code gives browsers this text of an address.
      const address = typeof given === 'string' ? given : encodeURI(given.toString(true));
      opened.push(address);
      if (isAllowed) {
        void browse(address, proxied);
      }
      return Promise.resolve(isAllowed);
    };
    Object.assign(vscode.env, { openExternal: browser });
    await configure({ servers: { [NAME]: { url: peer.url } } });
  });

  afterEach(async () => {
    Object.assign(vscode.env, { openExternal });
    await configure(undefined);
    await peer.close();
  });

  const configure = async (servers: object | undefined): Promise<void> => {
    await vscode.workspace.getConfiguration('loupe').update('mcpServers', servers, vscode.ConfigurationTarget.Global);
  };

  it('opens the page of the authorization server, and connects with its tokens', async () => {
    await signIn(NAME);
    const [page = ''] = opened;
    assert.ok(page.startsWith(`${peer.issuer}/auth?`), page);
    assert.equal(new URL(page).searchParams.get('resource'), peer.url);
    assert.equal(peer.times('POST /token'), 1);
    await until(() => peer.served.includes('tools/list'), 'the server lists its tools');
  });

  it('names the whole address of the server, also with several parameters', async () => {
    const resource = `${peer.url}?team=a&days=2`;
    peer.metadata = { resource };
    await configure({ servers: { [NAME]: { url: resource } } });
    await signIn(NAME);
    assert.equal(new URL(opened[0] ?? '').searchParams.get('resource'), resource);
    await until(() => peer.served.includes('tools/list'), 'the server lists its tools');
  });

  it('fails with the reason, and not at all after a cancel', async () => {
    peer.consents = false;
    assert.equal(await failure(signIn(NAME)), 'The sign-in was refused in the browser: The user said no.');
    isAllowed = false;
    assert.equal(await signIn(NAME), undefined);
    assert.equal(await failure(signIn('unknown')), 'The server "unknown" is not configured any more.');
    assert.deepEqual(peer.served, []);
  });
});
