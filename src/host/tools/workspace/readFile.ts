import * as z from 'zod/mini';
import type { FileRead, FileReader } from '../../../engine/context/fileContents.js';
import { isNotebook, notebookCells, notebookText } from '../../../engine/context/notebook.js';
import type { SecretGuard } from '../../context/secretFiles.js';
import { PATH, parsedArgs, withArgs } from './toolArguments.js';
import { type WorkspaceTool, failedCall, succeededCall } from './workspaceTool.js';

const ARGS = z.object({
  path: PATH,
  first_line: z.optional(z.int().check(z.gte(1))),
  last_line: z.optional(z.int().check(z.gte(1))),
  outputs: z.optional(z.boolean()),
});

/** Maximum number of characters in a result: about 12,000 tokens. For more of a long file, the model asks for lines. */
const MOST_CHARACTERS = 50_000;

/** `files` reads notebooks as cells without outputs, `raw` as they are on the disk. */
export function readFileTool(files: FileReader, raw: FileReader, secrets: SecretGuard): WorkspaceTool {
  const readText = async ({ path, outputs }: z.infer<typeof ARGS>): Promise<FileRead> =>
    outputs === true && isNotebook(path) ? withOutputs(path, raw) : files.read(path);
  return {
    name: 'read_file',
    title: 'Read file',
    description:
      'Reads a text file of the workspace, with line numbers. Without first_line and last_line it reads from the beginning; a long file is cut, and the answer says where to read on. A notebook is read as its cells, without outputs unless asked.',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Path within the workspace or the folder of a skill, with forward slashes' },
        first_line: { type: 'integer', minimum: 1 },
        last_line: { type: 'integer', minimum: 1 },
        outputs: { type: 'boolean', description: 'For a notebook: also the outputs of its cells' },
      },
      required: ['path'],
      additionalProperties: false,
    },
    saysItOnlyReads: true,
    secretRead: async (given) => {
      const parsed = parsedArgs(ARGS, given);
      if (!parsed.ok) {
        return null;
      }
      const { path } = parsed.args;
      const read = await readText(parsed.args);
      const by = read.ok ? await secrets.sign(path, read.content) : null;
      return by === null ? null : { path, by, allow: () => secrets.allow(path) };
    },
    run: withArgs(ARGS, async (args) => {
      const { path, first_line: from, last_line: to } = args;
      const read = await readText(args);
      if (!read.ok) {
        return failedCall(read.reason);
      }
      // The file can have got its secrets after the user allowed the call.
      return (await secrets.sign(path, read.content)) === null
        ? succeededCall(numbered(read.content, [from ?? 1, to ?? Infinity], 'file'))
        : failedCall(`${path} may contain passwords or keys since a moment ago. Call the tool again, so that Loupe asks the user.`);
    }),
  };
}

async function withOutputs(path: string, raw: FileReader): Promise<FileRead> {
  const read = await raw.read(path);
  const cells = read.ok ? notebookCells(read.content) : null;
  return read.ok && cells !== null ? { ...read, content: notebookText(cells, 'all') } : read;
}

/** Returns the lines `from` to `to` of a file or web page with their numbers, up to the maximum size. */
export function numbered(content: string, [from, to]: readonly [from: number, to: number], what: 'file' | 'page'): string {
  const lines = content.split('\n');
  // A line break at the end of the file does not start a new line.
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  if (from > count) {
    return count === 0 ? `The ${what} is empty.` : `The ${what} has ${String(count)} lines.`;
  }
  const shown: string[] = [];
  let characters = 0;
  for (let line = from; line <= Math.min(to, count); line += 1) {
    const text = `${String(line)}\t${lines[line - 1] ?? ''}`;
    characters += text.length + 1;
    if (characters > MOST_CHARACTERS && shown.length > 0) {
      shown.push(`(The ${what} has ${String(count)} lines. Read on from line ${String(line)}.)`);
      break;
    }
    shown.push(text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} (This line is cut.)` : text);
  }
  return shown.join('\n');
}
