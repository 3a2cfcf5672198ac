import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { McpLimits } from '../../../src/tools/mcp/limits.js';
import type { McpServer } from '../../../src/tools/mcp/mcpServer.js';
import { signInKey, type StoredSignIn } from '../../../src/tools/mcp/signIn/storedSignIn.js';
import { callOptions, McpRig, sha256 } from './rig.js';
import { browse, SignInServer, type SignInOptions } from './signInServer.js';

export const WANTS = 'The server wants you to sign in.';

export const plain = (address: string): string => address;

/** A window with a browser whose user signs in at once. With `shared`, another window of its user. */
export function windowOf(limits: Partial<McpLimits>, shared?: McpRig): McpRig {
  const rig = shared === undefined ? new McpRig(limits) : new McpRig(limits, shared);
  rig.browse = (address) => {
    void browse(address, plain);
    return Promise.resolve(true);
  };
  return rig;
}

export async function callText(server: McpServer, tool: string, args: Readonly<Record<string, string>>): Promise<string> {
  const { content } = await server.call(tool, args, callOptions(new Map()));
  return content.map((item) => (item.type === 'text' ? item.text : `<${item.type}>`)).join('\n');
}

export const say = (server: McpServer): Promise<string> => callText(server, 'say', { text: 'hello' });

/** A window with one configured MCP server, for which the user must sign in. */
export class SignInRig {
  readonly peer: SignInServer;
  readonly rig = windowOf({});
  server: McpServer;

  private constructor(peer: SignInServer, more: object) {
    this.peer = peer;
    this.server = this.configure(more);
  }

  static async start(options: SignInOptions, more: object): Promise<SignInRig> {
    return new SignInRig(await SignInServer.start(options), more);
  }

  configure(more: object): McpServer {
    this.server = this.rig.server({ url: this.peer.url, ...more });
    return this.server;
  }

  get key(): string {
    return signInKey(new URL(this.peer.url), sha256);
  }

  get stored(): StoredSignIn | null {
    return JSON.parse(this.rig.signIns.get(this.key) ?? 'null') as StoredSignIn | null;
  }

  get problem(): readonly unknown[] {
    return [this.server.status, this.server.problem, this.server.signInState];
  }

  async close(): Promise<void> {
    await this.rig.servers.dispose();
    await this.peer.close();
    await rm(this.rig.lockFolder, { recursive: true, force: true });
    assert.deepEqual(this.rig.errors, []);
  }
}
