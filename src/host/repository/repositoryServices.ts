import { join } from 'node:path';
import * as vscode from 'vscode';
import type { LoupeError } from '../../engine/errors.js';
import type { ScannedFile } from '../../engine/repository/symbols.js';
import { isAlwaysSkipped } from '../context/files/folderListing.js';
import type { WorkspaceFiles } from '../context/files/workspaceFiles.js';
import { watchWorkspace } from '../tools/windowWatch.js';
import { showBusy } from '../window/chatView.js';
import { offerCancel } from '../window/offerCancel.js';
import { systemClock } from '../window/systemPorts.js';
import { WorkspaceRepository } from './workspaceRepository.js';

interface RepositoryPorts {
  readonly files: () => WorkspaceFiles;
  /** Folder of Loupe's files about this workspace. */
  readonly root: string;
  readonly logInfo: (text: string) => void;
  readonly logError: (error: LoupeError) => void;
}

/** The thread that parses files ends after this time without work. */
const IDLE_MS = 60_000;

/** Maximum time to parse one file. Files of normal size need some milliseconds. */
const LIMIT_MS = 5_000;

/** Creates the repository map of the window. Reads no file until a chat wants the map. */
export function windowRepository(
  { subscriptions, asAbsolutePath }: Pick<vscode.ExtensionContext, 'subscriptions' | 'asAbsolutePath'>,
  { files, root, logInfo, logError }: RepositoryPorts,
): WorkspaceRepository {
  const parts = async () => {
    const { RepositoryIndex, stemmer, SymbolScanner } = await import('./repositoryParts.js');
    const scanner = new SymbolScanner({
      script: asAbsolutePath('dist/symbolWorker.js'),
      grammars: asAbsolutePath('dist/grammars'),
      cache: join(root, 'symbols.jsonl'),
      limitMs: LIMIT_MS,
      idleMs: IDLE_MS,
      logInfo,
    });
    subscriptions.push(scanner);
    return { scanner, index: new RepositoryIndex(stemmer) };
  };
  let loaded: ReturnType<typeof parts> | null = null;
  return new WorkspaceRepository({
    isTrusted: () => vscode.workspace.isTrusted,
    makeIndex: async () => {
      loaded ??= parts();
      return (await loaded).index;
    },
    list: (limits) => files().listFolder('', limits),
    scan: async (paths, signal) => {
      loaded ??= parts();
      const { scanner } = await loaded;
      const found = new Map<string, ScannedFile>();
      for (const { folder, prefix, paths: inFolder } of files().byFolder(paths)) {
        const scanned = await scanner.scan({ root: folder, files: inFolder, known: new Map(), signal, progress: () => undefined });
        for (const [path, file] of scanned) {
          found.set(prefix + path, { ...file, path: prefix + path });
        }
      }
      return found;
    },
    watch: (changed) => {
      const told = (place: string): void => {
        const path = files().relative(place);
        // Git and package managers change thousands of files that no map has.
        if (path !== null && !isAlwaysSkipped(path)) {
          changed(path);
        }
      };
      // With another folder, all paths of the workspace may have another beginning.
      const folders = vscode.workspace.onDidChangeWorkspaceFolders(() => {
        changed('');
      });
      subscriptions.push(watchWorkspace({ made: told, changed: told, saved: told }), folders);
    },
    clock: systemClock,
    showBusy,
    offerCancel: offerCancel('Reading the files for the repository map'),
    logInfo,
    logError,
  });
}
