import * as vscode from 'vscode';
import { LoupeError } from '../../engine/errors.js';
import { itemKey } from '../../engine/record/item.js';
import { counted } from '../../protocol/numbers.js';
import { addSelectedText, selectedText, type SelectionTarget } from './addSelection.js';
import { addUris, type AddFilesPorts } from './addUris.js';
import type { WorkspaceFiles } from './files/workspaceFiles.js';
import type { ImageTarget } from './images/addImages.js';
import { FileTokens, type KnownTokens } from './itemTokens.js';
import { promptFiles } from './promptFiles.js';
import { systemClock } from '../window/systemPorts.js';
import { PickedSizes } from './pickedSizes.js';
import { type PickRow, pickRows } from './pickRows.js';
import { findFiles, MOST_FILES, openEditors } from './workspaceListing.js';

const PLACEHOLDER = 'Search open editors, files and folders';
const TOO_MANY = `Search the first ${MOST_FILES.toLocaleString('en-US')} files. To find others, use Browse…`;

const TITLE = 'Add to this chat';
const NOTHING_CHECKED = 'Nothing is selected. Select what you want to add, then press Enter';

const BROWSE: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('folder-opened'), tooltip: 'Browse…' };

const IN = new vscode.ThemeIcon('check');
const SELECTION = new vscode.ThemeIcon('list-selection');

type Item = vscode.QuickPickItem & { readonly row: PickRow };

/**
 * Lets the user choose files, folders or the selected text. Offers to open a folder if none is open. `known` is null
 * while the next request is unknown.
 */
export async function pickFiles(chat: SelectionTarget & ImageTarget, known: KnownTokens | null, ports: AddFilesPorts): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) {
    offerFolder();
    return;
  }
  const files = ports.files();
  // Reads the selection now, because the editor can change while the user chooses.
  const selected = selectedText(files, ports.openEditor());
  const selection = selected instanceof LoupeError ? null : selected;
  const held = new Set(chat.state.context.keys());
  const sizes = new PickedSizes(selection, { known, tokens: new FileTokens(promptFiles(ports.files), systemClock) });
  const { rows, browses } = await askFor({ files, selection: selection?.name ?? null, held, sizes });
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

interface Asked {
  readonly files: WorkspaceFiles;
  /** The name of the selected text as an item. Null without selected text. */
  readonly selection: string | null;
  /** Keys of the chat's items. */
  readonly held: ReadonlySet<string>;
  readonly sizes: PickedSizes;
}

/** Shows a quick pick, whose list grows while Loupe finds files. Returns the user's choice, empty after a cancel. */
async function askFor({ files, selection, held, sizes }: Asked): Promise<PickResult> {
  const pick = vscode.window.createQuickPick<Item>();
  const cancelling = new vscode.CancellationTokenSource();
  const open = openEditors(files);
  const show = (found: readonly string[], tokens: ReadonlyMap<string, number>): void => {
    const checked = new Set(pick.selectedItems.map(({ label }) => label));
    pick.items = pickRows({ open, selection, files: found }).map((row) => pickItem(row, noteOf(row, { held, sizes, tokens })));
    pick.selectedItems = pick.items.filter(({ label, kind }) => kind !== vscode.QuickPickItemKind.Separator && checked.has(label));
  };
  pick.title = TITLE;
  pick.placeholder = PLACEHOLDER;
  pick.canSelectMany = true;
  pick.buttons = [BROWSE];
  pick.busy = true;
  show([], new Map());
  pick.onDidChangeSelection(async (items) => {
    const words = items.length === 0 ? '' : await sizes.words(items.map(({ row }) => row));
    // The user can have changed the selection meanwhile.
    if (items === pick.selectedItems) {
      pick.title = words === '' ? TITLE : `${TITLE} (${words})`;
    }
  });
  try {
    const taken = rowsTaken(pick);
    pick.show();
    const finding = Promise.all([findFiles(files, cancelling.token), sizes.ofFiles(open)]).then(([found, tokens]) => {
      if (!cancelling.token.isCancellationRequested) {
        pick.busy = false;
        pick.placeholder = found.length < MOST_FILES ? PLACEHOLDER : TOO_MANY;
        show(found, tokens);
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

interface ListedSizes extends Pick<Asked, 'held' | 'sizes'> {
  /** Tokens of the files in editors. */
  readonly tokens: ReadonlyMap<string, number>;
}

interface RowNote {
  readonly isIn: boolean;
  readonly tokens: number | null;
}

function noteOf(row: PickRow, { held, sizes, tokens }: ListedSizes): RowNote {
  if (row.type !== 'file' && row.type !== 'selection') {
    return { isIn: false, tokens: null };
  }
  return { isIn: held.has(itemKey({ type: 'file', name: row.path })), tokens: sizes.held(row) ?? tokens.get(row.path) ?? null };
}

function pickItem(row: PickRow, { isIn, tokens }: RowNote): Item {
  const notes = [...(isIn ? ['in this chat'] : []), ...(tokens === null ? [] : [`≈ ${counted(tokens, 'token')}`])];
  switch (row.type) {
    case 'heading':
      return { row, label: row.label, kind: vscode.QuickPickItemKind.Separator };
    case 'file':
      return { row, label: row.path, description: notes.join(' · '), iconPath: isIn ? IN : vscode.ThemeIcon.File };
    case 'selection':
      return { row, label: row.path, description: ['the selected text', ...notes].join(' · '), iconPath: isIn ? IN : SELECTION };
    case 'folder':
      return { row, label: `${row.path}/`, description: counted(row.files, 'file'), iconPath: vscode.ThemeIcon.Folder };
  }
}

async function browse(start: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const options = { canSelectMany: true, canSelectFolders: true, canSelectFiles: true, defaultUri: start, openLabel: 'Add to chat' };
  return (await vscode.window.showOpenDialog(options)) ?? [];
}
