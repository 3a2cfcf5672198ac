import * as vscode from 'vscode';
import { diskPathOf } from '../context/files/userFiles.js';
import { lastRun } from '../../engine/chat/branch.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { Clock } from '../../engine/ports.js';
import { proofSentences } from '../../protocol/panel/manager.js';
import { type Proofs, proofView } from '../chat/proofs.js';
import type { CatalogSource } from '../context/catalog/workspaceCatalog.js';
import type { WorkspaceFiles } from '../context/files/workspaceFiles.js';

export interface RuleLensPorts {
  readonly files: () => WorkspaceFiles;
  readonly catalog: Pick<CatalogSource, 'read'>;
  readonly proofs: Pick<Proofs, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly chat: () => ChatState | null;
}

/**
 * Shows lines above each rule, reference and skill file: the recent requests that contained it, its tokens and price in
 * them, and other files that repeat most of its text.
 */
export class RuleLens implements vscode.CodeLensProvider {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  /** Identifies the data in the visible lines: the chat, the number of attempts, and the status of the last run. */
  #shown = '';
  readonly #ports: RuleLensPorts;

  constructor(ports: RuleLensPorts) {
    this.#ports = ports;
  }

  register(): vscode.Disposable {
    return vscode.Disposable.from(this.#changed, vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this));
  }

  /** Updates the lines. Call this when the panel may show another chat, and when a request was sent or has ended. */
  changed(): void {
    const chat = this.#ports.chat();
    const shown = chat === null ? '' : `${chat.chatId} ${String(chat.attempts.size)} ${lastRun(chat)?.status ?? ''}`;
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#changed.fire();
    }
  }

  async provideCodeLenses({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { files, catalog, proofs, clock, chat } = this.#ports;
    const path = files().relative(uri.fsPath);
    const all = await catalog.read();
    const [key, item] = [...all].find(([, { source }]) => source === path) ?? [];
    const shown = chat();
    if (key === undefined || item === undefined || shown === null) {
      return [];
    }
    const view = await proofView(key, item, all, await proofs.read(shown.chatId));
    const said = proofSentences(view, clock.now()).map((text) => lens({ title: `Loupe: ${text}`, command: 'loupe.manageContext' }));
    const duplicates = view.duplicates.map(async ({ text, source }) => {
      const other = vscode.Uri.file((await diskPathOf(source, files())) ?? '');
      return lens({ title: `Loupe: ${text}`, command: 'vscode.diff', arguments: [uri, other, `${item.source} and ${source}`] });
    });
    return [...said, ...(await Promise.all(duplicates))];
  }
}

function lens(command: vscode.Command): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command);
}
