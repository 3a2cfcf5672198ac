import { editsOfTurn, filesWrittenInTurn, type StepEdit, type WrittenFile } from '../../../engine/chat/writtenFiles.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { NewEvent } from '../../../engine/chat/slices/table.js';
import { failure } from '../../../engine/errors.js';
import type { FileWrite } from '../../context/files/fileWriter.js';
import type { FileDifference } from '../../tools/editDocuments.js';
import type { ChatFilesPorts } from './fileTexts.js';

interface TurnChat {
  readonly state: ChatState;
  readonly conversation: { checkIdle(): void };
  record(events: readonly NewEvent[]): Promise<void>;
}

export interface TurnFilesPorts extends ChatFilesPorts<TurnChat> {
  /** Shows the differences of several files in one editor. */
  readonly showDifferences: (differences: readonly FileDifference[]) => Promise<void>;
  /** Asks whether to undo also in files that changed after the turn. Null: the user cancelled. */
  readonly askChanged: (paths: readonly string[], others: number) => Promise<'all' | 'unchanged' | null>;
  /** Offers to redo what was undone in these files. Resolves to false when the user closes the offer. */
  readonly offerRedo: (paths: readonly string[]) => Promise<boolean>;
  /** Called when redoing failed. */
  readonly failed: (thrown: unknown) => void;
}

/** A file with its text now, and its text from before the turn. */
interface ReadFile extends FileWrite {
  readonly file: WrittenFile;
  readonly isChangedSince: boolean;
}

interface Read {
  readonly files: readonly ReadFile[];
  /** A sentence for each file that cannot be restored. */
  readonly problems: readonly string[];
}

/** Shows and undoes the changes of all files that the tools of one turn wrote. */
export class TurnFiles {
  readonly #ports: TurnFilesPorts;

  constructor(ports: TurnFilesPorts) {
    this.#ports = ports;
  }

  /** Shows what the turn of the user message changed in all files. Rejects with `invalidInput` for unknown texts. */
  async show(chatId: string, messageId: string): Promise<void> {
    const { state } = await this.#ports.open(chatId);
    const { files, problems } = await this.#read(chatId, filesWrittenInTurn(state, messageId));
    const differences = await Promise.all(
      files.map(async ({ file, path, before: now, after: earlier, isChangedSince }): Promise<FileDifference> => {
        const left = isChangedSince ? await this.#ports.texts.left(chatId, state, file) : { text: now };
        return left === null
          ? { path, before: earlier, after: now, label: 'changes by the assistant, and later changes' }
          : { path, before: earlier, after: left.text, label: 'changes by the assistant' };
      }),
    );
    const [only] = differences;
    if (differences.length === 1 && only !== undefined) {
      await this.#ports.showDifference(only);
    } else if (differences.length > 1) {
      await this.#ports.showDifferences(differences);
    }
    failFor(problems);
  }

  /**
   * Restores all files to their texts from before the turn, and offers to redo this. Asks first if a file has changed
   * since. Restores all files that it can, then rejects with `invalidInput` for the others.
   */
  async undo(chatId: string, messageId: string): Promise<void> {
    const chat = await this.#ports.open(chatId);
    chat.conversation.checkIdle();
    const { files, problems } = await this.#read(chatId, filesWrittenInTurn(chat.state, messageId));
    const changed = files.filter(({ isChangedSince }) => isChangedSince);
    const paths = changed.map(({ path }) => path);
    const answer = changed.length === 0 ? 'all' : await this.#ports.askChanged(paths, files.length - changed.length);
    if (answer === null) {
      return;
    }
    // A run may have begun meanwhile.
    chat.conversation.checkIdle();
    const wanted = files.filter(({ isChangedSince }) => answer === 'all' || !isChangedSince);
    const undone = await this.#write(wanted);
    const edits = editsOfTurn(chat.state, messageId).filter(({ path }) => undone.paths.has(path));
    await chat.record(edits.map((edit) => ({ type: 'edit-undone', ...edit })));
    if (undone.paths.size > 0) {
      // Not awaited, because the offer stays until the user closes it.
      this.#redo(chat, { edits, files: wanted.filter(({ path }) => undone.paths.has(path)) }).catch(this.#ports.failed);
    }
    failFor([...problems, ...undone.problems]);
  }

  /** Writes the undone texts again if the user wants this. Skips files that have changed meanwhile, and names them. */
  async #redo(
    chat: TurnChat,
    { edits, files }: { readonly edits: readonly StepEdit[]; readonly files: readonly FileWrite[] },
  ): Promise<void> {
    if (!(await this.#ports.offerRedo(files.map(({ path }) => path)))) {
      return;
    }
    chat.conversation.checkIdle();
    const redone = await this.#write(files.map(({ path, before, after }) => ({ path, before: after, after: before })));
    await chat.record(edits.filter(({ path }) => redone.paths.has(path)).map((edit) => ({ type: 'edit-redone', ...edit })));
    failFor(redone.problems);
  }

  async #read(chatId: string, written: readonly WrittenFile[]): Promise<Read> {
    const { texts } = this.#ports;
    const read = await Promise.all(written.map(async (file) => ({ file, text: await texts.read(chatId, file) })));
    return {
      files: read.flatMap(({ file, text }): ReadFile[] => {
        if (!text.ok) {
          return [];
        }
        const { now, earlier } = text;
        return [{ file, path: file.path, before: now, after: earlier, isChangedSince: now !== earlier && texts.isChangedSince(file, now) }];
      }),
      problems: read.flatMap(({ text }) => (text.ok ? [] : [text.problem])),
    };
  }

  /** Writes the files one by one. Returns the paths that now have the new text, and a sentence for each other file. */
  async #write(files: readonly FileWrite[]): Promise<{ readonly paths: ReadonlySet<string>; readonly problems: readonly string[] }> {
    const paths = new Set<string>();
    const problems: string[] = [];
    for (const { path, before, after } of files) {
      const wrote = before === after ? null : await this.#ports.writer.write({ path, before, after });
      if (wrote?.ok === false) {
        problems.push(wrote.reason);
      } else {
        paths.add(path);
      }
    }
    return { paths, problems };
  }
}

function failFor(problems: readonly string[]): void {
  if (problems.length > 0) {
    throw failure('restore.refused', { reason: problems.join(' ') });
  }
}
