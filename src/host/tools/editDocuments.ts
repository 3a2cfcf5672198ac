import { basename } from 'node:path/posix';
import * as vscode from 'vscode';
import type { FileWrite } from '../context/files/fileWriter.js';

const SCHEME = 'loupe-edit';

/** Maximum number of open differences to keep. The tab of an older difference asks the user to open it again. */
const MOST_KEPT = 30;

export interface FileDifference extends FileWrite {
  /** End of the tab's title: the name of the tool, such as `edit_file`. */
  readonly label: string;
}

/** Shows the edit of a tool in VS Code's diff editor, as two read-only documents. */
export class EditDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #kept = new Map<string, readonly FileDifference[]>();
  readonly #registration: vscode.Disposable;
  #count = 0;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  async show(difference: FileDifference): Promise<void> {
    const id = this.#keep([difference]);
    const { path, label } = difference;
    const [before, after] = (['before', 'after'] as const).map((side) => sideUri(path, { id, at: 0, side }));
    await vscode.commands.executeCommand('vscode.diff', before, after, `${basename(path)} (${label})`, { preview: true });
  }

  /** Shows several edits in one editor. */
  async showAll(differences: readonly FileDifference[]): Promise<void> {
    const id = this.#keep(differences);
    const files = differences.map(({ path }, at) => {
      const [before, after] = (['before', 'after'] as const).map((side) => sideUri(path, { id, at, side }));
      return [after, before, after];
    });
    await vscode.commands.executeCommand('vscode.changes', `${String(files.length)} files (${differences[0]?.label ?? ''})`, files);
  }

  provideTextDocumentContent({ query }: vscode.Uri): string {
    const { id, at, side } = JSON.parse(query) as DiffSide;
    const difference = this.#kept.get(id)?.[at];
    return difference === undefined ? 'This difference is no longer available. Open it again from the chat.\n' : (difference[side] ?? '');
  }

  /** Keeps the texts of differences under an id. Forgets the oldest texts. */
  #keep(differences: readonly FileDifference[]): string {
    this.#count += 1;
    const id = String(this.#count);
    this.#kept.set(id, differences);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) {
      this.#kept.delete(oldest);
    }
    return id;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

interface DiffSide {
  readonly id: string;
  /** Index among the differences with this id. */
  readonly at: number;
  readonly side: 'before' | 'after';
}

/** Returns the URI of one side of a diff. Contains the file's path, from which VS Code detects the language. */
function sideUri(path: string, side: DiffSide): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${path}`, query: JSON.stringify(side) });
}
