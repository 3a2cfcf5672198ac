import * as vscode from 'vscode';
import type { PartSetting } from '../../../engine/chat/settings/editorSettings.js';
import type { LoupeError } from '../../../engine/errors.js';
import { Listeners } from '../../../engine/listeners.js';
import type { Clock } from '../../../engine/ports.js';
import { signOfSecrets } from '../../../engine/context/fileDoubt.js';
import type { WorkspaceFiles } from '../files/workspaceFiles.js';
import type { FindEditor } from '../../window/openFile.js';
import { MOST_CHARACTERS } from './editorParts.js';
import type { ActiveFile, EditorSource, FileProblems, Repository, SelectedLines, TerminalCommand, Withheld } from './editorSource.js';
import { gitRepository, watchGit } from './gitRepository.js';
import { LastCommand } from './lastCommand.js';

export interface VscodeEditorPorts {
  readonly clock: Pick<Clock, 'now'>;
  /** See `localTime` in `systemPorts.ts`. */
  readonly localTime: (at: number) => number;
  readonly files: () => WorkspaceFiles;
  readonly openEditor: FindEditor;
  logError(error: LoupeError): void;
}

/** Reads VS Code's editors. Reports which parts of the editor state have changed, by their settings. */
export class VscodeEditor implements EditorSource, vscode.Disposable {
  readonly #ports: VscodeEditorPorts;
  readonly #changes = new Listeners<[readonly PartSetting[]]>();
  readonly #listening: vscode.Disposable[];
  readonly #command: LastCommand;
  /** Whether git ignores a file, by workspace path, until a file `.gitignore` changes. */
  readonly #ignored = new Map<string, Promise<boolean>>();
  #hadSelection = false;
  /** Null before the first chat that sends the part. */
  #git: vscode.Disposable | null = null;
  #commands: vscode.Disposable | null = null;

