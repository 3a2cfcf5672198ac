import * as vscode from 'vscode';
import type { FileDoubt } from '../../engine/context/fileDoubt.js';
import { counted } from '../../protocol/numbers.js';
import { MAX_FOLDER_FILES } from './files/folderListing.js';

/** A file that Loupe adds to a chat only if the user agrees. */
export interface DoubtfulFile {
  /** The workspace path. */
  readonly name: string;
  readonly doubt: FileDoubt;
}

/** A folder with more files than Loupe adds at once. */
export interface LargeFolder {
  /** The workspace path. */
  readonly name: string;
  readonly files: number;
  /** Whether the folder has more than `files` files. */
  readonly hasMore: boolean;
  /** Estimated tokens of the file tree. Null if the tree would be too large. */
  readonly tokens: number | null;
}

interface FolderChoice extends vscode.MessageItem {
  readonly adds: 'tree' | 'files';
}

/** Maximum number of files that a question names. A dialog cannot scroll. */
const MOST_NAMED = 10;

/** Key of VS Code's memory of the workspace: the paths of files with secrets that the user allowed. */
const ALLOWED_KEY = 'allowedSecretFiles';

/** Asks the user about files with secrets and about large files. Asks only once about a file with secrets. */
export class FileQuestions {
  readonly #memory: Pick<vscode.Memento, 'get' | 'update'>;

  constructor(memory: Pick<vscode.Memento, 'get' | 'update'>) {
    this.#memory = memory;
  }

  isAllowed(name: string): boolean {
    return this.#allowed().includes(name);
  }

  /** Returns whether the user agrees to add the files. */
  async ask(files: readonly DoubtfulFile[]): Promise<boolean> {
    const what = files.length === 1 ? (files[0]?.name ?? '') : counted(files.length, 'file');
    const more = files.length > MOST_NAMED ? [`and ${String(files.length - MOST_NAMED)} more`] : [];
    const lines = [...files.slice(0, MOST_NAMED).map(doubtText), ...more];
    const detail = `${lines.join('\n')}\n\nLoupe sends added files to the model provider with each request.`;
    const answer = await vscode.window.showWarningMessage(`Add ${what} to the chat?`, { modal: true, detail }, 'Add');
    if (answer !== 'Add') {
      return false;
    }
    await this.allow(files.flatMap(({ name, doubt }) => (doubt.code === 'secret' ? [name] : [])));
    return true;
  }

  /** Asks what to add of a large folder: its file tree, or its first files. Null to add nothing. */
  async askFolder({ name, files, hasMore, tokens }: LargeFolder): Promise<'tree' | 'files' | null> {
    const choices: readonly FolderChoice[] = [
      ...(tokens === null ? [] : [{ title: 'Add File Tree', adds: 'tree' as const }]),
      { title: `Add First ${String(MAX_FOLDER_FILES)} Files`, adds: 'files' },
    ];
    const size =
      tokens === null ? '' : ` The file tree has about ${counted(tokens, 'token')}: with it, the model knows which files it can read.`;
    const answer = await vscode.window.showInformationMessage(
      `${name} has ${hasMore ? 'more than ' : ''}${counted(files, 'file')}.`,
      { modal: true, detail: `Loupe adds at most ${String(MAX_FOLDER_FILES)} files of a folder.${size}` },
      ...choices,
    );
    return answer?.adds ?? null;
  }

  /** Stores that the user allows files with secrets, by workspace path. */
  async allow(names: readonly string[]): Promise<void> {
    await this.#memory.update(ALLOWED_KEY, [...new Set([...this.#allowed(), ...names])]);
  }

  #allowed(): readonly string[] {
    // Missing until the user allows the first file.
    return this.#memory.get<readonly string[]>(ALLOWED_KEY) ?? [];
  }
}

/** Returns a sentence with the reason of the question. */
function doubtText({ name, doubt }: DoubtfulFile): string {
  if (doubt.code === 'large') {
    return `${name} has about ${counted(doubt.tokens, 'token')}.`;
  }
  return doubt.by === 'name' ? `${name} usually contains passwords or keys.` : `${name} contains text with the form of a key.`;
}
