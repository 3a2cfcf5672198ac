import { FOLDER, PATH } from './toolArguments.js';
import type { WorkspaceTool } from './workspaceTool.js';

/**
 * Lets one approval cover all tools that only read the workspace. `argument`: the argument with the path that the tool
 * reads. The approval does not cover a call with an invalid path, or with a link that leads out of the workspace.
 */
export function withReading(tool: WorkspaceTool, argument: 'path' | 'folder', resolved: (path: string) => Promise<string>): WorkspaceTool {
  const schema = argument === 'path' ? PATH : FOLDER;
  return {
    ...tool,
    covers: async (args) => {
      const parsed = schema.safeParse(args[argument]);
      const isWorkspace = argument === 'folder' && parsed.data === '';
      // `resolved` returns '' for a path outside the workspace.
      return parsed.success && (isWorkspace || (await resolved(parsed.data)) !== '') ? { kind: 'reading' } : null;
    },
  };
}
