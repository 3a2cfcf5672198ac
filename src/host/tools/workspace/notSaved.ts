import { systemCode } from '../../../storage/files/failure.js';
import type { WriteResult } from '../../context/files/fileWriter.js';

/** Error codes of a file that this user cannot write, because of permissions, a lock or a read-only disk. */
const READ_ONLY = new Set<string | null>(['EACCES', 'EPERM', 'EROFS']);

/** Whether a file can be written, by the result of the check `ask`. Ignores other disk errors: saving reports those. */
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
  /** The current text in the editor (`shown`) and on disk (`onDisk`, null when the file cannot be read). */
  readonly shown: string;
  readonly onDisk: string | null;
  readonly hadUnsaved: boolean;
  /** Whether VS Code says that the document is saved. */
  readonly saysSaved: boolean;
}

/**
 * Returns the result of an edit after VS Code tried to save it. A read-only editor shows the edit but never needs
 * saving. `TextDocument.save` also returns false when the file changed on disk, on a disk error, and when the user
 * types while it saves; in the last case the edit is on disk.
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

/** Whether the text on disk is `text`. The file may have other line ends and a byte order mark. */
function isSameText(onDisk: string | null, text: string): boolean {
  return onDisk !== null && inEditor(onDisk) === inEditor(text);
}

function inEditor(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
