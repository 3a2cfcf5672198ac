import type { SecretGuard } from '../../context/secretFiles.js';
import * as z from 'zod/mini';
import type { FileReader } from '../../../engine/context/fileContents.js';
import type { ToolCallOptions } from '../../../engine/ports.js';
import type { CallOutcome } from '../../../engine/tools/offered.js';
import { type FileLister, LONGEST_SECONDS, inTime, pathsIn } from './workspacePaths.js';
import { FOLDER, withArgs } from './toolArguments.js';
import { TextSearch } from './matchingLines.js';
import { type WorkspaceTool, failedCall, succeededCall } from './workspaceTool.js';

const ARGS = z.object({
  query: z.string().check(z.minLength(1)),
  is_regex: z.optional(z.boolean()),
  ignore_case: z.optional(z.boolean()),
  folder: FOLDER,
  pattern: z.optional(z.string()),
});

const META = /[\\^$.*+?()[\]{}|]/g;

interface SearchedFiles {
  readonly files: () => FileLister;
  /** Reads files, with unsaved changes in editors. */
  readonly reader: FileReader;
  readonly secrets: Pick<SecretGuard, 'sign'>;
}

/** Returns the tool that searches workspace files, with unsaved changes in editors. */
export function searchTextTool(searched: SearchedFiles): WorkspaceTool {
  return {
    name: 'search_text',
    title: 'Search text',
    description:
      'Searches the text files of the workspace line by line. Gives each line that matches, with its number, below the path of its file.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Text, or a JavaScript regular expression' },
        is_regex: { type: 'boolean' },
        ignore_case: { type: 'boolean' },
        folder: { type: 'string', description: 'Only files in this folder' },
        pattern: { type: 'string', description: 'Only paths that match this glob, such as *.ts' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    saysItOnlyReads: true,
    run: withArgs(ARGS, async (args, options) => {
      const pattern = expressionOf(args);
      return pattern instanceof RegExp ? search(searched, args, pattern, options) : failedCall(pattern);
    }),
  };
}

function expressionOf({ query, is_regex: isRegex, ignore_case: ignoresCase }: z.infer<typeof ARGS>): RegExp | string {
  try {
    return new RegExp(isRegex === true ? query : query.replaceAll(META, String.raw`\$&`), ignoresCase === true ? 'i' : '');
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

async function search(
  { files, reader, secrets }: SearchedFiles,
  { folder, pattern: glob }: z.infer<typeof ARGS>,
  pattern: RegExp,
  options: ToolCallOptions,
): Promise<CallOutcome> {
  const found = new TextSearch({ reader, secrets, onProgress: options.onProgress });
  const paths = await inTime(options, async (signal) => {
    const listed = await pathsIn(files(), folder, glob ?? null, signal);
    if (listed.ok) {
      await found.in(listed.paths, pattern, signal);
    }
    return listed;
  });
  if (paths !== null && !paths.ok) {
    return failedCall(paths.reason);
  }
  const ends = paths === null ? [tookTooLong(found.files)] : [...(found.limit === null ? [] : [found.limit]), ...paths.notes];
  const notes = [...ends, ...(found.withheld.length === 0 ? [] : [withheld(found.withheld)])];
  return succeededCall(
    [...(found.lines.length === 0 ? ['No line matches.'] : found.lines), ...notes.map((note) => `(${note})`)].join('\n'),
  );
}

/** Maximum number of files that the note names. */
const MOST_NAMED = 10;

function withheld(paths: readonly string[]): string {
  const more = paths.length > MOST_NAMED ? ` and ${String(paths.length - MOST_NAMED)} more` : '';
  return `Lines of these files also match, but the files may contain passwords or keys: ${paths.slice(0, MOST_NAMED).join(', ')}${more}. read_file asks the user.`;
}

function tookTooLong(files: number): string {
  return (
    `The search took longer than ${String(LONGEST_SECONDS)} seconds and was stopped after ${String(files)} files. ` +
    'Use a simpler query, a folder or a pattern.'
  );
}
