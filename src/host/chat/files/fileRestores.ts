import { filesWrittenSince, type WrittenFile } from '../../../engine/chat/writtenFiles.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { failure } from '../../../engine/errors.js';
import type { RestorableFile, RestoredFile } from '../../../protocol/panel/restorableFile.js';
import type { FileDifference } from '../../tools/editDocuments.js';
import { lineChanges } from '../../tools/workspace/lineChanges.js';
import type { ChatFilesPorts } from './fileTexts.js';

interface RestoringChat {
  readonly state: ChatState;
  readonly conversation: { reachMessage(id: string): Promise<void> };
}

type FileTextChange = Pick<FileDifference, 'before' | 'after'>;

interface RestoreComparison {
  /** The change from the current text of the file to its earlier text. */
  readonly restoring: FileTextChange;
  /** The change from the text that a tool wrote last to the current text. Null when equal or unknown. */
  readonly since: FileTextChange | null;
}

/**
 * Restores files that tools changed after a message, for an edit or a retry. Each file gets its text from before these
 * changes. All methods first load the messages back to that message, and reject as `ChatSession.whole` does.
 */
export class FileRestores {
  readonly #ports: ChatFilesPorts<RestoringChat>;

  constructor(ports: ChatFilesPorts<RestoringChat>) {
    this.#ports = ports;
  }

  /** Returns the files that tools changed after a message. Omits files that already have their earlier text again. */
  async restorable(chatId: string, messageId: string): Promise<readonly RestorableFile[]> {
    const { written } = await this.#written(chatId, messageId);
    const files = await Promise.all(written.map((file) => this.#restorable(chatId, file)));
    return files.flat();
  }

  /** Returns what a restore of the file would change. Rejects with `invalidInput` when it cannot be restored. */
  async compare(chatId: string, messageId: string, path: string): Promise<RestoreComparison> {
    const { state, written } = await this.#written(chatId, messageId);
    const file = written.find((each) => each.path === path);
    if (file === undefined) {
      throw failure('restore.notWritten', { path });
    }
    const texts = await this.#ports.texts.read(chatId, file);
    if (!texts.ok) {
      throw failure('restore.refused', { reason: texts.problem });
    }
    const { now, earlier } = texts;
    const left = this.#ports.texts.isChangedSince(file, now) ? await this.#ports.texts.left(chatId, state, file) : null;
    return { restoring: { before: now, after: earlier }, since: left === null ? null : { before: left.text, after: now } };
  }

  /** Shows a diff of the restore, or of changes after the last tool if known. Rejects as `compare` does. */
  async show(
    chatId: string,
    messageId: string,
    { path, what }: { readonly path: string; readonly what: 'restoring' | 'since' },
  ): Promise<void> {
    const change = (await this.compare(chatId, messageId, path))[what];
    if (change === null) {
      throw failure('restore.sinceUnknown', { path });
    }
    await this.#ports.showDifference({ path, ...change, label: what === 'restoring' ? 'restore' : 'later changes' });
  }

  /**
   * Resolves to a function that restores these files one by one. The user can undo each file separately. The function
   * continues after a failure, and works even when the messages have been replaced.
   */
  async restorer(chatId: string, messageId: string, paths: readonly string[]): Promise<() => Promise<readonly RestoredFile[]>> {
    const { written } = await this.#written(chatId, messageId);
    const wanted = written.filter(({ path }) => paths.includes(path));
    return async () => {
      const restored: RestoredFile[] = [];
      for (const file of wanted) {
        restored.push({ path: file.path, problem: await this.#restore(chatId, file) });
      }
      return restored;
    };
  }

  async #written(chatId: string, messageId: string): Promise<{ readonly state: ChatState; readonly written: readonly WrittenFile[] }> {
    const chat = await this.#ports.open(chatId);
    await chat.conversation.reachMessage(messageId);
    return { state: chat.state, written: filesWrittenSince(chat.state, messageId) };
  }

  async #restorable(chatId: string, file: WrittenFile): Promise<RestorableFile[]> {
    const { path } = file;
    const texts = await this.#ports.texts.read(chatId, file);
    if (!texts.ok) {
      return [{ path, action: null, problem: texts.problem, added: 0, removed: 0, isChangedSince: false }];
    }
    const { now, earlier } = texts;
    if (now === earlier) {
      return [];
    }
    const action = earlier === null ? 'delete' : now === null ? 'make' : 'write';
    return [{ path, action, problem: null, ...lineChanges(now, earlier), isChangedSince: this.#ports.texts.isChangedSince(file, now) }];
  }

  /** Restores a file. Returns null after success, otherwise the problem. */
  async #restore(chatId: string, file: WrittenFile): Promise<string | null> {
    const texts = await this.#ports.texts.read(chatId, file);
    if (!texts.ok) {
      return texts.problem;
    }
    const { now: before, earlier: after } = texts;
    if (before === after) {
      return null;
    }
    const wrote = await this.#ports.writer.write({ path: file.path, before, after });
    return wrote.ok ? null : wrote.reason;
  }
}
