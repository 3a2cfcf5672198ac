import * as vscode from 'vscode';

/* The part of the API of VS Code's git extension that Loupe reads: version 1 of `extensions/git/src/api/git.d.ts`. */

export interface GitChange {
  readonly uri: vscode.Uri;
}

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly HEAD: { readonly name?: string; readonly commit?: string } | undefined;
    readonly mergeChanges: readonly GitChange[];
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    /** Missing in old versions, which count untracked files as changes of the working tree. */
    readonly untrackedChanges?: readonly GitChange[];
    readonly onDidChange: vscode.Event<void>;
  };
}

interface GitApi {
  readonly git: { readonly path: string };
  readonly repositories: readonly GitRepository[];
  getRepository(uri: vscode.Uri): GitRepository | null;
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

function gitExtension(): vscode.Extension<GitExtension | undefined> | undefined {
  return vscode.extensions.getExtension<GitExtension | undefined>('vscode.git');
}

/** Returns the API of VS Code's git extension. Null if the extension is missing, off or not active yet. */
export function gitApi(): GitApi | null {
  const extension = gitExtension();
  const git = extension?.isActive === true ? extension.exports : undefined;
  return git?.enabled === true ? git.getAPI(1) : null;
}

/**
 * Returns the path of the git program that VS Code uses, else that of the user setting `git.path`. Null without both:
 * a program that is only named git can be of the workspace.
 */
export async function gitPath(): Promise<string | null> {
  await gitExtension()?.activate();
  const setting = vscode.workspace.getConfiguration('git').inspect<string | readonly string[] | null>('path')?.globalValue;
  const [first = null] = [setting ?? []].flat();
  return gitApi()?.git.path ?? first;
}
