import { systemCode } from '../../../storage/files/failure.js';
import type { Wrote } from '../../context/files/fileWriter.js';

/** Codes of a file that this user may not write: its rights, its lock, and those of its disk. */
const READ_ONLY = new Set<string | null>(['EACCES', 'EPERM', 'EROFS']);

/** Whether a file may be written, by the answer of the disk to `ask`. Other errors of the disk show when the file is saved. */
export async function mayWrite(ask: Promise<void>): Promise<boolean> {
  try {
    await ask;
    return true;
  } catch (thrown) {
    return !READ_ONLY.has(systemCode(thrown));
  }
}

/** A file whose editor has an edit. */
interface EditedFile {
  readonly path: string;
  /** The texts before and after the edit. */
  readonly before: string;
  readonly after: string;
  /** The texts in the editor and on disk now; null when the disk cannot be read. */
  readonly shown: string;
  readonly onDisk: string | null;
  readonly hadUnsaved: boolean;
  /** Whether VS Code says that nothing is left to save. */
  readonly saysSaved: boolean;
}

/**
 * What became of an edit after VS Code was to save it. A read-only editor shows edits and never has anything to save. `TextDocument.save`
 * returns false for a file that changed on disk and for an error of the disk, without telling which, and also where the user types while it
 * saves: then the edit is on disk.
 */
export function afterSave({ path, before, after, shown, onDisk, hadUnsaved, saysSaved }: EditedFile): Wrote | 'readOnly' {
  if (saysSaved && isSameText(onDisk, before) && !isSameText(onDisk, shown)) {
    return 'readOnly';
  }
  if (saysSaved || isSameText(onDisk, after)) {
    return { ok: true, hadUnsaved };
  }
  const why =
    !hadUnsaved && !isSameText(onDisk, before)
      ? 'it is not saved: it has changed on disk since it was read. The user has to compare both versions and save the right one.'
      : 'VS Code did not save it, and shows why in a notification. The user has to save it or undo the edit.';
  return { ok: false, reason: `${path} is edited in its editor, but ${why}`, isInEditor: true };
}

/** Whether a text on disk is that of an editor: VS Code saves it with the line ends and the byte order mark of the file. */
function isSameText(onDisk: string | null, text: string): boolean {
  return onDisk !== null && inEditor(onDisk) === inEditor(text);
}

function inEditor(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
