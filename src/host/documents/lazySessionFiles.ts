import * as vscode from 'vscode';
import type { SessionFileSystem } from './sessionFileSystem.js';

/** Registers the file system of session files, which `load` creates at the first use. */
export function registerSessionFiles(load: () => Promise<SessionFileSystem>): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  // VS Code watches each open file, but an event for all of them is enough: a second one would report a change twice.
  let watching: Promise<void> | null = null;
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => {
      watching ??= load().then(
        (files) => {
          files.watch((events) => {
            changed.fire([...events]);
          });
        },
        () => {
          // VS Code shows the same failure when it reads the file.
          watching = null;
        },
      );
      return new vscode.Disposable(() => undefined);
    },
    stat: async (uri) => (await load()).stat(uri),
    readDirectory: async (uri) => (await load()).readDirectory(uri),
    readFile: async (uri) => (await load()).readFile(uri),
    writeFile: async (uri, bytes, options) => (await load()).writeFile(uri, bytes, options),
    delete: async (uri) => (await load()).delete(uri),
    rename: async (from, to, options) => (await load()).rename(from, to, options),
    // A folder exists as soon as a file is in it.
    createDirectory: () => undefined,
  };
  return vscode.Disposable.from(changed, vscode.workspace.registerFileSystemProvider('loupe-session', provider, { isCaseSensitive: true }));
}
