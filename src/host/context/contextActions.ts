import * as vscode from 'vscode';
import type { ContextTarget } from './addPaths.js';
import type { SelectionTarget } from './addSelection.js';
import type { ImageTarget } from './images/addImages.js';
import { pickImages } from './images/pickedImages.js';
import { showNotAdded } from './notAdded.js';
import { addUris } from './addUris.js';
import { itemKey, type WrittenType } from '../../engine/record/item.js';
import { failure } from '../../engine/errors.js';
import { changeInclude, type IncludeChange } from './catalog/changeInclude.js';
import { type ExclusionTarget, type ServerTarget, addCatalogItems, addServer, excludeItems, excludeTool } from './catalog/catalogChoice.js';
import { switchInSettings } from './catalog/includeModes.js';
import { catalogTemplate } from './catalog/catalogTemplate.js';
import type { FileWriter } from './files/fileWriter.js';
import type { KnownTokens } from './itemTokens.js';
import { MentionFinder, type MentionsPorts } from './mentions/mentions.js';
import type { PageTarget } from './pages/pageFetches.js';
import { askForAddress } from './pages/pageQuestions.js';
import { pickFiles } from './pickFiles.js';
import type { CatalogSource } from './catalog/workspaceCatalog.js';
import { diskPathOf, isUserPath } from './files/userFiles.js';
import type { WorkspaceFiles } from './files/workspaceFiles.js';
import { parseSelectionName, treeFolder, WORKSPACE_ITSELF } from './selectionName.js';

const TITLES = { rule: 'New rule', reference: 'New reference', skill: 'New skill' } as const;

export function contextActions(ports: MentionsPorts & { readonly writer: FileWriter }) {
  const { adding, catalog, pages, writer } = ports;
  const mentions = new MentionFinder(ports);
  return {
    pickFiles: (chat: SelectionTarget & ImageTarget, known: KnownTokens | null) => pickFiles(chat, known, adding),
    /** Returns whether all files were added. */
    addImages: async (chat: ImageTarget, { images, notAdded }: PastedImages): Promise<boolean> => {
      const read = images.map(({ name, bytes }) => ({ name, read: () => Promise.resolve(bytes) }));
      const notes = [...notAdded, ...(await adding.draftImages.add(chat, read))];
      showNotAdded(notes, adding);
      return notes.length === 0;
    },
    pickImages: async (chat: ImageTarget) => {
      showNotAdded(await adding.draftImages.add(chat, await pickImages()), adding);
    },
    addDropped: (chat: ContextTarget & ImageTarget, uris: readonly string[]) => addUris(chat, uris.map(parseDropped), adding),
    addReferenced: (chat: ContextTarget & ImageTarget, paths: readonly string[]) => addReferenced(chat, paths, ports),
    addPage: async (chat: PageTarget, address: string | null) => {
      const wanted = address ?? (await askForAddress());
      if (wanted !== null) {
        await pages.add(chat, wanted, adding.banners);
      }
    },
    cancelPage: pages.cancel.bind(pages),
    retryPage: (open: (chatId: string) => Promise<PageTarget>) => pages.retry(open, adding.banners),
    findMentions: mentions.find.bind(mentions),
    mention: mentions.add.bind(mentions),
    addCatalogItems: (chat: ContextTarget, keys: readonly string[]) => addCatalogItems(chat, keys, catalog),
    addServer: (chat: ServerTarget, server: string) => addServer(chat, server, catalog),
    excludeTool: (chat: ExclusionTarget, name: string) => excludeTool(chat, name, catalog),
    excludeItems: (chat: ExclusionTarget, keys: readonly string[]) => excludeItems(chat, keys, catalog),
    changeInclude: (agent: string, change: IncludeChange) => changeInclude(agent, change, { files: adding.files(), writer, catalog }),
    switchInSettings,
    newCatalogFile,
    openItem: (key: string) => openContextItem(key, adding.files(), catalog),
    compareItem: (key: string, source: string) => compareItem(key, source, adding.files(), catalog),
    openFile: (path: string, line: number) => openWorkspaceFile(path, line, adding.files()),
    /** Returns those paths that are files of the workspace. */
    existingFiles: async (paths: readonly string[]) => {
      const places = await Promise.all(paths.map((path) => adding.files().existing(path)));
      return paths.filter((_path, at) => places[at] !== null);
    },
  };
}

/** Adds the files at workspace paths, such as the files of a prompt. Files of rules and skills are added as these. */
async function addReferenced(
  chat: ContextTarget & ImageTarget,
  paths: readonly string[],
  { adding, catalog }: Pick<MentionsPorts, 'adding' | 'catalog'>,
): Promise<void> {
  const items = new Map([...(await catalog.read())].map(([key, { source }]) => [source, key]));
  const keys = paths.flatMap((path) => items.get(path) ?? []).filter((key) => !chat.state.context.has(key));
  await addCatalogItems(chat, keys, catalog);
  const others = paths.filter((path) => !items.has(path) && !chat.state.context.has(itemKey({ type: 'file', name: path })));
  const places = await Promise.all(others.map((path) => adding.files().diskPath(path)));
  const uris = places.flatMap((place) => (place === null ? [] : [vscode.Uri.file(place)]));
  if (uris.length > 0) {
    await addUris(chat, uris, adding);
  }
}

