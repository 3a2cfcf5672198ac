import type { Launch } from './mcpLaunch.js';

/** What a start does, in the words of the configuration: variables have no values yet, and no value of the environment is in it. */
export interface LaunchText {
  readonly type: Launch['type'];
  /** The command line as a shell would have it, or the address. */
  readonly line: string;
  /** The folder that it runs in; null for that of the workspace. */
  readonly cwd: string | null;
  /** The names of the variables of its environment, and of its headers; the file with more variables stands last. */
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

/** A word of a command line; in quotes where a shell would read it as something else. */
function quoted(word: string): string {
  return /^[\w@%+=:,./\\{}$-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
