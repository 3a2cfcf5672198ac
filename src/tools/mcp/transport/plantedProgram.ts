import { readdir } from 'node:fs/promises';
import { failure } from '../../../engine/errors.js';
import type { ResolvedStdio } from '../resolveLaunch.js';

/** The endings of programs that Windows itself uses without the variable `PATHEXT`. */
const USUAL_ENDINGS = '.COM;.EXE;.BAT;.CMD';

/**
 * Throws if a program in the server's folder would start instead of a program in `PATH`. Windows looks for a plain name
 * such as `npx` in the folder first, and a repository can contain a file with this name.
 */
export async function refusePlanted({ command, cwd, env }: ResolvedStdio, platform: NodeJS.Platform): Promise<void> {
  if (platform !== 'win32' || /[\\/:]/.test(command)) {
    return;
  }
  const endings = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATHEXT')?.[1] ?? USUAL_ENDINGS;
  // A file without an ending is no program for Windows.
  const names = [...(command.includes('.') ? [''] : []), ...endings.split(';').filter((ending) => ending !== '')];
  const programs = new Set(names.map((ending) => `${command}${ending}`.toLowerCase()));
  // A folder that cannot be read makes the start itself fail, with a reason.
  const entries = await readdir(cwd, { withFileTypes: true }).catch(() => []);
  const planted = entries.find((entry) => !entry.isDirectory() && programs.has(entry.name.toLowerCase()));
  if (planted !== undefined) {
    throw failure('mcp.commandInFolder', { command, file: planted.name, folder: cwd });
  }
}
