import { messagesOf } from '../../engine/chat/timeline.js';
import { filesWrittenSince, type EarlierFile, type WrittenFile } from '../../engine/chat/writtenFiles.js';
import { toolCallsOf } from '../../engine/chat/message.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { NoCopy } from '../../engine/chat/toolEdit.js';
import type { FileReader } from '../../engine/context/fileContents.js';
import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Sha256 } from '../../engine/ports.js';
import type { RestorableFile, RestoredFile } from '../../protocol/restorableFile.js';
import type { Blobs } from '../../storage/blobs.js';
import { EDIT_FILE } from '../tools/workspace/editFile.js';
import type { FileDifference } from '../tools/editDocuments.js';
import type { FileWriter } from '../tools/workspace/fileWriter.js';
import { lineChanges } from '../tools/workspace/lineChanges.js';
import { previewEdit } from '../tools/workspace/previewEdit.js';

/** A chat, as far as restoring needs it. */
interface RestoringChat {
  readonly state: ChatState;
  readonly conversation: { reachMessage(id: string): Promise<void> };
}

interface FileRestoresPorts {
  readonly open: (chatId: string) => Promise<RestoringChat>;
  readonly blobs: (chatId: string) => Pick<Blobs, 'get'>;
  /** Reads a file as the user sees it. */
  readonly files: FileReader;
  readonly writer: FileWriter;
  readonly sha256: Sha256;
  /** Opens a difference in VS Code. */
  readonly showDifference: (difference: FileDifference) => Promise<void>;
  readonly logError: (error: LoupeError) => void;
}

type Change = Pick<FileDifference, 'before' | 'after'>;

/** What the user looks at before a file is restored. */
interface RestoreComparison {
  /** From the file as it is now to the file as it was. */
  readonly restoring: Change;
  /** From what a tool left last to the file as it is now: null where nothing was changed since, or that text is not known any more. */
  readonly since: Change | null;
}

/** Why a text is not known, in a sentence for the user. */
interface Unknown {
  readonly ok: false;
  readonly problem: string;
}

/** A text; null where no file is there. */
type Text = { readonly ok: true; readonly text: string | null } | Unknown;

/** A file as it is, and as it was. */
type Texts = { readonly ok: true; readonly now: string | null; readonly earlier: string | null } | Unknown;

const WHY_NOT: Readonly<Record<NoCopy, string>> = {
  notKnown: 'no earlier copy: nobody had looked at it before a tool changed it',
  notText: 'no earlier copy: it is no text, or too large',
  notKept: 'no earlier copy: it could not be stored',
};

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
    const texts = await this.#texts(chatId, file);
    if (!texts.ok) {
      throw failure('restore.refused', { reason: texts.problem });
    }
    const { now, earlier } = texts;
    const left = this.#isChangedSince(file, now) ? await this.#left(chatId, state, file) : null;
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

  /** Restores some of the files, one after the other, each so that the user can undo it. Others are restored also where one cannot be. */
  async restore(chatId: string, messageId: string, paths: readonly string[]): Promise<readonly RestoredFile[]> {
    const { written } = await this.#written(chatId, messageId);
    const restored: RestoredFile[] = [];
    for (const file of written.filter(({ path }) => paths.includes(path))) {
      restored.push({ path: file.path, problem: await this.#restore(chatId, file) });
    }
    return restored;
  }

  async #written(chatId: string, messageId: string): Promise<{ readonly state: ChatState; readonly written: readonly WrittenFile[] }> {
    const chat = await this.#ports.open(chatId);
    await chat.conversation.reachMessage(messageId);
    return { state: chat.state, written: filesWrittenSince(chat.state, messageId) };
  }

  async #restorable(chatId: string, file: WrittenFile): Promise<RestorableFile[]> {
    const { path } = file;
    const texts = await this.#texts(chatId, file);
    if (!texts.ok) {
      return [{ path, action: null, problem: texts.problem, added: 0, removed: 0, isChangedSince: false }];
    }
    const { now, earlier } = texts;
    if (now === earlier) {
      return [];
    }
    const action = earlier === null ? 'delete' : now === null ? 'make' : 'write';
    return [{ path, action, problem: null, ...lineChanges(now, earlier), isChangedSince: this.#isChangedSince(file, now) }];
  }

  /** Null when it was restored. */
  async #restore(chatId: string, file: WrittenFile): Promise<string | null> {
    const texts = await this.#texts(chatId, file);
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

  async #texts(chatId: string, { path, earlier }: WrittenFile): Promise<Texts> {
    const [now, before] = await Promise.all([this.#now(path), this.#earlier(chatId, path, earlier)]);
    return !now.ok ? now : !before.ok ? before : { ok: true, now: now.text, earlier: before.text };
  }

  async #now(path: string): Promise<Text> {
    const read = await this.#ports.files.read(path);
    if (read.ok) {
      return { ok: true, text: read.content };
    }
    return read.problem.code === 'missing' ? { ok: true, text: null } : { ok: false, problem: read.reason };
  }

  async #earlier(chatId: string, path: string, earlier: EarlierFile): Promise<Text> {
    switch (earlier.kind) {
      case 'absent':
        return { ok: true, text: null };
      case 'unknown':
        return { ok: false, problem: `${path}: ${WHY_NOT[earlier.why]}.` };
      case 'copy':
        try {
          const bytes = await this.#ports.blobs(chatId).get(earlier.blob);
          return { ok: true, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
        } catch (thrown) {
          const error = toLoupeError(thrown);
          this.#ports.logError(error);
          return { ok: false, problem: `${path}: ${error.message}` };
        }
    }
  }

  #isChangedSince({ left }: WrittenFile, now: string | null): boolean {
    return (now === null ? null : this.#ports.sha256(now)) !== left;
  }

  /** What a tool left last. It is not stored: the edit that made it is made again. Null where that does not give the same. */
  async #left(
    chatId: string,
    { timeline }: ChatState,
    { path, left, leftBy }: WrittenFile,
  ): Promise<{ readonly text: string | null } | null> {
    if (left === null) {
      return { text: null };
    }
    const replies = messagesOf(timeline).flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message) : []));
    const call = leftBy === null ? undefined : replies.findLast(({ id, name }) => id === leftBy.callId && name === EDIT_FILE);
    const found = leftBy === null ? null : await this.#earlier(chatId, path, leftBy.found);
    if (call?.args === undefined || call.args === null || found?.ok !== true) {
      return null;
    }
    const { text } = found;
    const preview = await previewEdit(call.args, {
      read: () =>
        Promise.resolve(
          text === null
            ? { ok: false, problem: { code: 'missing' }, reason: '' }
            : { ok: true, content: text, bytes: Buffer.byteLength(text, 'utf8') },
        ),
    });
    return preview.ok && this.#ports.sha256(preview.after) === left ? { text: preview.after } : null;
  }
}
