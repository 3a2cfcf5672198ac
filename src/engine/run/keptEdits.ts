import type { MadeEdit, ToolEdit } from '../chat/calls/toolEdit.js';
import { toLoupeError } from '../errors.js';
import type { RunInput } from './input.js';

/**
 * Returns changes of files in their logged form, with the earlier copies as blobs. A blob is on the disk before the log
 * line that names it. A copy that cannot be stored is reported, and the log says that it is missing.
 */
export async function storeEdits(edits: readonly MadeEdit[], input: Pick<RunInput, 'keepBlob' | 'reportError'>): Promise<ToolEdit[]> {
  const kept: ToolEdit[] = [];
  for (const edit of edits) {
    kept.push(await keptEdit(edit, input));
  }
  return kept;
}

async function keptEdit(
  { earlier, ...edit }: MadeEdit,
  { keepBlob, reportError }: Pick<RunInput, 'keepBlob' | 'reportError'>,
): Promise<ToolEdit> {
  if (earlier === null) {
    return { ...edit, blob: null };
  }
  try {
    return { ...edit, blob: await keepBlob(earlier) };
  } catch (thrown) {
    reportError(toLoupeError(thrown));
    return { ...edit, blob: null, noCopy: 'notKept' };
  }
}
