import { filesWrittenSince, type WrittenFile } from '../../../engine/chat/writtenFiles.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { failure } from '../../../engine/errors.js';
import type { RestorableFile, RestoredFile } from '../../../protocol/panel/restorableFile.js';
import type { FileDifference } from '../../tools/editDocuments.js';
import type { FileWriter } from '../../context/files/fileWriter.js';
import { lineChanges } from '../../tools/workspace/lineChanges.js';
import type { FileTexts } from './fileTexts.js';

/** A chat, as far as restoring needs it. */
interface RestoringChat {
  readonly state: ChatState;
  readonly conversation: { reachMessage(id: string): Promise<void> };
}

interface FileRestoresPorts {
  readonly open: (chatId: string) => Promise<RestoringChat>;
  readonly texts: FileTexts;
  readonly writer: FileWriter;
  /** Opens a difference in VS Code. */
  readonly showDifference: (difference: FileDifference) => Promise<void>;
}

type Change = Pick<FileDifference, 'before' | 'after'>;

/** What the user looks at before a file is restored. */
interface RestoreComparison {
  /** From the file as it is now to the file as it was. */
  readonly restoring: Change;
  /** From what a tool left last to the file as it is now: null where nothing was changed since, or that text is not known any more. */
  readonly since: Change | null;
}

/**
 * Puts files back as they were before the tools of some messages wrote them, so that an edit or a retry can offer that. All methods read
 * the chat back to the message, and reject as `ChatSession.whole` does.
 */
export class FileRestores {
  readonly #ports: FileRestoresPorts;

  constructor(ports: FileRestoresPorts) {
    this.#ports = ports;
  }

  /** The files that tools wrote behind a message, but for those that are as they were. */
  async restorable(chatId: string, messageId: string): Promise<readonly RestorableFile[]> {
    const { written } = await this.#written(chatId, messageId);
    const files = await Promise.all(written.map((file) => this.#restorable(chatId, file)));
    return files.flat();
  }

  /** What restoring a file would change. Rejects with `invalidInput` when it cannot be restored. */
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

  /** Shows what restoring a file would change, or what was changed in it since a tool wrote it last. Rejects as `compare` does, and where that is not known. */
  async show(
    chatId: string,
    messageId: string,
    { path, what }: { readonly path: string; readonly what: 'restoring' | 'since' },
  ): Promise<void> {
    const change = (await this.compare(chatId, messageId, path))[what];
    if (change === null) {
      throw failure('restore.sinceUnknown', { path });
    }
    await this.#ports.showDifference({ path, ...change, label: what === 'restoring' ? 'restore' : 'changed since' });
  }

  /**
   * Resolves to what restores some of the files, also when the messages behind them are set aside by then. It restores one after the
   * other, each so that the user can undo it. Others are restored also where one cannot be.
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

  /** Null when it was restored. */
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
