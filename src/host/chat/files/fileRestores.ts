import { filesWrittenSince, type WrittenFile } from '../../../engine/chat/writtenFiles.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { failure } from '../../../engine/errors.js';
import type { RestorableFile } from '../../../protocol/panel/toolCalls.js';
import { lineChanges } from '../../tools/workspace/lineChanges.js';
import type { ChatFilesPorts } from './fileTexts.js';

interface RestoringChat {
  readonly state: ChatState;
  readonly conversation: { reachMessage(id: string): Promise<void> };
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
    const written = await this.#written(chatId, messageId);
    const files = await Promise.all(written.map((file) => this.#restorable(chatId, file)));
    return files.flat();
  }

  /** Shows what a restore of the file would change. Rejects with `invalidInput` when it cannot be restored. */
  async show(chatId: string, messageId: string, path: string): Promise<void> {
    const file = (await this.#written(chatId, messageId)).find((each) => each.path === path);
    if (file === undefined) {
      throw failure('restore.notWritten', { path });
    }
    const texts = await this.#ports.texts.read(chatId, file);
    if (!texts.ok) {
      throw failure('restore.refused', { reason: texts.problem });
    }
    await this.#ports.showDifference({ path, before: texts.now, after: texts.earlier, label: 'restore' });
  }

  /**
   * Resolves to a function that restores these files one by one. The user can undo each file separately. The function
   * returns a sentence for each file that it cannot restore, and works even when the messages have been replaced.
   */
  async restorer(chatId: string, messageId: string, paths: readonly string[]): Promise<() => Promise<readonly string[]>> {
    const wanted = (await this.#written(chatId, messageId)).filter(({ path }) => paths.includes(path));
    return async () => {
      const problems: string[] = [];
      for (const file of wanted) {
        const problem = await this.#restore(chatId, file);
        problems.push(...(problem === null ? [] : [problem]));
      }
      return problems;
    };
  }

  async #written(chatId: string, messageId: string): Promise<readonly WrittenFile[]> {
    const chat = await this.#ports.open(chatId);
    await chat.conversation.reachMessage(messageId);
    return filesWrittenSince(chat.state, messageId);
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
