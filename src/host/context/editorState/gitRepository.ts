import * as vscode from 'vscode';
import { gitApi, type GitChange, type GitRepository } from '../../window/gitExtension.js';
import type { Repository } from './editorSource.js';

/** Returns the repository of a file, else the only one. `relative`: the workspace path of a place, null outside it. */
export function gitRepository(file: vscode.Uri | null, relative: (place: string) => string | null): Repository | null {
  const state = findRepository(file)?.state;
  if (state === undefined) {
    return null;
  }
  const { HEAD, mergeChanges, indexChanges, workingTreeChanges, untrackedChanges } = state;
  const placesOf = (changes: readonly GitChange[]): readonly string[] => [...new Set(changes.map(({ uri }) => uri.fsPath))];
  const inWorkspace = (places: readonly string[]): readonly string[] => places.flatMap((place) => relative(place) ?? []);
  const all = placesOf([...mergeChanges, ...indexChanges, ...workingTreeChanges, ...(untrackedChanges ?? [])]);
  const paths = inWorkspace(all);
  const conflicts = new Set(inWorkspace(placesOf(mergeChanges)));
  return {
    branch: HEAD?.name ?? null,
    commit: HEAD?.commit?.slice(0, COMMIT_DIGITS) ?? null,
    conflicts: [...conflicts],
    changed: paths.filter((path) => !conflicts.has(path)).sort(),
    outside: all.length - paths.length,
  };
}

function findRepository(file: vscode.Uri | null): GitRepository | undefined {
  const git = gitApi();
  const [first, ...others] = git?.repositories ?? [];
  return (file === null ? null : git?.getRepository(file)) ?? (others.length === 0 ? first : undefined);
}

const COMMIT_DIGITS = 8;

/** Reports each change of a repository, also of repositories that VS Code opens later. Null without git. */
export function watchGit(changed: () => void): vscode.Disposable | null {
  const git = gitApi();
  if (git === null) {
    return null;
  }
  const listening: vscode.Disposable[] = [];
  const watched = new Set<GitRepository>();
  const follow = (repository: GitRepository): void => {
    if (!watched.has(repository)) {
      watched.add(repository);
      listening.push(repository.state.onDidChange(changed));
    }
  };
  git.repositories.forEach(follow);
  listening.push(
    git.onDidOpenRepository((repository) => {
      follow(repository);
      changed();
    }),
  );
  return new vscode.Disposable(() => {
    vscode.Disposable.from(...listening).dispose();
  });
}
