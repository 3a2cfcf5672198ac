import { join } from 'node:path';
import * as vscode from 'vscode';
import type { LoupeError } from '../../engine/errors.js';
import type { CallableTool } from '../../engine/tools/offered.js';
import { WORKSPACE_SERVER } from '../../engine/tools/serverName.js';
import type { SignInState, ToolServer } from '../../engine/tools/tool.js';
import { ECHO_TOOL } from '../../providers/practice/echoTool.js';
import type { McpMistake } from '../../tools/mcp/config/mcpConfig.js';
import type { ServerQuestionView } from '../../protocol/questions.js';
import type { McpServer } from '../../tools/mcp/mcpServer.js';
import { systemClock } from '../window/systemPorts.js';
import { StoredApprovals } from './alwaysAllowed.js';
import { McpHost } from './mcpHost.js';
import { ServerResources } from './resources/serverResources.js';
import type { ShownServers } from './serverStates.js';
import type { Toolbox } from './toolbox.js';
import { VscodeServers } from './vscode/vscodeServers.js';
import { type OwnServerPorts, ownServer } from './workspace/ownServer.js';
import { SESSION_FILE_TOOLS } from './workspace/sessionFileTools.js';
import { WorkspaceServer } from './workspace/workspaceServer.js';

export interface WindowToolboxPorts extends Omit<OwnServerPorts, 'folders'> {
  readonly context: vscode.ExtensionContext;
  readonly logError: (error: LoupeError) => void;
  readonly logInfo: (text: string) => void;
}

/** All tools of a window: Loupe's own tools, and the tools of MCP servers, VS Code and its extensions. */
export class WindowToolbox implements Toolbox, ShownServers {
  readonly always: StoredApprovals;
  readonly mcp: McpHost;
  readonly resources: ServerResources;
  readonly #own: ToolServer;
  readonly #ownWithoutFolder = new WorkspaceServer([], SESSION_FILE_TOOLS, () => []);
  readonly #vscode: VscodeServers;

  constructor(ports: WindowToolboxPorts) {
    const { context, logError } = ports;
    this.always = new StoredApprovals(join(context.globalStorageUri.fsPath, 'allowedTools'));
    this.mcp = new McpHost({ context, isTrusted: () => vscode.workspace.isTrusted, logError });
    this.resources = new ServerResources({ configured: () => this.mcp.read(), servers: () => this.mcpServers(), clock: systemClock });
    this.#own = ownServer({ ...ports, folders: folderUris });
    this.#vscode = new VscodeServers(ports.logInfo);
  }

  servers(): readonly ToolServer[] {
    if (!vscode.workspace.isTrusted) {
      return [];
    }
    const own = vscode.workspace.workspaceFolders === undefined ? this.#ownWithoutFolder : this.#own;
    const configured = [own, ...this.mcpServers()];
    const names = new Set(configured.flatMap(({ tools }) => tools.map(({ name }) => name)));
    return [...configured, ...this.#vscode.servers(names)];
  }

  /** Returns the MCP servers. Empty in Restricted Mode. Omits a server with the name of Loupe's own tools. */
  mcpServers(): readonly McpServer[] {
    return this.mcp.servers.servers().filter(({ name }) => name !== WORKSPACE_SERVER);
  }

  hasLog(name: string): boolean {
    return this.#configured(name) !== undefined;
  }

  signIn(name: string): SignInState {
    return this.#configured(name)?.signInState ?? 'none';
  }

  #configured(name: string): McpServer | undefined {
    return this.mcp.servers.servers().find((server) => server.name === name);
  }

  /** Returns errors in the configuration. A server with the reserved name of Loupe's own tools is an error. */
  mistakes(): readonly McpMistake[] {
    const taken = this.mcp.servers.servers().filter(({ name }) => name === WORKSPACE_SERVER);
    return [
      ...this.mcp.mistakes,
      ...taken.map(({ place }) => ({
        place,
        line: null,
        text: `${place}: The name "${WORKSPACE_SERVER}" is reserved for Loupe's own tools. Choose another name.`,
      })),
    ];
  }

  startQuestion(): ServerQuestionView | null {
    return this.mcp.permissions.question();
  }

  answerStart(question: string, isAllowed: boolean): boolean {
    return this.mcp.permissions.answer(question, isAllowed);
  }

  builtIn(name: string): CallableTool | null {
    return name === ECHO_TOOL.name ? ECHO_TOOL : null;
  }

  /** Calls `listener` when servers or tools change, and when a question about the start of a server opens. */
  onChange(listener: () => void): void {
    this.mcp.servers.listen({ configured: listener, changed: listener });
    this.mcp.permissions.onChange(listener);
  }

  async dispose(): Promise<void> {
    await this.mcp.dispose();
  }
}

/** Returns the URIs of the workspace folders, sorted. */
export function folderUris(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString()).toSorted();
}
