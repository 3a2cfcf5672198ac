import { dirname, join } from 'node:path/posix';
import type { FileRead } from '../../../engine/context/fileContents.js';
import type { WorkspacePrompt } from '../../context/catalog/readPrompts.js';
import { mentionsIn } from '../../context/catalog/reading/mentions.js';
import { proseOf } from '../../context/catalog/reading/prose.js';
import { bracedTexts } from './braces.js';

interface PromptReference {
  /** The workspace path. It may lead out of the workspace. */
  readonly path: string;
  /** False for a word that may be a name, such as `@someone`. */
  readonly isPath: boolean;
}

/** Matches `[text](path)` and `#file:path`: https://code.visualstudio.com/docs/copilot/customization/prompt-files */
const LINK = /(?<!!)\[[^\]\n]*\]\(([^()\s]+)\)|#file:([^\s()[\],;]+)/g;

export interface FoundReferences {
  /** Workspace paths, each once. */
  readonly files: readonly string[];
  /** A sentence for each file that cannot be read. */
  readonly problems: readonly string[];
}

/** Maximum number of files of a prompt that Loupe reads. No prompt of a person refers to so many. */
const MOST_FILES = 50;

/** Finds the files that a prompt refers to. `read` reads the file at a workspace path, and never rejects. */
export async function foundReferences(prompt: WorkspacePrompt, read: (path: string) => Promise<FileRead>): Promise<FoundReferences> {
  const references = new Map(referencesIn(prompt).map((reference) => [reference.path, reference]));
  const all = [...references.values()];
  const found = await Promise.all(all.slice(0, MOST_FILES).map(async (each) => ({ ...each, file: await read(each.path) })));
  const rest = all.length - found.length;
  return {
    files: found.flatMap(({ path, file }) => (file.ok ? [path] : [])),
    problems: [
      ...found.flatMap(({ file, isPath }) => (file.ok || !isPath ? [] : [file.reason])),
      ...(rest > 0 ? [`The prompt refers to ${String(rest)} more files.`] : []),
    ],
  };
}

/** Returns the files that a prompt refers to, outside of code. Paths of VS Code begin in the folder of the prompt. */
function referencesIn({ text, placeholders, source, prefix }: WorkspacePrompt): readonly PromptReference[] {
  switch (placeholders) {
    case 'braces':
      return Array.from(proseOf(text).text.matchAll(LINK), ([, link, file]) => (link ?? file ?? '').replace(/#.*$/, ''))
        .filter((written) => written !== '' && !/^\w+:|\$\{/.test(written))
        .map((written) => ({ path: placeOf(dirname(source), written), isPath: true }));
    case 'dollar':
      return mentionsIn(text, { from: 'workspaceFolder', link: null, dropsComments: false })
        .filter(({ path }) => !path.startsWith('$'))
        .map(({ path, isPath }) => ({ path: placeOf(prefix, path), isPath }));
    case 'args':
      return bracedTexts(text, '@').map((path) => ({ path: placeOf(prefix, path), isPath: true }));
    case null:
      return [];
  }
}

/** An absolute path or a path in the home folder stays as it is, and so is no workspace path. */
function placeOf(folder: string, path: string): string {
  return /^[~/]/.test(path) ? path : join(folder, path);
}