  constructor(ports: VscodeEditorPorts) {
    this.#ports = ports;
    const tell =
      (...settings: readonly PartSetting[]) =>
      (): void => {
        this.#changes.call(settings);
      };
    this.#command = new LastCommand({ logError: ports.logError.bind(ports), changed: tell('editorTerminal') });
    const { window, workspace } = vscode;
    this.#listening = [
      window.onDidChangeActiveTextEditor(tell('editorFile', 'editorSelection', 'editorVisible', 'editorGit')),
      window.onDidChangeVisibleTextEditors(tell('editorFile', 'editorSelection', 'editorVisible', 'editorGit')),
      window.onDidChangeTextEditorSelection(({ selections }) => {
        const hasSelection = selections.some(({ isEmpty }) => !isEmpty);
        // A cursor moves with each typed character, which changes no part.
        if (hasSelection || this.#hadSelection) {
          tell('editorSelection')();
        }
        this.#hadSelection = hasSelection;
      }),
      window.onDidChangeTextEditorVisibleRanges(tell('editorVisible')),
      window.tabGroups.onDidChangeTabs(tell('editorTabs', 'editorProblems')),
      vscode.languages.onDidChangeDiagnostics(tell('editorProblems')),
      workspace.onDidGrantWorkspaceTrust(tell('editorSelection', 'editorProblems', 'editorTerminal')),
      this.#watchIgnoreFiles(),
    ];
  }

  /** Calls `listener` with the settings of the parts that may have changed. Returns a function that removes it. */
  onChange(listener: (settings: readonly PartSetting[]) => void): () => void {
    return this.#changes.add(listener);
  }

  date(): { readonly day: string; readonly timeZone: string } {
    const { clock, localTime } = this.#ports;
    return {
      day: new Date(localTime(clock.now())).toISOString().slice(0, 'YYYY-MM-DD'.length),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
  }

  async active(): Promise<ActiveFile | null> {
    const editor = this.#ports.openEditor();
    const uri = editor?.document.uri;
    if (editor === undefined || uri === undefined || (uri.scheme !== 'file' && uri.scheme !== 'untitled')) {
      return null;
    }
    // Read before the pause below, which other events may use.
    const [selection, visible] = [selectedLines(editor), visibleLines(editor)];
    const path = this.#pathOf(uri);
    const withheld = path === null ? 'outside' : await this.#withheld(path, uri, selection?.text ?? '');
    return { path: path ?? baseName(uri), withheld, selection: withheld === null ? selection : withoutText(selection), visible };
  }

  async problems(): Promise<readonly FileProblems[]> {
    const files = await Promise.all(
      openUris().map(async (uri): Promise<readonly FileProblems[]> => {
        const found = vscode.languages.getDiagnostics(uri).filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning);
        const path = this.#ports.files().relative(uri.fsPath);
        if (found.length === 0 || path === null) {
          return [];
        }
        const problems = found.map(({ range, severity, message }) => ({
          line: range.start.line + 1,
          isError: severity === vscode.DiagnosticSeverity.Error,
          message,
        }));
        return [{ path, withheld: await this.#withheld(path, uri, problems.map(({ message }) => message).join('\n')), problems }];
      }),
    );
    return files.flat();
  }

  repository(): Repository | null {
    this.#git ??= watchGit(() => {
      this.#changes.call(['editorGit']);
    });
    const files = this.#ports.files();
    return gitRepository(this.#ports.openEditor()?.document.uri ?? null, (place) => files.relative(place));
  }

  tabs(): readonly string[] {
    const files = this.#ports.files();
    return openUris().flatMap((uri) => files.relative(uri.fsPath) ?? []);
  }

  lastCommand(): TerminalCommand | null {
    this.#commands ??= this.#command.watch();
    return this.#command.get();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#listening, ...[this.#git, this.#commands].filter((each) => each !== null)).dispose();
  }

  /** Returns the workspace path of a file, or the name of a new file without a place, such as `Untitled-1`. */
  #pathOf({ scheme, path, fsPath }: vscode.Uri): string | null {
    const hasPlace = scheme === 'file' || /[\\/]/.test(path);
    return hasPlace ? this.#ports.files().relative(fsPath) : path;
  }

  async #withheld(path: string, { scheme }: vscode.Uri, text: string): Promise<Withheld | null> {
    if (!vscode.workspace.isTrusted) {
      return 'restricted';
    }
    if (signOfSecrets(path, text) !== null) {
      return 'secret';
    }
    return scheme === 'file' && (await this.#isIgnored(path)) ? 'ignored' : null;
  }

  #isIgnored(path: string): Promise<boolean> {
    const known = this.#ignored.get(path) ?? this.#ports.files().isIgnoredPath(path);
    this.#ignored.set(path, known);
    return known;
  }

  #watchIgnoreFiles(): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher('**/.gitignore');
    const changed = (): void => {
      this.#ignored.clear();
      this.#changes.call(['editorSelection', 'editorProblems']);
    };
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(changed),
      watcher.onDidChange(changed),
      watcher.onDidDelete(changed),
      vscode.workspace.onDidChangeWorkspaceFolders(changed),
    );
  }
}

function selectedLines({ document, selection }: vscode.TextEditor): SelectedLines | null {
  if (selection.isEmpty) {
    return null;
  }
  const { start, end } = selection;
  const most = document.positionAt(document.offsetAt(start) + MOST_CHARACTERS);
  const isCut = most.isBefore(end);
  // A selection that ends at the start of a line does not include that line.
  const last = end.line + (end.character === 0 ? 0 : 1);
  return { lines: [start.line + 1, last], text: document.getText(new vscode.Range(start, isCut ? most : end)), isCut };
}

function visibleLines({ visibleRanges }: vscode.TextEditor): ActiveFile['visible'] {
  const [first] = visibleRanges;
  const last = visibleRanges.at(-1);
  return first === undefined || last === undefined ? null : [first.start.line + 1, last.end.line + 1];
}

/** Returns the files in the tabs of all editor groups, each once. */
function openUris(): readonly vscode.Uri[] {
  const uris = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => {
      if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook || input instanceof vscode.TabInputCustom) {
        return [input.uri];
      }
      return input instanceof vscode.TabInputTextDiff ? [input.modified] : [];
    }),
  );
  return [...new Map(uris.filter(({ scheme }) => scheme === 'file').map((uri) => [uri.toString(), uri])).values()];
}

function baseName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function withoutText(selection: ActiveFile['selection']): ActiveFile['selection'] {
  return selection === null ? null : { ...selection, text: '', isCut: false };
}
