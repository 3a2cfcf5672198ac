import { join } from 'node:path';
import * as vscode from 'vscode';
import { withWindowLock } from '../../storage/windows/windowLock.js';
import type { SignInPorts } from '../../tools/mcp/mcpPorts.js';
import { openAddress } from '../window/openAddress.js';

/** Prefix of the storage keys for sign-ins to MCP servers, which separates them from keys of providers. */
const SIGN_IN_PREFIX = 'mcp.signIn.';

/** Stores sign-ins in VS Code's secret storage, and opens pages in the user's browser. */
export function signInPorts({ secrets, globalStorageUri }: Pick<vscode.ExtensionContext, 'secrets' | 'globalStorageUri'>): SignInPorts {
  return {
    get: async (key) => (await secrets.get(`${SIGN_IN_PREFIX}${key}`)) ?? null,
    keep: async (key, value) => secrets.store(`${SIGN_IN_PREFIX}${key}`, value),
    forget: async (key) => secrets.delete(`${SIGN_IN_PREFIX}${key}`),
    exclusively: (name, work) => withWindowLock(join(globalStorageUri.fsPath, 'signIns'), name, work),
    // In a remote window, the browser runs on another computer. VS Code forwards the port.
    reachable: async (address) => (await vscode.env.asExternalUri(vscode.Uri.parse(address, true))).toString(true),
    open: openAddress,
  };
}
