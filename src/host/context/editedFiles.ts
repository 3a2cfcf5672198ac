import * as vscode from 'vscode';
import type { FileReader } from '../../engine/context/fileContents.js';
import { MAX_FILE_BYTES } from './files/readFile.js';
import { isSameName } from './files/realPath.js';
import { refused } from './files/refusal.js';
import type { WorkspaceFiles } from './files/workspaceFiles.js';

/** Returns a reader that includes unsaved changes in editors. Refuses files that cannot be read from disk. */
export function editedFiles(current: () => WorkspaceFiles): FileReader {
  return {
    async read(path) {
      const files = current();
      const read = await files.read(path);
      const unsaved = vscode.workspace.textDocuments.find(
        ({ isDirty, uri }) => isDirty && uri.scheme === 'file' && isSameName(files.relative(uri.fsPath) ?? '', path),
      );
      if (!read.ok || unsaved === undefined) {
        return read;
      }
      const content = unsaved.getText();
      const bytes = Buffer.byteLength(content, 'utf8');
      return bytes > MAX_FILE_BYTES ? refused(path, { code: 'tooLargeUnsaved' }) : { ok: true, content, bytes };
    },
  };
}
