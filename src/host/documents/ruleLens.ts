import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { CatalogItem } from '../../engine/context/catalogItem.js';
import { ruleConflicts, type RuleConflict } from '../../engine/context/ruleConflicts.js';
import type { ChatState } from '../../engine/chat/state.js';
import { ItemProofs, type ItemProof } from '../../engine/context/itemProof.js';
import type { CatalogSource } from '../context/catalog/workspaceCatalog.js';
import type { WorkspaceFiles } from '../context/files/workspaceFiles.js';

/** So many rules of some pages are compared within the milliseconds that nobody feels. */
const COMPARED_AT_ONCE = 20;

/** More lines above a text hide it. */
const MOST_CONFLICTS = 3;

export interface RuleLensPorts {
  readonly files: () => WorkspaceFiles;
  readonly catalog: Pick<CatalogSource, 'read'>;
  /** The chat on show; null without one. */
  readonly chat: () => ChatState | null;
}

/** Says above the text of each rule, reference and skill in how many requests of the chat on show it was, and which others say the same or the opposite. */
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
    const [key, item] = [...catalog].find(([, { source }]) => source === path) ?? [];
    const chat = this.#ports.chat();
    if (key === undefined || item === undefined) {
      return [];
    }
    const proof = chat === null ? [] : [lens({ title: proofText(this.#proofs.of(key, chat.attempts)), command: 'loupe.showPicked' })];
    return [...proof, ...(await this.#conflicts(uri, item, [...catalog.values()]))];
  }

  async #conflicts(uri: vscode.Uri, item: CatalogItem, all: readonly CatalogItem[]): Promise<vscode.CodeLens[]> {
    const found: RuleConflict[] = [];
    for (let from = 0; from < all.length && found.length < MOST_CONFLICTS; from += COMPARED_AT_ONCE) {
      found.push(...ruleConflicts(item, all.slice(from, from + COMPARED_AT_ONCE)));
      await setImmediate();
    }
    return found.slice(0, MOST_CONFLICTS).map(({ text, source }) => {
      const other = vscode.Uri.file(this.#ports.files().diskPath(source) ?? '');
      return lens({ title: `Loupe: ${text}`, command: 'vscode.diff', arguments: [uri, other, `${item.source} and ${source}`] });
    });
  }
}

function lens(command: vscode.Command): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command);
}

/** `Loupe: whole in 12 of 17 requests of this chat`. */
function proofText({ requests, held }: ItemProof): string {
  if (requests === 0) {
    return 'Loupe: no request was sent in this chat yet';
  }
  const all =
    requests === 1
      ? 'the one request'
      : `${held === 0 ? 'any of ' : held === requests ? 'all ' : `${String(held)} of `}${String(requests)} requests`;
  return `Loupe: ${held === 0 ? 'not' : 'whole'} in ${all} of this chat`;
}
