import { basename, dirname, extname } from 'node:path';
import type { ActiveFile, Withheld } from '../../context/editorState/editorSource.js';
import type { PromptVariables } from './placeholders.js';

type Value = PromptVariables[keyof PromptVariables];

/**
 * Returns the values of VS Code's variables in prompts. Files have workspace paths, because Loupe's tools accept only
 * these. `folder`: absolute path of the workspace folder, or null.
 */
export function promptVariables(active: ActiveFile | null, folder: string | null): PromptVariables {
  const workspaceFolder = folder === null ? { missing: 'no folder is open' } : { value: folder };
  const file = openFile(active);
  const selection = selectedText(active);
  return {
    ...{ workspaceFolder, workspaceFolderBasename: changed(workspaceFolder, basename) },
    ...{ file, fileBasename: changed(file, basename), fileDirname: changed(file, dirname) },
    fileBasenameNoExtension: changed(file, (path) => basename(path, extname(path))),
    ...{ selection, selectedText: selection },
  };
}

const WITHHELD: Readonly<Record<Withheld, string>> = {
  restricted: 'you do not trust this folder',
  secret: 'it may contain secrets',
  ignored: 'git ignores the open file',
  outside: 'the open file is not in this workspace',
};

const NO_FILE = { missing: 'no file is open' };

function openFile(active: ActiveFile | null): Value {
  if (active === null) {
    return NO_FILE;
  }
  return active.withheld === 'outside' ? { missing: WITHHELD.outside } : { value: active.path };
}

function selectedText(active: ActiveFile | null): Value {
  if (active === null) {
    return NO_FILE;
  }
  const { selection, withheld } = active;
  if (selection === null) {
    return { missing: 'no text is selected' };
  }
  if (withheld !== null) {
    return { missing: WITHHELD[withheld] };
  }
  return selection.isCut ? { missing: 'too much text is selected' } : { value: selection.text };
}

function changed(value: Value, change: (text: string) => string): Value {
  return 'value' in value ? { value: change(value.value) } : value;
}
