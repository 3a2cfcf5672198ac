import * as vscode from 'vscode';
import { LoupeError } from '../../engine/errors.js';
import { counted } from '../../protocol/numbers.js';
import { addSelectedText, selectedText, type SelectionTarget } from './addSelection.js';
import { addUris, type AddFilesPorts } from './addUris.js';
import type { WorkspaceFiles } from './files/workspaceFiles.js';
import type { ImageTarget } from './images/addImages.js';
import { type PickRow, pickRows } from './pickRows.js';
import { findFiles, MOST_FILES, openEditors } from './workspaceListing.js';

const PLACEHOLDER = 'Search open editors, files and folders';
const TOO_MANY = `Search the first ${MOST_FILES.toLocaleString('en-US')} files. To find others, use Browse…`;

const TITLE = 'Add to this chat';
const NOTHING_CHECKED = 'Nothing is selected. Select what you want to add, then press Enter';

const BROWSE: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('folder-opened'), tooltip: 'Browse…' };

type Item = vscode.QuickPickItem & { readonly row: PickRow };

/** Lets the user choose files, folders or the selected text. Offers to open a folder if none is open. */
export async function pickFiles(chat: SelectionTarget & ImageTarget, ports: AddFilesPorts): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) {
    offerFolder();
    return;
  }
  const files = ports.files();
  // Reads the selection now, because the editor can change while the user chooses.
  const selected = selectedText(files, ports.openEditor());
  const selection = selected instanceof LoupeError ? null : selected;
  const { rows, browses } = await askFor(files, selection?.name ?? null);
  if (selection !== null && rows.some(({ type }) => type === 'selection')) {
    await addSelectedText(chat, selection, ports.sha256);
  }
  const chosen = rows.flatMap((row) => (row.type === 'file' || row.type === 'folder' ? [row.path] : []));
  const places = await Promise.all(chosen.map((path) => files.diskPath(path)));
  const browsed = browses ? await browse(folder.uri) : [];
  const uris = [...places.flatMap((place) => (place === null ? [] : [vscode.Uri.file(place)])), ...browsed];
  if (uris.length > 0) {
    await addUris(chat, uris, ports);
  }
}

/** Offers to open a folder. Does not wait for the answer. */
function offerFolder(): void {
  const open = 'Open Folder';
  void vscode.window.showInformationMessage('Open a folder to add files.', open).then((chosen) => {
    if (chosen === open) {
      void vscode.commands.executeCommand('vscode.openFolder');
    }
  });
}

interface PickResult {
  readonly rows: readonly PickRow[];
  /** Whether the user wants the file dialog, too. */
  readonly browses: boolean;
}

/** Shows a quick pick, whose list grows while Loupe finds files. Returns the user's choice, empty after a cancel. */
async function askFor(files: WorkspaceFiles, selection: string | null): Promise<PickResult> {
  const pick = vscode.window.createQuickPick<Item>();
  const cancelling = new vscode.CancellationTokenSource();
  const open = openEditors(files);
  const show = (found: readonly string[]): void => {
    const checked = new Set(pick.selectedItems.map(({ label }) => label));
    pick.items = pickRows({ open, selection, files: found }).map(pickItem);
    pick.selectedItems = pick.items.filter(({ label, kind }) => kind !== vscode.QuickPickItemKind.Separator && checked.has(label));
  };
  pick.title = TITLE;
  pick.placeholder = PLACEHOLDER;
  pick.canSelectMany = true;
  pick.buttons = [BROWSE];
  pick.matchOnDescription = true;
  pick.busy = true;
  show([]);
  try {
    const taken = rowsTaken(pick);
    pick.show();
    const finding = findFiles(files, cancelling.token).then((found) => {
      if (!cancelling.token.isCancellationRequested) {
        pick.busy = false;
        pick.placeholder = found.length < MOST_FILES ? PLACEHOLDER : TOO_MANY;
        show(found);
      }
    });
    // Rejects at once if the search for files fails, without waiting for the user.
    return await Promise.race([taken, finding.then(() => taken)]);
  } finally {
    cancelling.cancel();
    cancelling.dispose();
    pick.dispose();
  }
}

/** Resolves with the checked rows. Without these, Enter shows a hint: VS Code does not report the focused row. */
function rowsTaken(pick: vscode.QuickPick<Item>): Promise<PickResult> {
  return new Promise((resolve) => {
    const take = (items: readonly Item[], browses: boolean): void => {
      resolve({ rows: items.map(({ row }) => row), browses });
    };
    pick.onDidAccept(() => {
      if (pick.selectedItems.length === 0) {
        pick.title = NOTHING_CHECKED;
      } else {
        take(pick.selectedItems, false);
      }
    });
    pick.onDidTriggerButton(() => {
      take(pick.selectedItems, true);
    });
    pick.onDidHide(() => {
      take([], false);
    });
  });
}

function pickItem(row: PickRow): Item {
  switch (row.type) {
    case 'heading':
      return { row, label: row.label, kind: vscode.QuickPickItemKind.Separator };
    case 'file':
      return { row, label: row.path, iconPath: vscode.ThemeIcon.File };
    case 'selection':
      return { row, label: row.path, description: 'the selected text', iconPath: new vscode.ThemeIcon('list-selection') };
    case 'folder':
      return { row, label: `${row.path}/`, description: counted(row.files, 'file'), iconPath: vscode.ThemeIcon.Folder };
  }
}

async function browse(start: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const options = { canSelectMany: true, canSelectFolders: true, canSelectFiles: true, defaultUri: start, openLabel: 'Add to chat' };
  return (await vscode.window.showOpenDialog(options)) ?? [];
}
