import * as vscode from 'vscode';
import type { WorkspaceFiles } from './files/workspaceFiles.js';

/** Maximum number of files to choose from. More would slow down the quick pick. The file dialog has all files. */
export const MOST_FILES = 10_000;

/** Folders that Loupe never searches, even without them in the setting `files.exclude`. */
const NEVER_SOURCE = '**/{.git,node_modules}/**';

/** Returns the paths of workspace files in editors. The active editor is first. */
export function openEditors(files: WorkspaceFiles): string[] {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const tabs = [activeTabGroup.activeTab, ...all.flatMap((group) => group.tabs)];
  const paths = tabs.flatMap((tab) => {
    const input: unknown = tab?.input;
    const isFile = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
    return isFile && input.uri.scheme === 'file' ? (files.relative(input.uri.fsPath) ?? []) : [];
  });
  return [...new Set(paths)];
}

/** Returns the paths of workspace files, at most `MOST_FILES`, in any order. `token` cancels the search. */
export async function findFiles(files: WorkspaceFiles, token: vscode.CancellationToken | null): Promise<readonly string[]> {
  const found = await vscode.workspace.findFiles('**/*', NEVER_SOURCE, MOST_FILES, token ?? undefined);
  return found.flatMap((uri) => (uri.scheme === 'file' ? (files.relative(uri.fsPath) ?? []) : []));
}
