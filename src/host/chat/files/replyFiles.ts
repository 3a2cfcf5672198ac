import type { ChatState } from '../../../engine/chat/state.js';
import type { NewEvent } from '../../../engine/chat/slices/table.js';
import { stepFiles, type StepFile } from '../../../engine/chat/writtenFiles.js';
import { failure } from '../../../engine/errors.js';
import { callsIn, type ChatFilesPorts } from './fileTexts.js';

interface FilesChat {
  readonly state: ChatState;
  readonly conversation: { checkIdle(): void };
  record(events: readonly NewEvent[]): Promise<void>;
}

interface FileOfStep {
  /** Id of the message with the tool results of the step. */
  readonly messageId: string;
  readonly path: string;
}

type WrittenStepFile = Extract<StepFile, { readonly kind: 'written' }>;

/** Shows how the tools of one reply changed a file, and undoes the changes of one file at a time. */
export class ReplyFiles {
  readonly #ports: ChatFilesPorts<FilesChat>;

  constructor(ports: ChatFilesPorts<FilesChat>) {
    this.#ports = ports;
  }

  /** Shows what the step changed in a file. Rejects with `invalidInput` when these changes are unknown. */
  async show(chatId: string, { messageId, path }: FileOfStep): Promise<void> {
    const { state } = await this.#ports.open(chatId);
    const { file } = writtenIn(state, messageId, path);
    const { now, earlier } = await this.#texts(chatId, file);
    const left = await this.#left(chatId, state, file, now);
    await this.#ports.showDifference(
      left === null
        ? { path, before: earlier, after: now, label: 'changes by the assistant, and later changes' }
        : { path, before: earlier, after: left.text, label: 'changes by the assistant' },
    );
  }

  /**
   * Restores one file to its text from before the step. The user can undo this. If the file was changed after the step,
   * shows the later change and rejects with `invalidInput`.
   */
  async undo(chatId: string, { messageId, path }: FileOfStep): Promise<void> {
    const { texts, writer, showDifference } = this.#ports;
    const chat = await this.#ports.open(chatId);
    chat.conversation.checkIdle();
    const { runId, file } = writtenIn(chat.state, messageId, path);
    if (file.isUndone) {
      throw failure('undo.done', { path });
    }
    const { now, earlier } = await this.#texts(chatId, file);
    if (now !== earlier && texts.isChangedSince(file, now)) {
      const left = await texts.left(chatId, chat.state, file);
      await showDifference({ path, before: left === null ? earlier : left.text, after: now, label: 'later changes' });
      throw failure('undo.changedSince', { path });
    }
    const wrote = now === earlier ? null : await writer.write({ path, before: now, after: earlier });
    if (wrote?.ok === false) {
      throw failure('restore.refused', { reason: wrote.reason });
    }
    await chat.record([{ type: 'edit-undone', runId, messageId, path }]);
  }

  /** Shows the edit that a tool could not apply. Rejects with `invalidInput` when the call is not loaded. */
  async showUnapplied(chatId: string, callId: string): Promise<void> {
    const { state } = await this.#ports.open(chatId);
    const args = callsIn(state).findLast(({ id }) => id === callId)?.args ?? null;
    const { path, old_text: before, new_text: after } = args ?? {};
    if (typeof path !== 'string' || typeof before !== 'string' || typeof after !== 'string') {
      throw failure('chat.resultGone');
    }
    await this.#ports.showDifference({ path, before, after, label: 'edit that was not applied' });
  }

  async #texts(chatId: string, file: WrittenStepFile): Promise<{ readonly now: string | null; readonly earlier: string | null }> {
    const texts = await this.#ports.texts.read(chatId, file);
    if (!texts.ok) {
      throw failure('restore.refused', { reason: texts.problem });
    }
    return texts;
  }

  /** Returns the text of the file after the step, or null when this text is no longer known. */
  async #left(
    chatId: string,
    state: ChatState,
    file: WrittenStepFile,
    now: string | null,
  ): Promise<{ readonly text: string | null } | null> {
    return this.#ports.texts.isChangedSince(file, now) ? this.#ports.texts.left(chatId, state, file) : { text: now };
  }
}

function writtenIn({ runs }: ChatState, messageId: string, path: string): { readonly runId: string; readonly file: WrittenStepFile } {
  for (const run of runs.values()) {
    const file = stepFiles(run, messageId).find((each) => each.kind === 'written' && each.path === path);
    if (file?.kind === 'written') {
      return { runId: run.id, file };
    }
  }
  throw failure('restore.notWritten', { path });
}
