import * as z from 'zod/mini';
import { type FileLister, LONGEST_SECONDS, inTime, pathsIn } from './workspacePaths.js';
import { FOLDER, withArgs } from './toolArguments.js';
import { type WorkspaceTool, failedCall, succeededCall } from './workspaceTool.js';

const ARGS = z.object({ folder: FOLDER, pattern: z.optional(z.string()) });

/** Maximum number of paths in a result: about 8,000 tokens. */
const MOST_LISTED = 500;

export function listFilesTool(files: () => FileLister): WorkspaceTool {
  return {
    name: 'list_files',
    title: 'List files',
    description: 'Lists the text files of the workspace, with those of subfolders, one path a line. What .gitignore excludes is left out.',
    inputSchema: {
      type: 'object',
      properties: {
        folder: { type: 'string', description: 'Only files in this folder' },
        pattern: { type: 'string', description: 'Only paths that match this glob, such as *.ts or src/**/*.css' },
      },
      additionalProperties: false,
    },
    saysItOnlyReads: true,
    run: withArgs(ARGS, async ({ folder, pattern }, options) => {
      const found = await inTime(options, (signal) => pathsIn(files(), folder, pattern ?? null, signal));
      if (found === null) {
        return failedCall(`Listing the files took longer than ${String(LONGEST_SECONDS)} seconds. Name a folder.`);
      }
      return found.ok ? succeededCall(listed(found.paths, found.notes)) : failedCall(found.reason);
    }),
  };
}

function listed(paths: readonly string[], notes: readonly string[]): string {
  const shown = paths.slice(0, MOST_LISTED);
  const rest = paths.length - shown.length;
  const more = rest === 0 ? [] : [`(${String(rest)} more. Name a folder or a pattern.)`];
  const all = [...(paths.length === 0 ? ['There is no such file.'] : shown), ...more, ...notes.map((note) => `(${note})`)];
  return all.join('\n');
}
