import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import { itemKey, type ResourceBase } from '../../engine/record/item.js';
import { textOfResource } from '../context/mentions/textOfResource.js';
import { visibleCharacters } from '../tools/shownText.js';
import type { WindowToolbox } from '../tools/windowToolbox.js';

const SCHEME = 'loupe-tool';

/** The content of a document: a server's log (by server name), a tool (by item key), or a resource. */
type ToolDocumentKey = { readonly log: string } | { readonly tool: string } | { readonly resource: ResourceBase };

/** Shows server logs, tool descriptions and resources as read-only documents. Open logs are updated as they grow. */
export class ToolDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #toolbox: WindowToolbox;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor(toolbox: WindowToolbox) {
    this.#toolbox = toolbox;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
    toolbox.onChange(() => {
      for (const { uri } of vscode.workspace.textDocuments.filter((document) => document.uri.scheme === SCHEME)) {
        this.#changed.fire(uri);
      }
    });
  }

  async showLog(server: string): Promise<void> {
    const uri = uriOf(`${server} log.txt`, { log: server });
    this.#changed.fire(uri);
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
  }

  /** Opens the server's description of a tool. Rejects with `invalidInput` if the server no longer has the tool. */
  async showTool(key: string): Promise<void> {
    if (this.#toolText(key) === null) {
      throw failure('catalog.gone');
    }
    await vscode.commands.executeCommand('vscode.open', uriOf(`${key.slice(key.lastIndexOf('/') + 1)}.json`, { tool: key }), {
      preview: true,
    });
  }

  /** Opens the current text of a resource. After a cancel, opens nothing. Rejects if the resource cannot be read. */
  async showResource(key: string): Promise<void> {
    const { resources } = this.#toolbox;
    const item = resources.named(key);
    if (item === null) {
      throw failure('catalog.gone');
    }
    if ((await textOfResource(item, resources)) === null) {
      return;
    }
    const uri = uriOf(item.name.slice(item.name.lastIndexOf('/') + 1), { resource: item });
    this.#changed.fire(uri);
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const shown = JSON.parse(uri.query) as ToolDocumentKey;
    if ('resource' in shown) {
      const known = this.#toolbox.resources.known(shown.resource);
      return known.ok ? known.content : `${known.reason}\n`;
    }
    if ('tool' in shown) {
      return this.#toolText(shown.tool) ?? 'The server no longer has this tool.\n';
    }
    const log = this.#toolbox.mcp.servers.logOf(shown.log);
    return log === '' ? `The server ${shown.log} has not written to its log yet.\n` : visibleCharacters(log);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  #toolText(key: string): string | null {
    const found = this.#toolbox
      .servers()
      .flatMap(({ name: serverName, tools }) => tools.map((tool) => ({ serverName, tool })))
      .find(({ serverName, tool: { name } }) => itemKey({ type: 'tool', serverName, name }) === key);
    if (found === undefined) {
      return null;
    }
    const { name, title, description, inputSchema } = found.tool;
    return visibleCharacters(`${JSON.stringify({ server: found.serverName, name, title, description, inputSchema }, null, 2)}\n`);
  }
}

/** Returns the URI of a document. VS Code shows the URI's path as the name of the tab. */
function uriOf(name: string, shown: ToolDocumentKey): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${name.replaceAll('/', '_')}`, query: JSON.stringify(shown) });
}
