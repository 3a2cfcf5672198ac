import type { MadeEdit, UnappliedEdit } from '../../../engine/chat/calls/toolEdit.js';
import type { FileReader } from '../../../engine/context/fileContents.js';
import type { JsonObject } from '../../../engine/json.js';
import type { Sha256 } from '../../../engine/ports.js';
import type { CallOutcome } from '../../../engine/tools/offered.js';
import { JobQueue } from '../../../storage/files/jobQueue.js';
import type { FileWriter } from '../../context/files/fileWriter.js';
import { lineChanges } from './lineChanges.js';
import { previewEdit, type EditPreview } from './previewEdit.js';
import { failedCall, succeededCall, type WorkspaceTool } from './workspaceTool.js';

interface EditFilePorts {
  readonly files: FileReader;
  readonly writer: FileWriter;
  readonly sha256: Sha256;
}

export const EDIT_FILE = 'edit_file';

export function editFileTool(ports: EditFilePorts): WorkspaceTool {
  // Runs edits one by one, so that no other edit changes a file between the read and the write of an edit.
  const edits = new JobQueue();
  return {
    name: EDIT_FILE,
    title: 'Edit file',
    description: 'Replaces old_text in a file of the workspace by new_text and saves it. With an empty old_text it makes a new file.',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Path within the workspace, with forward slashes' },
        old_text: { type: 'string', description: 'Exactly as in the file, without line numbers; must occur once' },
        new_text: { type: 'string' },
      },
      required: ['path', 'old_text', 'new_text'],
      additionalProperties: false,
    },
    saysItOnlyReads: false,
    run: (args, { signal }) =>
      edits.next(() => {
        // The user may have stopped the run while the edit was waiting.
        signal.throwIfAborted();
        return edit(args, ports);
      }),
  };
}

async function edit(args: JsonObject, { files, writer, sha256 }: EditFilePorts): Promise<CallOutcome> {
  const preview = await previewEdit(args, files);
  if (!preview.ok) {
    return notApplied(preview.reason, preview.unapplied);
  }
  const { path, before } = preview;
  const wrote = await writer.write(preview);
  if (!wrote.ok) {
    const { reason, isInEditor } = wrote;
    const said = isInEditor ? `${reason} Do not make the edit again.` : `Nothing was changed. ${reason}`;
    return { ...failedCall(said), unapplied: { path, why: 'notSaved' } };
  }
  // Reads the file again, because a formatter may have changed the file while VS Code saved it.
  const now = await files.read(path);
  const after = now.ok ? now.content : null;
  const made: MadeEdit = {
    path,
    before: before === null ? null : sha256(before),
    after: after === null ? null : sha256(after),
    ...lineChanges(before, after),
    noCopy: null,
    earlier: before === null ? null : new TextEncoder().encode(before),
  };
  return {
    ...succeededCall(sentence(preview, { hadUnsaved: wrote.hadUnsaved, isFurther: withoutMark(after) !== withoutMark(preview.after) })),
    edits: [made],
  };
}

function notApplied(reason: string, unapplied: UnappliedEdit | null): CallOutcome {
  const outcome = failedCall(`Nothing was changed. ${reason}`);
  return unapplied === null ? outcome : { ...outcome, unapplied };
}

/** Removes the byte order mark. Unsaved text in an editor has no such mark, even if the saved file has a mark. */
function withoutMark(text: string | null): string | null {
  return text?.replace(/^\uFEFF/, '') ?? null;
}

function sentence(
  { path, before, added, removed }: EditPreview,
  { hadUnsaved, isFurther }: { readonly hadUnsaved: boolean; readonly isFurther: boolean },
): string {
  const lines = `+${String(added)} -${String(removed)} lines`;
  return [
    before === null ? `Made ${path} (${lines}).` : `Edited ${path} (${lines}).`,
    ...(hadUnsaved ? ['The user had unsaved changes in it. They are kept, and saved with the edit.'] : []),
    ...(isFurther ? ['Saving it changed it further: read it before the next edit.'] : []),
  ].join(' ');
}
