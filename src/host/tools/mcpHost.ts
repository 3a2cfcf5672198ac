import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { logFailure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Elicit } from '../../tools/mcp/elicitation.js';
import { MCP_LIMITS } from '../../tools/mcp/limits.js';
import type { McpMistake } from '../../tools/mcp/config/mcpConfig.js';
import { McpServers } from '../../tools/mcp/mcpServers.js';
import { VscodeWizard } from '../models/providers/vscodeWizard.js';
import { editorEncodings } from '../context/editorEncodings.js';
import { folderPaths } from '../window/folders.js';
import { openAddress } from '../window/openAddress.js';
import { SETTINGS_SECTION } from '../window/settingsSection.js';
import { sha256 } from '../window/systemPorts.js';
import { ElicitDialogs } from './elicitDialogs.js';
import { storedToolLists } from './keptToolLists.js';
import { signInPorts } from './signInPorts.js';
import { ServerPermissions } from './serverPermissions.js';
import { MCP_FILES, MCP_SERVERS_KEY, type McpPlaces, readMcpSources } from './mcpSources.js';

/** Prefix of the storage keys for input values, which separates them from keys of providers. */
const INPUT_PREFIX = 'mcp.input.';

export interface McpHostPorts {
  readonly context: Pick<vscode.ExtensionContext, 'secrets' | 'globalState' | 'globalStorageUri' | 'extension'>;
  readonly isTrusted: () => boolean;
  readonly logError: (error: LoupeError) => void;
}

export class McpHost {
  readonly servers: McpServers;
  readonly permissions: ServerPermissions;
  readonly #ports: McpHostPorts;
  readonly #watching: vscode.Disposable;
  #problems: readonly McpMistake[] = [];
  #reading: Promise<void> = Promise.resolve();
  /** Whether the configuration has changed during a read, so that another read must follow. */
  #isStale = false;

  constructor(ports: McpHostPorts) {
    this.#ports = ports;
    this.permissions = new ServerPermissions(ports.context.globalState, logFailure(ports));
    this.servers = createServers(ports, this.permissions);
    this.#watching = this.#watch();
    this.#readAgain();
  }

  get mistakes(): readonly McpMistake[] {
    return [...this.#problems, ...this.servers.mistakes];
  }

  /** Returns where servers are configured. VS Code has the user's file in the folder of its own settings. */
  places(): McpPlaces {
    const settings = dirname(dirname(this.#ports.context.globalStorageUri.fsPath));
    return { folders: folderPaths(), userFile: join(settings, 'mcp.json') };
  }

  async read(): Promise<void> {
    await this.#reading;
  }

  /** Stops all servers. Resolves when their processes have ended. */
  async dispose(): Promise<void> {
    this.#watching.dispose();
    await this.#reading;
    await this.servers.dispose();
  }

  #watch(): vscode.Disposable {
    const again = this.#readAgain.bind(this);
    const { userFile } = this.places();
    const patterns = [
      new vscode.RelativePattern(vscode.Uri.file(dirname(userFile)), basename(userFile)),
      ...MCP_FILES.map((file) => `**/${file}`),
    ];
    const watchers = patterns.map((pattern) => vscode.workspace.createFileSystemWatcher(pattern));
    return vscode.Disposable.from(
      ...watchers.flatMap((watcher) => [watcher, watcher.onDidCreate(again), watcher.onDidChange(again), watcher.onDidDelete(again)]),
      vscode.workspace.onDidChangeWorkspaceFolders(again),
      vscode.workspace.onDidGrantWorkspaceTrust(again),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(`${SETTINGS_SECTION}.${MCP_SERVERS_KEY}`)) {
          again();
        }
      }),
    );
  }

  /** Reads the configuration again. Combines several changes into one read. */
  #readAgain(): void {
    if (this.#isStale) {
      return;
    }
    this.#isStale = true;
    this.#reading = this.#reading.then(async () => {
      this.#isStale = false;
      await this.#readNow().catch(logFailure(this.#ports));
    });
  }

  /** Reads the configuration. In Restricted Mode, allows no servers, not even the user's own. */
  async #readNow(): Promise<void> {
    const setting: unknown = vscode.workspace.getConfiguration(SETTINGS_SECTION).get(MCP_SERVERS_KEY);
    const { sources, problems } = this.#ports.isTrusted()
      ? await readMcpSources(setting, this.places(), editorEncodings)
      : { sources: [], problems: [] };
    this.#problems = problems;
    this.servers.configure(sources);
  }
}

function createServers({ context, logError }: McpHostPorts, leaves: ServerPermissions): McpServers {
  const { secrets, globalState, extension } = context;
  const dialogs = new ElicitDialogs({
    wizard: (signal) => new VscodeWizard(signal),
    open: openAddress,
  });
  const elicit: Elicit = (serverName, request, signal) => dialogs.elicit(serverName, request, signal);
  const { version } = extension.packageJSON as { readonly version: string };
  return new McpServers({
    sha256,
    environment: process.env,
    home: homedir(),
    setting: (key) => {
      const value: unknown = vscode.workspace.getConfiguration().get(key);
      return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null;
    },
    folderNamed: (name) => vscode.workspace.workspaceFolders?.find((folder) => folder.name === name)?.uri.fsPath ?? null,
    version,
    inputs: {
      get: async (key) => (await secrets.get(`${INPUT_PREFIX}${key}`)) ?? null,
      keep: async (key, value) => secrets.store(`${INPUT_PREFIX}${key}`, value),
      forget: async (key) => secrets.delete(`${INPUT_PREFIX}${key}`),
      ask: (serverName, input, signal) => dialogs.ask(serverName, input, signal),
    },
    signIn: signInPorts(context),
    keptTools: storedToolLists(globalState, (thrown) => {
      logError(toLoupeError(thrown));
    }),
    elicit,
    mayStart: leaves.mayStart.bind(leaves),
    reportError: logError,
    limits: MCP_LIMITS,
  });
}
