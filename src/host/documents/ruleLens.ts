import * as vscode from 'vscode';
import type { ChatState } from '../../engine/chat/state.js';
import { ItemProofs, type ItemProof } from '../../engine/context/itemProof.js';
import type { CatalogSource } from '../context/catalog/workspaceCatalog.js';
import type { WorkspaceFiles } from '../context/files/workspaceFiles.js';

export interface RuleLensPorts {
  readonly files: () => WorkspaceFiles;
  readonly catalog: Pick<CatalogSource, 'read'>;
  /** The chat on show; null without one. */
  readonly chat: () => ChatState | null;
}

/** Says above the text of each rule, reference and skill in how many requests of the chat on show it was. */
export class RuleLens implements vscode.CodeLensProvider {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #proofs = new ItemProofs();
  /** The chat and the number of its attempts that the lenses tell of. */
  #shown = '';
  readonly #ports: RuleLensPorts;

  constructor(ports: RuleLensPorts) {
    this.#ports = ports;
  }

  /** Shows the lenses until it is disposed of. */
  register(): vscode.Disposable {
    return vscode.Disposable.from(this.#changed, vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this));
  }

  /** To be called when another chat may be on show, or a request may have been sent. */
  changed(): void {
    const chat = this.#ports.chat();
    const shown = `${chat?.chatId ?? ''} ${String(chat?.attempts.size ?? 0)}`;
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#changed.fire();
    }
  }

  async provideCodeLenses({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const path = this.#ports.files().relative(uri.fsPath);
    const catalog = await this.#ports.catalog.read();
    const key = [...catalog].find(([, { source }]) => source === path)?.[0];
    const chat = this.#ports.chat();
    if (key === undefined || chat === null) {
      return [];
    }
    const title = proofText(this.#proofs.of(key, chat.attempts));
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command: 'loupe.showPicked' })];
  }
}

/** `Loupe: whole in 12 of 17 requests of this chat`. */
function proofText({ requests, held }: ItemProof): string {
  if (requests === 0) {
    return 'Loupe: no request was sent in this chat yet';
  }
  return `Loupe: whole in ${held === requests ? 'all ' : `${String(held)} of `}${String(requests)} ${requests === 1 ? 'request' : 'requests'} of this chat`;
}
