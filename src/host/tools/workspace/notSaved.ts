import { systemCode } from '../../../storage/files/failure.js';
import type { WriteResult } from '../../context/files/fileWriter.js';

/** Error codes for a file that the user cannot write: permissions, a lock or a read-only disk. */
const READ_ONLY = new Set<string | null>(['EACCES', 'EPERM', 'EROFS']);

/** Whether the user can write a file, by the result of the check `ask`. Ignores other errors, which saving reports. */
export async function mayWrite(ask: Promise<void>): Promise<boolean> {
  try {
    await ask;
    return true;
  } catch (thrown) {
    return !READ_ONLY.has(systemCode(thrown));
  }
}

interface EditedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The current text in the editor. `onDisk`: the text on disk, null for a file that cannot be read. */
  readonly shown: string;
  readonly onDisk: string | null;
  readonly hadUnsaved: boolean;
  /** Whether VS Code says that the document has no unsaved changes. */
  readonly saysSaved: boolean;
}

/**
 * Returns the result of an edit after VS Code has tried to save the file. A read-only editor shows the edit, but never
 * saves it. `TextDocument.save` also returns false for a file that changed on disk, for a disk error, and if the user
 * types during the save. In the last case, the edit is on disk.
 */
export function afterSave({ path, before, after, shown, onDisk, hadUnsaved, saysSaved }: EditedFile): WriteResult | 'readOnly' {
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

/** Whether the text on disk is `text`, apart from line ends and a byte order mark. */
function isSameText(onDisk: string | null, text: string): boolean {
  return onDisk !== null && inEditor(onDisk) === inEditor(text);
}

function inEditor(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
