import type { Launch } from './mcpLaunch.js';

/** Describes how a server starts. Shows the names of variables, because they have no values yet. */
export interface LaunchText {
  readonly type: Launch['type'];
  /** The command line in shell notation, or the server's address. */
  readonly line: string;
  /** The working folder. Null for the workspace folder. */
  readonly cwd: string | null;
  /** Names of the configured environment variables or headers, and the path of a file with variables. */
  readonly given: readonly string[];
}

export function launchText(launch: Launch): LaunchText {
  if (launch.type === 'http') {
    return { type: 'http', line: launch.url, cwd: null, given: Object.keys(launch.headers) };
  }
  const { command, args, env, envFile, cwd } = launch;
  return {
    type: 'stdio',
    line: [command, ...args].map(quoted).join(' '),
    cwd,
    given: [...Object.keys(env), ...(envFile === null ? [] : [envFile])],
  };
}

/** Quotes a word of a command line if a shell would change it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./\\{}$-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