interface PastedImages {
  readonly images: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** A sentence for each file that the panel did not read. */
  readonly notAdded: readonly string[];
}

/** Parses the URI of a dropped file. Local files of a remote extension host have the scheme `vscode-remote:`. */
function parseDropped(text: string): vscode.Uri {
  const uri = vscode.Uri.parse(text, true);
  return uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path) : uri;
}

/** Asks the user for a name, then opens the new rule, reference or skill file. An existing file stays unchanged. */
async function newCatalogFile(kind: WrittenType): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) {
    throw failure('catalog.noFolder');
  }
  const name = await vscode.window.showInputBox({
    title: TITLES[kind],
    prompt: 'Enter a name. Chats show this name.',
    validateInput: (text) => (catalogTemplate(kind, text) === null ? 'Enter a name with at least one letter or digit.' : null),
  });
  const template = name === undefined ? null : catalogTemplate(kind, name.trim());
  if (template === null) {
    return;
  }
  const uri = vscode.Uri.joinPath(folder.uri, template.path);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { ignoreIfExists: true, contents: await vscode.workspace.encode(template.text, { uri }) });
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw failure('catalog.notMade', { path: template.path });
  }
  const { document } = await vscode.window.showTextDocument(uri);
  const end = document.positionAt(document.getText().length);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(end, end) });
}

/** Selects a folder in the explorer. `folder`: the workspace path, or `WORKSPACE_ITSELF`. */
async function revealFolder(folder: string, key: string, files: WorkspaceFiles): Promise<void> {
  if (folder === WORKSPACE_ITSELF) {
    await vscode.commands.executeCommand('workbench.view.explorer');
    return;
  }
  await vscode.commands.executeCommand('revealInExplorer', await diskUri(folder, key, files));
}

/** Opens the file of an item by its key. Selects the lines of a selection, and shows the folder of a file tree. */
export async function openContextItem(key: string, files: WorkspaceFiles, catalog: CatalogSource): Promise<void> {
  const { path, lines } = await placeOf(key, catalog);
  const folder = key.startsWith('file:') ? treeFolder(path) : null;
  if (folder !== null) {
    await revealFolder(folder, key, files);
    return;
  }
  const uri = await diskUri(path, key, files);
  await checkExists(uri, path);
  await show(uri, lines);
}

/** Compares the file of an item with the file at the workspace path `source`, in VS Code's diff editor. */
async function compareItem(key: string, source: string, files: WorkspaceFiles, catalog: CatalogSource): Promise<void> {
  const { path } = await placeOf(key, catalog);
  const [own, other] = await Promise.all([diskUri(path, key, files), diskUri(source, source, files)]);
  await vscode.commands.executeCommand('vscode.diff', own, other, `${path} and ${source}`);
}

/** Returns the URI of a workspace path. For a path outside the workspace, throws `invalidInput` with `key`. */
async function diskUri(path: string, key: string, files: WorkspaceFiles): Promise<vscode.Uri> {
  const place = path === '' ? null : await diskPathOf(path, files);
  if (place === null) {
    throw failure('file.notInWorkspace', { key });
  }
  return vscode.Uri.file(place);
}

/** Returns the workspace path of an item's file. For a selection, also its lines. */
async function placeOf(key: string, catalog: CatalogSource): Promise<ReturnType<typeof parseSelectionName>> {
  if (key.startsWith('file:')) {
    return parseSelectionName(key.slice('file:'.length));
  }
  return { path: (await catalog.read()).get(key)?.source ?? '', lines: null };
}

/** Opens a workspace file that a reply names. `line` counts from 1. Throws `invalidInput` outside the workspace. */
async function openWorkspaceFile(path: string, line: number, files: WorkspaceFiles): Promise<void> {
  const place = await (isUserPath(path) ? diskPathOf(path, files) : files.existing(path));
  if (place === null) {
    throw failure('file.notThere', { path });
  }
  await show(vscode.Uri.file(place), [line, line]);
}

/** Opens a file and selects lines. Lines count from 1. */
async function show(uri: vscode.Uri, lines: readonly [first: number, last: number] | null): Promise<void> {
  if (lines === null) {
    await vscode.window.showTextDocument(uri);
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const [first, last] = lines;
  // The file can have fewer lines now.
  const selection = document.validateRange(new vscode.Range(first - 1, 0, last - 1, Number.MAX_SAFE_INTEGER));
  await vscode.window.showTextDocument(document, { selection });
}

/** Throws a clear error for a missing file. VS Code's own error looks like a defect. */
async function checkExists(uri: vscode.Uri, path: string): Promise<void> {
  try {
    await vscode.workspace.fs.stat(uri);
  } catch (thrown) {
    const isGone = thrown instanceof vscode.FileSystemError && thrown.code === 'FileNotFound';
    throw isGone ? failure('file.gone', { path }, { cause: thrown }) : thrown;
  }
}
