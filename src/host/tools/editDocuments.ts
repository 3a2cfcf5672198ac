import { basename } from 'node:path/posix';
import * as vscode from 'vscode';

const SCHEME = 'loupe-edit';

/** Differences whose tabs may still be open. Of an older one the tab says what to do. */
const MOST_KEPT = 30;

/** Two states of a file; null stands for no file. */
export interface FileDifference {
  /** Within the workspace. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** What the difference is, for the title of the tab, such as `edit_file`. */
  readonly label: string;
}

/** Shows what a tool would change, or has changed, as VS Code shows any difference: with read-only documents on both sides. */
export class EditDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #kept = new Map<string, FileDifference>();
  readonly #registration: vscode.Disposable;
  #count = 0;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  async show(difference: FileDifference): Promise<void> {
    this.#count += 1;
    const id = String(this.#count);
    this.#kept.set(id, difference);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) {
      this.#kept.delete(oldest);
    }
    const { path, label } = difference;
    const [before, after] = (['before', 'after'] as const).map((side) => sideUri(path, { id, side }));
    await vscode.commands.executeCommand('vscode.diff', before, after, `${basename(path)} (${label})`, { preview: true });
  }

  provideTextDocumentContent({ query }: vscode.Uri): string {
    const { id, side } = JSON.parse(query) as Side;
    const difference = this.#kept.get(id);
    return difference === undefined ? 'This difference is not kept any more. Open it again from the chat.\n' : (difference[side] ?? '');
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

interface Side {
  readonly id: string;
  readonly side: 'before' | 'after';
}

/** The path gives the language. */
function sideUri(path: string, side: Side): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${path}`, query: JSON.stringify(side) });
}
