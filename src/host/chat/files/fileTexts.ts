import { toolCallsOf } from '../../../engine/chat/message/message.js';
import type { ToolCallPart } from '../../../engine/model/part.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { messagesOf } from '../../../engine/chat/timeline.js';
import type { NoCopy } from '../../../engine/chat/calls/toolEdit.js';
import type { EarlierFile, WrittenFile } from '../../../engine/chat/writtenFiles.js';
import type { FileReader } from '../../../engine/context/fileContents.js';
import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { Sha256 } from '../../../engine/ports.js';
import type { Blobs } from '../../../storage/blobs.js';
import { EDIT_FILE } from '../../tools/workspace/editFile.js';
import type { FileWriter } from '../../context/files/fileWriter.js';
import type { FileDifference } from '../../tools/editDocuments.js';
import { previewEdit } from '../../tools/workspace/previewEdit.js';

export interface FileTextsPorts {
  readonly blobs: (chatId: string) => Pick<Blobs, 'get'>;
  /** Reads a file, including changes in the editor that are not saved. */
  readonly files: FileReader;
  readonly sha256: Sha256;
  readonly logError: (error: LoupeError) => void;
}

/** The ports for showing and changing the files of a chat. */
export interface ChatFilesPorts<Chat> {
  readonly open: (chatId: string) => Promise<Chat>;
  readonly texts: FileTexts;
  readonly writer: FileWriter;
  readonly showDifference: (difference: FileDifference) => Promise<void>;
}

export interface UnknownText {
  readonly ok: false;
  readonly problem: string;
}

/** The text of a file. Null for a file that does not exist. */
type FileText = { readonly ok: true; readonly text: string | null } | UnknownText;

/** The current and the earlier text of a file. A text is null if the file did not exist at that time. */
export type FileTextsRead = { readonly ok: true; readonly now: string | null; readonly earlier: string | null } | UnknownText;

const WHY_NOT: Readonly<Record<NoCopy, string>> = {
  notKnown: 'a tool changed the file before Loupe had read it',
  notText: 'the file was too large, or not a text file',
  notKept: 'Loupe could not store the copy',
  imported: 'this chat was imported',
};

/** Reads texts of files that tools of a chat wrote: the current text, the earlier text, the text after a tool. */
export class FileTexts {
  readonly #ports: FileTextsPorts;

  constructor(ports: FileTextsPorts) {
    this.#ports = ports;
  }

  async read(chatId: string, { path, earlier }: Pick<WrittenFile, 'path' | 'earlier'>): Promise<FileTextsRead> {
    const [now, before] = await Promise.all([this.#now(path), this.#earlier(chatId, path, earlier)]);
    return !now.ok ? now : !before.ok ? before : { ok: true, now: now.text, earlier: before.text };
  }

  isChangedSince({ left }: Pick<WrittenFile, 'left'>, now: string | null): boolean {
    return (now === null ? null : this.#ports.sha256(now)) !== left;
  }

  /** Returns the text that a tool wrote last, by repeating the edit. Null if this text has not the logged hash. */
  async left(
    chatId: string,
    state: Pick<ChatState, 'timeline'>,
    { path, left, leftBy }: WrittenFile,
  ): Promise<{ readonly text: string | null } | null> {
    if (left === null) {
      return { text: null };
    }
    const call = leftBy === null ? undefined : callsIn(state).findLast(({ id, name }) => id === leftBy.callId && name === EDIT_FILE);
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

  async #now(path: string): Promise<FileText> {
    const read = await this.#ports.files.read(path);
    if (read.ok) {
      return { ok: true, text: read.content };
    }
    return read.problem.code === 'missing' ? { ok: true, text: null } : { ok: false, problem: read.reason };
  }

  async #earlier(chatId: string, path: string, earlier: EarlierFile): Promise<FileText> {
    switch (earlier.kind) {
      case 'absent':
        return { ok: true, text: null };
      case 'unknown':
        return { ok: false, problem: `Loupe has no earlier copy of ${path}: ${WHY_NOT[earlier.why]}.` };
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
}

/** Returns the tool calls of all replies of the loaded conversation, in order. */
export function callsIn({ timeline }: Pick<ChatState, 'timeline'>): readonly ToolCallPart[] {
  return messagesOf(timeline).flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message) : []));
}
