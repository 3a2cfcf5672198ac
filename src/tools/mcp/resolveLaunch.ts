import { readFile } from 'node:fs/promises';
import { basename, resolve, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { failure } from '../../engine/errors.js';
import type { ServerConfig } from './config/mcpConfig.js';
import type { HttpLaunch, StdioLaunch } from './mcpLaunch.js';
import { substituted, type Variable } from './config/mcpVariables.js';
import type { McpPorts } from './mcpPorts.js';
import { ServerSecrets, secretsOf } from './secrets.js';

export interface ResolvedStdio extends Pick<StdioLaunch, 'type' | 'command' | 'args'> {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface ResolvedLaunch {
  readonly launch: ResolvedStdio | HttpLaunch;
  readonly secrets: ServerSecrets;
}

type LaunchPorts = Pick<McpPorts, 'environment' | 'home' | 'inputs' | 'sha256' | 'setting' | 'folderNamed'>;

/**
 * Variables that each server inherits, because programs need them to run. Based on the lists of `sudo` and the official
 * SDK, with the proxies and certificates of a network, without which servers cannot reach the internet. Other
 * variables of the extension host may contain keys. A server gets them only if its configuration names them.
 */
const INHERITED: ReadonlySet<string> = new Set([
  ...['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LC_ALL', 'TMPDIR'],
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMDATA'],
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMW6432', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERNAME', 'USERPROFILE', 'WINDIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
]);

/** Replaces all variables by values. Asks the user for missing inputs. Throws a `LoupeError` for a missing value. */
export async function resolveLaunch(config: ServerConfig, ports: LaunchPorts, signal: AbortSignal): Promise<ResolvedLaunch> {
  const inputs = new Map<string, string>();
  for (const id of config.inputs.keys()) {
    inputs.set(id, await inputValue(config, id, { ports, signal }));
  }
  const { launch, folder } = config;
  const named = new Map<string, string>();
  const valueOf = (variable: Variable): string => {
    switch (variable.kind) {
      case 'input':
        return requireKnown(inputs.get(variable.id));
      case 'env': {
        // An empty text for a variable that is not set, as in VS Code. The configuration has a remark about it.
        const value = ports.environment[variable.name] ?? variable.fallback ?? '';
        named.set(variable.name, value);
        return value;
      }
      case 'config': {
        const value = settingValue(variable.key, ports);
        named.set(variable.key, value);
        return value;
      }
      case 'workspaceFolder':
        return folderPath(variable.name, folder, ports);
      case 'workspaceFolderBasename':
        return basename(folderPath(variable.name, folder, ports));
      case 'pathSeparator':
        return sep;
      case 'userHome':
        return ports.home;
      case 'unknown':
        return variable.text;
    }
  };
  const text = (template: string): string => substituted(template.replace(/^~(?=[\\/]|$)/, ports.home), valueOf);
  const resolved = launch.type === 'stdio' ? await resolvedStdio(launch, text, { folder, ports }) : resolvedHttp(launch, text);
  const members = Object.entries(resolved.type === 'stdio' ? ownVariables(launch as StdioLaunch, resolved.env) : resolved.headers);
  const secrets = [
    ...[...inputs].filter(([id]) => config.inputs.get(id)?.isPassword === true).map(([, value]) => value),
    ...[...named].flatMap(([name, value]) => secretsOf(name, value)),
    ...members.flatMap(([name, value]) => secretsOf(name, value)),
  ];
  return { launch: resolved, secrets: new ServerSecrets(secrets) };
}

/** Returns the storage key of an input's value. A changed configuration has new keys, and so gets no old secrets. */
export function inputKey(identity: string, id: string, { sha256 }: Pick<McpPorts, 'sha256'>): string {
  return sha256(`${identity}\n${id}`);
}

async function inputValue(
  config: ServerConfig,
  id: string,
  { ports, signal }: { readonly ports: LaunchPorts; readonly signal: AbortSignal },
): Promise<string> {
  const key = inputKey(config.identity, id, ports);
  const kept = await ports.inputs.get(key).catch((thrown: unknown) => {
    throw failure('mcp.inputsUnreadable', { cause: thrown });
  });
  if (kept !== null) {
    return kept;
  }
  const given = await ports.inputs.ask(config.name, requireKnown(config.inputs.get(id)), signal);
  if (given === null) {
    throw failure('mcp.inputNotGiven', { id });
  }
  await ports.inputs.keep(key, given).catch((thrown: unknown) => {
    throw failure('mcp.inputsUnreadable', { cause: thrown });
  });
  return given;
}

function settingValue(key: string, { setting }: LaunchPorts): string {
  const value = setting(key);
  if (value === null) {
    throw failure('mcp.settingNotSet', { key });
  }
  return value;
}

function folderPath(name: string | null, folder: string | null, { folderNamed }: LaunchPorts): string {
  if (name === null) {
    return requireKnown(folder);
  }
  const path = folderNamed(name);
  if (path === null) {
    throw failure('mcp.folderMissing', { name });
  }
  return path;
}

interface LaunchContext {
  readonly folder: string | null;
  readonly ports: LaunchPorts;
}

async function resolvedStdio(launch: StdioLaunch, text: (template: string) => string, around: LaunchContext): Promise<ResolvedStdio> {
  const { home, environment } = around.ports;
  const base = around.folder ?? home;
  const inherited = Object.entries(environment).filter(([name]) => INHERITED.has(name.toUpperCase()));
  const fromFile = launch.envFile === null ? {} : await variablesOfFile(resolve(base, text(launch.envFile)));
  const own = Object.entries(launch.env).map(([name, value]) => [name, value === null ? null : text(value)] as const);
  const all = new Map<string, string | null | undefined>([...inherited, ...Object.entries(fromFile), ...own]);
  const env = Object.fromEntries([...all].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  const command = text(launch.command);
  return {
    type: 'stdio',
    // A relative path is relative to the server's folder. The system finds a plain name, such as `npx`, in `PATH`.
    command: /^\.{1,2}[\\/]/.test(command) ? resolve(base, command) : command,
    args: launch.args.map(text),
    env,
    cwd: launch.cwd === null ? base : resolve(base, text(launch.cwd)),
  };
}

/** Returns the variables that the server's configuration sets. If it names a file, returns all variables. */
function ownVariables(launch: StdioLaunch, env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const isOwn = (name: string): boolean => launch.envFile !== null || Object.hasOwn(launch.env, name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => isOwn(name)));
}

/** Reads variables from a file in shell notation. Rejects with `invalidInput` when the file cannot be read. */
export async function variablesOfFile(file: string): Promise<Readonly<Record<string, string | undefined>>> {
  try {
    return parseEnv(await readFile(file, 'utf8'));
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unreadable';
    throw failure('mcp.envFile', { file, code }, { cause: thrown });
  }
}

function resolvedHttp(launch: HttpLaunch, text: (template: string) => string): HttpLaunch {
  const url = text(launch.url);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw failure('mcp.badUrl');
  }
  const headers = Object.entries(launch.headers).map(([name, value]) => [name, text(value)] as const);
  for (const [name, value] of headers) {
    checkHeader(name, value);
  }
  const { oauth } = launch;
  const clientId = oauth === null || oauth.clientId === null ? null : text(oauth.clientId);
  return { type: 'http', url, headers: Object.fromEntries(headers), oauth: oauth === null ? null : { ...oauth, clientId } };
}

/** Throws for an invalid header. Drops the original error, which quotes the value: the value may be secret. */
function checkHeader(name: string, value: string): void {
  try {
    new Headers().set(name, value);
  } catch (thrown) {
    if (thrown instanceof TypeError) {
      throw failure('mcp.badHeader', { name });
    }
    throw thrown;
  }
}

/** Returns a value that cannot be missing, because `readLaunch` has checked it. */
function requireKnown<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) {
    throw new TypeError('The configuration of a server names something that it does not have.');
  }
  return value;
}
