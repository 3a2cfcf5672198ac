import { isObject, type JsonObject } from '../../engine/json.js';
import type { McpInput } from './config/mcpInputs.js';
import { type Variable, variablesIn } from './config/mcpVariables.js';

/** A server that runs as a process on this computer. Its texts may contain variables. */
export interface StdioLaunch {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables by name. Null removes a variable. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly envFile: string | null;
  readonly cwd: string | null;
}

/** A server at an address. Its texts may contain variables. */
export interface HttpLaunch {
  readonly type: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How Loupe signs in. Null for a server without this member. */
  readonly oauth: OAuthClient | null;
}

/** Loupe as registered at the sign-in of a server, in the notation of VS Code and Claude Code. */
export interface OAuthClient {
  /** Null if Loupe must register itself. */
  readonly clientId: string | null;
  /** The port to which the browser returns, if it is registered. Null for any free port. */
  readonly callbackPort: number | null;
}

export type Launch = StdioLaunch | HttpLaunch;

interface LaunchEntry {
  readonly entry: unknown;
  readonly about: string;
  readonly folder: string | null;
  readonly inputs: ReadonlyMap<string, McpInput>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface ReadLaunch {
  readonly launch: Launch;
  readonly inputIds: ReadonlySet<string>;
}

interface MemberRule {
  readonly words: string;
  readonly fits: (value: unknown) => boolean;
}

const TEXT: MemberRule = { words: 'a string', fits: (value) => typeof value === 'string' && value.trim() !== '' };
const TEXTS: MemberRule = { words: 'a list of strings', fits: (value) => Array.isArray(value) && value.every(isPlain) };
const VARIABLES: MemberRule = {
  words: 'an object of strings',
  fits: (value) => isObject(value) && Object.values(value).every((each) => isPlain(each) || each === null),
};
const HEADERS: MemberRule = { words: 'an object of strings', fits: (value) => isObject(value) && Object.values(value).every(isPlain) };

/** Whether a value has only one text. Loupe converts numbers and booleans, as other programs do. */
function isPlain(value: unknown): value is PlainValue {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

type PlainValue = string | number | boolean;

function isOAuth(value: unknown): boolean {
  if (!isObject(value)) {
    return false;
  }
  const { clientId, callbackPort: port } = value;
  const isPort = typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536;
  return (clientId === undefined || TEXT.fits(clientId)) && (port === undefined || isPort);
}

const STDIO_MEMBERS = { command: TEXT, args: TEXTS, env: VARIABLES, envFile: TEXT, cwd: TEXT } as const;
const OAUTH: MemberRule = { words: 'an object with "clientId" (a string) or "callbackPort" (a port number)', fits: isOAuth };
const HTTP_MEMBERS = { url: TEXT, headers: HEADERS, oauth: OAUTH } as const;

/** Members that Loupe reads elsewhere, or ignores because they do not affect the start of a server. */
const OTHER_MEMBERS = [
  ...['type', 'disabled', 'gallery', 'version', 'dev', 'description', 'icon'],
  // Of Claude Code, Cursor and Cline: approvals and time limits, for which Loupe has settings of its own.
  ...['alwaysAllow', 'autoApprove', 'timeout'],
] as const;

/** Returns how to start a server. For an error in the configuration, returns null and adds sentences to `mistakes`. */
export function readLaunch({ entry, about, folder, inputs, environment }: LaunchEntry, mistakes: string[]): ReadLaunch | null {
  const wrong: string[] = [];
  const launch = isObject(entry) ? launchOf(entry, wrong) : null;
  if (!isObject(entry)) {
    wrong.push('A server must be an object with "command" or "url".');
  }
  const named =
    launch === null ? [] : textsOf(launch).flatMap(({ member, text }) => variablesIn(text).map((variable) => ({ member, variable })));
  wrong.push(
    ...named.flatMap(({ member, variable }) => wrongVariable(variable, { folder, inputs }).map((words) => `"${member}" ${words}`)),
  );
  mistakes.push(...wrong.map((sentence) => `${about}: ${sentence}`));
  if (launch === null || wrong.length > 0) {
    return null;
  }
  const unknown = Object.keys(entry as JsonObject).filter((name) => !knownMembers(launch.type).has(name));
  mistakes.push(...unknown.map((name) => `${about}: Loupe does not know "${name}" for the type "${launch.type}" and ignores it.`));
  for (const { member, variable } of named) {
    if (variable.kind === 'env' && variable.fallback === null && environment[variable.name] === undefined) {
      mistakes.push(`${about}: "${member}" names the environment variable ${variable.name}, which is not set. Loupe uses an empty text.`);
    }
  }
  return { launch, inputIds: new Set(named.flatMap(({ variable }) => (variable.kind === 'input' ? [variable.id] : []))) };
}

/** Returns what is wrong with a variable, as the end of a sentence. Empty for a variable that can have a value. */
function wrongVariable(variable: Variable, { folder, inputs }: Pick<LaunchEntry, 'folder' | 'inputs'>): readonly string[] {
  switch (variable.kind) {
    case 'input':
      return inputs.has(variable.id) ? [] : [`names the input "${variable.id}", but "inputs" does not define it correctly.`];
    case 'unknown':
      return [`contains ${variable.text}, a variable that Loupe does not know.`];
    case 'workspaceFolder':
    case 'workspaceFolderBasename':
      return variable.name === null && folder === null ? ['needs a workspace folder, but no folder is open.'] : [];
    default:
      return [];
  }
}

function knownMembers(type: Launch['type']): ReadonlySet<string> {
  return new Set([...Object.keys(type === 'stdio' ? STDIO_MEMBERS : HTTP_MEMBERS), ...OTHER_MEMBERS]);
}

function launchOf(entry: JsonObject, wrong: string[]): Launch | null {
  const kind = kindOf(entry);
  if (typeof kind === 'string') {
    wrong.push(kind);
    return null;
  }
  const faulty = Object.entries<MemberRule>(kind.members).filter(([name, { fits }]) => entry[name] !== undefined && !fits(entry[name]));
  wrong.push(...faulty.map(([name, { words }]) => `"${name}" must be ${words}.`));
  if (faulty.length > 0) {
    return null;
  }
  return kind.type === 'stdio' ? stdioLaunch(entry as unknown as RawStdio) : httpLaunch(entry as unknown as RawHttp, wrong);
}

type LaunchKind =
  | { readonly type: 'stdio'; readonly members: typeof STDIO_MEMBERS }
  | { readonly type: 'http'; readonly members: typeof HTTP_MEMBERS };

/** Returns the kind of a server. For an error in the configuration, returns a sentence. */
function kindOf(entry: JsonObject): LaunchKind | string {
  const { type, command } = entry;
  if (entry['sandbox'] !== undefined || (entry['sandboxEnabled'] ?? false) !== false) {
    return 'The server requires a sandbox. Loupe has no sandbox, so it does not start the server.';
  }
  switch (plainType(type) ?? (command === undefined ? 'http' : 'stdio')) {
    case 'stdio':
      return command === undefined ? 'The server needs "command".' : { type: 'stdio', members: STDIO_MEMBERS };
    case 'http':
    case 'streamablehttp':
    case 'sse':
      if (entry['url'] === undefined) {
        return type === undefined ? 'The server needs "command" or "url".' : 'The server needs "url".';
      }
      return { type: 'http', members: HTTP_MEMBERS };
    default:
      return '"type" must be "stdio", "http" or "sse".';
  }
}

/** Returns a type in one spelling: programs write `streamable-http`, `streamableHttp` and others. */
function plainType(type: unknown): unknown {
  return typeof type === 'string' ? type.toLowerCase().replaceAll(/[-_ ]/g, '') : type;
}

interface RawStdio {
  readonly command: string;
  readonly args?: readonly PlainValue[];
  readonly env?: Readonly<Record<string, PlainValue | null>>;
  readonly envFile?: string;
  readonly cwd?: string;
}

interface RawHttp {
  readonly url: string;
  readonly headers?: Readonly<Record<string, PlainValue>>;
  readonly oauth?: Partial<OAuthClient>;
}

function stdioLaunch({ command, args, env, envFile, cwd }: RawStdio): StdioLaunch {
  const variables = Object.entries(env ?? {}).map(([name, value]) => [name, value === null ? null : String(value)] as const);
  return {
    ...{ type: 'stdio', command, args: (args ?? []).map(String), env: Object.fromEntries(variables) },
    ...{ envFile: envFile ?? null, cwd: cwd ?? null },
  };
}

function httpLaunch({ url, headers, oauth }: RawHttp, wrong: string[]): HttpLaunch | null {
  // `resolveLaunch` checks an address that starts with a variable, because the variable has no value yet.
  if (!url.startsWith('${') && !/^https?:\/\//i.test(url)) {
    wrong.push('"url" must begin with https:// or http://.');
    return null;
  }
  return {
    type: 'http',
    url,
    headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)])),
    oauth: oauth === undefined ? null : { clientId: oauth.clientId ?? null, callbackPort: oauth.callbackPort ?? null },
  };
}

/** Whether the user can sign in to a server: it has an address, and its configuration has no key for it. */
export function takesSignIn(launch: HttpLaunch | { readonly type: 'stdio' }): launch is HttpLaunch {
  return launch.type === 'http' && !Object.keys(launch.headers).some((name) => name.toLowerCase() === 'authorization');
}

/** Returns all texts that may contain variables, with the names of their members. */
export function textsOf(launch: Launch): readonly { readonly member: string; readonly text: string }[] {
  const members: Readonly<Record<string, readonly (string | null)[]>> =
    launch.type === 'http'
      ? { url: [launch.url], headers: Object.values(launch.headers), oauth: [launch.oauth?.clientId ?? null] }
      : {
          command: [launch.command],
          args: launch.args,
          env: Object.values(launch.env),
          envFile: [launch.envFile],
          cwd: [launch.cwd],
        };
  return Object.entries(members).flatMap(([member, texts]) => texts.flatMap((text) => (text === null ? [] : [{ member, text }])));
}
