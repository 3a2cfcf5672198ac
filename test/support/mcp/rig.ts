import { createHash, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoupeError } from '../../../src/engine/errors.js';
import type { ToolCallOptions } from '../../../src/engine/ports.js';
import { withWindowLock } from '../../../src/storage/windows/windowLock.js';
import { MCP_LIMITS, type McpLimits } from '../../../src/tools/mcp/limits.js';
import type { Elicit, ElicitRequest } from '../../../src/tools/mcp/elicitation.js';
import type { McpInput } from '../../../src/tools/mcp/config/mcpInputs.js';
import type { StartRequest, McpPorts } from '../../../src/tools/mcp/mcpPorts.js';
import type { McpServer } from '../../../src/tools/mcp/mcpServer.js';
import { McpServers } from '../../../src/tools/mcp/mcpServers.js';

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

export const NEVER = new AbortController().signal;

/** Returns the command of an installed MCP server: `everything`, `filesystem`, `memory`. */
export function installed(name: string, ...args: readonly string[]): { command: string; args: readonly string[] } {
  const script = join(process.cwd(), 'node_modules/@modelcontextprotocol', `server-${name}`, 'dist/index.js');
  return { command: process.execPath, args: [script, ...args] };
}

export type SharedWindows = Pick<McpRig, 'signIns' | 'lockFolder'>;

/** MCP servers with ports in memory. Ends all their processes after each test. */
export class McpRig {
  readonly secrets = new Map<string, string>();
  readonly kept = new Map<string, unknown>();
  readonly errors: LoupeError[] = [];
  readonly asked: McpInput[] = [];
  readonly changes: string[] = [];
  readonly questions: ElicitRequest[] = [];
  elicit: Elicit = () => Promise.resolve({ action: 'cancel' });
  readonly starts: StartRequest[] = [];
  mayStart: McpPorts['mayStart'] = () => Promise.resolve(true);
  answer: string | null = null;
  /** The stored sign-ins. Several rigs with the same sign-ins and folder are windows of one user. */
  readonly signIns: Map<string, string>;
  readonly lockFolder: string;
  /** The user's browser. */
  browse: (address: string) => Promise<boolean> = () => Promise.resolve(false);
  readonly servers: McpServers;
  readonly #waiting = new Set<() => void>();

  constructor(limits: Partial<McpLimits>, window?: SharedWindows) {
    this.signIns = window?.signIns ?? new Map<string, string>();
    this.lockFolder = window?.lockFolder ?? join(tmpdir(), `loupe-locks-${randomUUID()}`);
    this.servers = new McpServers(this.#ports({ ...MCP_LIMITS, ...limits }));
    this.servers.listen({
      configured: () => {
        this.#happened('configured');
      },
      changed: (server, change) => {
        this.#happened(`${server.name} ${change === 'tools' ? change : server.status}`);
      },
    });
  }

  server(entry: object): McpServer {
    this.servers.configure([{ place: '.vscode/mcp.json', isOwn: false, folder: tmpdir(), content: { servers: { tested: entry } } }]);
    return this.only();
  }

  only(): McpServer {
    const [server] = this.servers.servers();
    if (server === undefined) {
      throw new Error(`There is no server: ${this.servers.mistakes.map(({ text }) => text).join(' ')}`);
    }
    return server;
  }

  /** Waits until a server reports it, or has reported it before. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  #happened(what: string): void {
    this.changes.push(what);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    waiting.forEach((resolve) => {
      resolve();
    });
  }

  #ports(limits: McpLimits): McpPorts {
    return {
      sha256,
      environment: process.env,
      home: tmpdir(),
      setting: () => null,
      folderNamed: () => null,
      version: '1.2.3',
      inputs: {
        get: (key) => Promise.resolve(this.secrets.get(key) ?? null),
        keep: (key, value) => {
          this.secrets.set(key, value);
          return Promise.resolve();
        },
        forget: (key) => {
          this.secrets.delete(key);
          return Promise.resolve();
        },
        ask: (_name, input) => {
          this.asked.push(input);
          return Promise.resolve(this.answer);
        },
      },
      signIn: {
        get: (key) => Promise.resolve(this.signIns.get(key) ?? null),
        keep: (key, value) => Promise.resolve(void this.signIns.set(key, value)),
        forget: (key) => Promise.resolve(void this.signIns.delete(key)),
        exclusively: (name, work) => withWindowLock(this.lockFolder, name, work),
        reachable: (address) => Promise.resolve(address),
        open: (address) => this.browse(address),
      },
      keptTools: { get: (identity) => this.kept.get(identity), keep: (identity, tools) => void this.kept.set(identity, tools) },
      mayStart: (asked, signal) => {
        this.starts.push(asked);
        return this.mayStart(asked, signal);
      },
      elicit: (name, request, signal) => {
        this.questions.push(request);
        return this.elicit(name, request, signal);
      },
      reportError: (error) => void this.errors.push(error),
      limits,
    };
  }
}

/** Call options without an abort. Blobs are stored by hash. */
export function callOptions(blobs: Map<string, Uint8Array>): ToolCallOptions {
  return {
    signal: NEVER,
    onProgress: () => undefined,
    keepBlob: (bytes) => {
      const name = createHash('sha256').update(bytes).digest('hex');
      blobs.set(name, bytes);
      return Promise.resolve(name);
    },
  };
}
