import { isSecretName } from '../../providers/http/redact.js';
import { variableTexts } from './config/mcpVariables.js';
import type { Launch } from './mcpLaunch.js';

/** Describes how a server starts. Shows the names of variables, because they have no values yet. */
export interface LaunchText {
  readonly type: Launch['type'];
  /** The command line in shell notation, or the server's address. */
  readonly line: string;
  /** The working folder. Null for the workspace folder. */
  readonly cwd: string | null;
  /** The configured environment variables or headers, as `NAME=value`, and the path of a file with variables. */
  readonly given: readonly string[];
}

export function launchText(launch: Launch): LaunchText {
  if (launch.type === 'http') {
    return { type: 'http', line: launch.url, cwd: null, given: Object.entries(launch.headers).map(givenText) };
  }
  const { command, args, env, envFile, cwd } = launch;
  return {
    type: 'stdio',
    line: [command, ...args].map(quoted).join(' '),
    cwd,
    given: [...Object.entries(env).map(givenText), ...(envFile === null ? [] : [`all of ${quoted(envFile)}`])],
  };
}

/**
 * Returns `NAME=value`. A value can make a harmless command run other code, or send a variable of the user to an
 * address. Shows only the variables in a value that is probably a key. Null removes a variable.
 */
function givenText([name, value]: readonly [name: string, value: string | null]): string {
  if (value === null) {
    return `${name} (removed)`;
  }
  const variables = variableTexts(value).join('…');
  return `${name}=${isSecretName(name) ? `…${variables}` : quoted(value)}`;
}

/** Quotes a word of a command line if a shell would change it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./\\{}$-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
