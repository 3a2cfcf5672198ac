import type { JsonObject } from '../../../engine/json.js';
import { PATH } from './toolArguments.js';
import type { WorkspaceTool } from './workspaceTool.js';

/**
 * Matches paths of files that start programs or change what the editor and git start, soon after a change and without a
 * further question: `core.fsmonitor` in `.git/config`, a path of a program in `.vscode/settings.json`, and others.
 */
const SETUP =
  /(?:^|[\\/])(?:\.git|\.vscode|\.cursor|\.devcontainer|\.husky)(?:[\\/]|$)|(?:^|[\\/])(?:\.mcp\.json|\.envrc|[^\\/]+\.code-workspace)$/i;

interface SetupFilesPorts {
  /** Returns a workspace path with resolved links. The file can be missing. */
  readonly resolved: (path: string) => Promise<string>;
}

/** Adds a check to a tool that edits the file `path`: whether the file can start programs. */
export function withSetupCheck(tool: WorkspaceTool, { resolved }: SetupFilesPorts): WorkspaceTool {
  return {
    ...tool,
    setupFile: async ({ path: given }: JsonObject) => {
      const parsed = PATH.safeParse(given);
      // The tool refuses invalid paths.
      const path = parsed.success ? parsed.data : '';
      return path !== '' && (SETUP.test(path) || SETUP.test(await resolved(path))) ? path : null;
    },
  };
}
