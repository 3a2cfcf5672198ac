import { sha256 } from '../../../src/host/window/systemPorts.js';
import type { Toolbox } from '../../../src/host/tools/toolbox.js';
import { editFileTool } from '../../../src/host/tools/workspace/editFile.js';
import { NO_TOOLS, toolboxOf } from '../engine/toolExecutor.js';
import type { MemoryFiles } from './window.js';

/** Tools with only `edit_file`, which writes to the given files without a question. */
export function onlyEditFile(files: MemoryFiles): Toolbox {
  const writer = {
    write: ({ path, after }: { path: string; after: string | null }) => {
      files.texts.set(path, after ?? '');
      return Promise.resolve({ ok: true, hadUnsaved: false } as const);
    },
  };
  const edits = editFileTool({ files, writer, sha256 });
  const tool = { asks: null, allowed: null, call: edits.run.bind(edits) };
  return { ...toolboxOf(NO_TOOLS), builtIn: (name) => (name === edits.name ? tool : null) };
}
