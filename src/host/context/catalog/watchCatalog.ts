import { homedir } from 'node:os';
import { join } from 'node:path';
import { basename } from 'node:path/posix';
import * as vscode from 'vscode';
import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import { SETTINGS_SECTION } from '../../window/settingsSection.js';
import { MOST_CATALOG_FILES } from '../files/catalogListing.js';
import { catalogLocations, LOCATION_SETTINGS, type CatalogLocations, type LocationSetting } from '../files/catalogLocations.js';
import { CATALOG_NAMES, mayBeNested, NESTED_PATTERNS } from '../files/catalogPlaces.js';
import { USER_FAMILY_NAMES, USER_PLACES } from '../files/userFiles.js';
import type { ChangedFile, WorkspaceCatalog } from './workspaceCatalog.js';

/** Whether a change of the path can change the catalog: a catalog file, or a folder of catalog files. */
function isWatched(path: string): boolean {
  return /\.(?:mdc?|txt)$|\/commands\/.*\.toml$|\/\.roo\//.test(path) || CATALOG_NAMES.has(basename(path));
}

/** Matches a path without an extension, probably a folder. Loupe ignores other new paths: builds create many files. */
const MAY_BE_FOLDER = /\/[^/.]+$/;

/** VS Code's error codes for listing a path that is no folder or no longer exists. */
const NO_FOLDER = new Set(['FileNotADirectory', 'FileNotFound']);

export interface CatalogWatchPorts {
  readonly catalog: Pick<WorkspaceCatalog, 'changed' | 'checkUserFiles' | 'isRead' | 'onFoundMore' | 'settingsChanged'>;
  readonly changed: () => void;
  readonly logError: (error: LoupeError) => void;
}

/** Reads the catalog again after a change of its files, of the workspace folders or of the workspace trust. */
export function watchCatalog({ catalog, changed, logError }: CatalogWatchPorts): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const userWatchers = userPatterns().map((pattern) => vscode.workspace.createFileSystemWatcher(pattern));
  const again = (file: ChangedFile | null): void => {
    catalog.changed(file);
    changed();
  };
  const told =
    (isThere: boolean) =>
    ({ path, fsPath }: vscode.Uri): void => {
      if (isWatched(path) || catalog.isRead(fsPath)) {
        again({ place: fsPath, isThere });
      }
    };
  const [edited, createdOrDeleted] = [told(true), told(false)];
  /** Looks for rules in a new folder. VS Code does not report files that were created together with their folder. */
  const lookInto = async (folder: vscode.Uri): Promise<void> => {
    try {
      const rule = await ruleIn(folder);
      if (rule !== null) {
        createdOrDeleted(rule);
      }
    } catch (thrown) {
      logError(toLoupeError(thrown));
    }
  };
  catalog.onFoundMore(changed);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(edited),
    watcher.onDidCreate((uri) => {
      createdOrDeleted(uri);
      if (MAY_BE_FOLDER.test(uri.path)) {
        void lookInto(uri);
      }
    }),
    watcher.onDidDelete(createdOrDeleted),
    ...userWatchers.flatMap((each) => [
      each,
      each.onDidChange(edited),
      each.onDidCreate(createdOrDeleted),
      each.onDidDelete(createdOrDeleted),
    ]),
    // VS Code reports a saved file at once, even in a folder that VS Code cannot watch.
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      edited(uri);
    }),
    ...watchSettings(catalog, changed),
    vscode.workspace.onDidChangeWorkspaceFolders(again.bind(null, null)),
    vscode.workspace.onDidGrantWorkspaceTrust(again.bind(null, null)),
  );
}

/** Reads the catalog again after a change of its settings. Checks the rules of the user when the window gets focus. */
function watchSettings(
  catalog: Pick<WorkspaceCatalog, 'checkUserFiles' | 'settingsChanged'>,
  changed: () => void,
): readonly vscode.Disposable[] {
  return [
    vscode.workspace.onDidChangeConfiguration((change) => {
      if ([`${SETTINGS_SECTION}.rules`, ...LOCATION_KEYS].some((key) => change.affectsConfiguration(key))) {
        catalog.settingsChanged();
        changed();
      }
    }),
    // VS Code cannot watch folders outside the workspace that do not exist yet.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused && catalog.checkUserFiles()) {
        changed();
      }
    }),
  ];
}

/** Returns patterns for the rules of the user. None contains other files, such as the logs in `~/.claude`. */
function userPatterns(): readonly vscode.RelativePattern[] {
  return USER_FAMILY_NAMES.flatMap((name) => {
    const { base, files, folders } = USER_PLACES[name];
    const pattern = (folder: string, glob: string): vscode.RelativePattern =>
      new vscode.RelativePattern(vscode.Uri.file(join(homedir(), folder)), glob);
    return [...files.map(([file]) => pattern(base, file)), ...folders.map(([folder]) => pattern(`${base}/${folder}`, '**/*.md'))];
  });
}

/** Returns the first nested rule in a folder and its subfolders, or null. Throws errors of `readDirectory`. */
async function ruleIn(folder: vscode.Uri): Promise<vscode.Uri | null> {
  for (const [name, type] of await entriesOf(folder)) {
    const uri = vscode.Uri.joinPath(folder, name);
    if (mayBeNested(uri.path)) {
      return uri;
    }
    // Skips links, because links can form a loop.
    const rule = type === vscode.FileType.Directory && name !== 'node_modules' ? await ruleIn(uri) : null;
    if (rule !== null) {
      return rule;
    }
  }
  return null;
}

async function entriesOf(folder: vscode.Uri): Promise<readonly [string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch (thrown) {
    if (thrown instanceof vscode.FileSystemError && NO_FOLDER.has(thrown.code)) {
      return [];
    }
    throw thrown;
  }
}

const LOCATION_KEYS = Object.keys(LOCATION_SETTINGS) as readonly LocationSetting[];

/** Reads VS Code's settings for the folders of prompts, agents and instructions, without VS Code's defaults. */
export function vscodeLocations(): CatalogLocations {
  const settings = vscode.workspace.getConfiguration();
  const valueOf = (key: LocationSetting): object => {
    const { globalValue, workspaceValue } = settings.inspect<object>(key) ?? {};
    return { ...globalValue, ...workspaceValue };
  };
  return catalogLocations(Object.fromEntries(LOCATION_KEYS.map((key) => [key, valueOf(key)])));
}

/** Finds rule files in subfolders. Skips `node_modules`, because the rules of a package apply only to that package. */
export async function findNestedRules(): Promise<readonly string[]> {
  const found = await vscode.workspace.findFiles(`*/**/{${NESTED_PATTERNS.join(',')}}`, '**/node_modules/**', MOST_CATALOG_FILES);
  return found.map(({ fsPath }) => fsPath);
}
