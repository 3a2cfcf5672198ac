import * as vscode from 'vscode';
import type { ContextItemBase, SessionContextItem } from '../../../engine/context/item.js';
import { failure } from '../../../engine/errors.js';
import { addedByHand } from './catalogChoice.js';
import { catalogRows, type CatalogRow } from './catalogRows.js';
import type { CatalogSource } from './workspaceCatalog.js';

/** A chat whose rules and references the user chooses. */
export interface ManagedChat {
  readonly state: { readonly context: ReadonlyMap<string, SessionContextItem> };
  addContext(item: SessionContextItem): Promise<void>;
  removeContext(...items: readonly ContextItemBase[]): Promise<void>;
}

type Item = vscode.QuickPickItem & { readonly row: CatalogRow };

/** Lets the user choose which rules and references are in a chat. Rejects where the workspace has none, or is not trusted. */
export async function manageContext(chat: ManagedChat, catalog: CatalogSource): Promise<void> {
  if (catalog.isRestricted()) {
    throw failure('catalog.restricted');
  }
  const rows = catalogRows(await catalog.read(), chat.state.context);
  if (rows.length === 0) {
    throw failure('catalog.empty');
  }
  const items = rows.map((row): Item => ({ label: row.name, description: row.about, detail: row.detail, picked: row.isIn, row }));
  const title = 'Rules and references in this chat';
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: 'Check what is sent with each message of this chat',
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked !== undefined) {
    const wanted = new Set(picked.map(({ row }) => row.key));
    for (const row of rows.filter(({ key, isIn }) => wanted.has(key) && !isIn)) {
      await chat.addContext(addedByHand(row));
    }
    await chat.removeContext(...rows.filter(({ key, isIn }) => !wanted.has(key) && isIn).map(({ type, name }) => ({ type, name })));
  }
}
