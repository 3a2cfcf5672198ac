import type { FileWrite, FileWriter, WriteResult } from '../../../src/host/context/files/fileWriter.js';
import { FileTexts } from '../../../src/host/chat/files/fileTexts.js';
import { sha256 } from '../../../src/host/window/systemPorts.js';
import type { Toolbox } from '../../../src/host/tools/toolbox.js';
import { editFileTool } from '../../../src/host/tools/workspace/editFile.js';
import { NO_TOOLS, toolboxOf } from '../engine/toolExecutor.js';
import type { MemoryFiles, Window } from './window.js';

/** Writes files in memory. Refuses a read-only file, and a file with another text than expected. */
export class MemoryWriter implements FileWriter {
  readonly #files: MemoryFiles;
  /** The path of the only read-only file, if any. */
  readOnly: string | null = null;

  constructor(files: MemoryFiles) {
    this.#files = files;
  }

  write({ path, before, after }: FileWrite): Promise<WriteResult> {
    const { texts } = this.#files;
    if (path === this.readOnly) {
      return Promise.resolve({ ok: false, reason: `${path} is read-only.`, isInEditor: false });
    }
    if ((texts.get(path) ?? null) !== before) {
      return Promise.resolve({ ok: false, reason: `${path} has changed.`, isInEditor: false });
    }
    if (after === null) {
      texts.delete(path);
    } else {
      texts.set(path, after);
    }
    return Promise.resolve({ ok: true, hadUnsaved: false });
  }
}

/** Tools with only `edit_file`, which writes without a question. */
export function onlyEditFile(files: MemoryFiles, writer: FileWriter): Toolbox {
  const edits = editFileTool({ files, writer, sha256 });
  const tool = { asks: null, allowed: null, call: edits.run.bind(edits) };
  return { ...toolboxOf(NO_TOOLS), builtIn: (name) => (name === edits.name ? tool : null) };
}

/** Returns the line of a message that lets the practice model edit a file. An empty `oldText` makes the file. */
export function editLine(path: string, oldText: string, newText: string): string {
  return `/tool edit_file ${JSON.stringify({ path, old_text: oldText, new_text: newText })}`;
}

/** Returns the earlier and current texts of files that the chats of a window have written. */
export function fileTextsOf({ chats, errors }: Window, files: MemoryFiles): FileTexts {
  return new FileTexts({ blobs: (chatId) => chats.exported.blobs(chatId), files, sha256, logError: (error) => errors.push(error) });
}
