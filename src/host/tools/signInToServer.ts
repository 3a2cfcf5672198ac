import * as vscode from 'vscode';
import { failure, type LoupeError, toLoupeError } from '../../engine/errors.js';
import type { SignInState } from '../../engine/tools/tool.js';
import type { McpServers } from '../../tools/mcp/mcpServers.js';
import { shownText } from './shownText.js';

/** Signs the user in to an MCP server. A notification shows the wait for the browser, and can cancel it. */
export async function signInToServer(name: string, servers: Pick<McpServers, 'signIn'>): Promise<void> {
  const title = `Waiting until you sign in to the MCP server "${shownText(name)}" in your browser`;
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  // VS Code would show the error of a notification, so the notification ends without it.
  const error = await vscode.window.withProgress(options, async (_progress, token): Promise<LoupeError | null> => {
    const cancel = new AbortController();
    token.onCancellationRequested(() => {
      cancel.abort(failure('mcp.signInCancelled'));
    });
    return servers.signIn(name, cancel.signal).then(() => null, toLoupeError);
  });
  if (error !== null) {
    throw error;
  }
}

/** Starts a server for a list of its prompts or resources, and signs the user in if the server wants it. */
export async function startToFind(name: string, servers: McpServers): Promise<void> {
  const server = servers.servers().find((each) => each.name === name);
  const signal = new AbortController().signal;
  if (server?.signInState === 'wanted') {
    await signInToServer(name, servers);
  } else if (server?.status === 'failed') {
    // Only a restart ends the wait after failures.
    await server.restart(signal);
  } else {
    await server?.start(signal);
  }
}

const STATES: Readonly<Record<SignInState, string>> = { wanted: 'wants you to sign in', done: 'signed in', none: '' };

/** Asks the user for a server that takes a sign-in. Rejects without such a server, and after a cancel. */
export async function pickServer(servers: Pick<McpServers, 'servers'>): Promise<string> {
  const all = servers.servers().filter(({ takesSignIn }) => takesSignIn);
  if (all.length === 0) {
    throw failure('mcp.noneTakesSignIn');
  }
  const wanted = all.filter(({ signInState }) => signInState === 'wanted');
  const items = [...new Set([...wanted, ...all])].map(({ name, signInState }) => ({
    label: shownText(name),
    description: STATES[signInState],
    name,
  }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: 'MCP server', title: 'Sign in to an MCP server' });
  if (picked === undefined) {
    throw failure('mcp.signInCancelled');
  }
  return picked.name;
}
