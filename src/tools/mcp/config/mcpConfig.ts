import { canonicalJson, isObject, type Json, type JsonObject } from '../../../engine/json.js';
import { isDeepStrictEqual } from 'node:util';
import type { Sha256 } from '../../../engine/ports.js';
import { readInputs, type McpInput } from './mcpInputs.js';
import { readLaunch, type Launch } from '../mcpLaunch.js';

export interface McpSource {
  /** The name of the source for the user, such as `.vscode/mcp.json` or `loupe.mcpServers`. */
  readonly place: string;
  /** Absolute path of the file's folder, or of the first workspace folder for settings. Null without a folder. */
  readonly folder: string | null;
  /** Whether the user wrote this source. Sources of a workspace may come from other people. */
  readonly isOwn: boolean;
  /** The parsed content. Undefined for an empty source, a `SyntaxMistake` for invalid JSON. */
  readonly content: unknown;
}

/** An error in JSON. `line` counts from 1. */
export class SyntaxMistake {
  readonly line: number;

  constructor(line: number) {
    this.line = line;
  }
}

/** A configured server. Variables in the configuration have no values yet. */
export interface ServerConfig {
  readonly name: string;
  readonly place: string;
  readonly folder: string | null;
  /** Whether the user configured the server. Such a server starts without approval. */
  readonly isOwn: boolean;
  readonly launch: Launch;
  /** Inputs that the server's variables use, by input id. */
  readonly inputs: ReadonlyMap<string, McpInput>;
  /** A hash of the server's whole configuration. */
  readonly identity: string;
}

export interface McpMistake {
  readonly place: string;
  readonly line: number | null;
  /** A sentence for the user with the place of the error. */
  readonly text: string;
}

export interface McpConfig {
  readonly servers: readonly ServerConfig[];
  readonly mistakes: readonly McpMistake[];
}

/** The members of a file with its servers: of VS Code, and of most other programs. */
const SERVERS = ['servers', 'mcpServers'] as const;

/** Allowed members of a file. `sandbox` applies to all servers of the file. */
const MEMBERS: ReadonlySet<string> = new Set([...SERVERS, 'inputs', 'sandbox']);

const LONGEST_NAME = 100;

export interface ConfigPorts {
  readonly sha256: Sha256;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads the sources in order. If two servers have the same name, the first one counts. The user's settings come first,
 * so that a workspace cannot replace a server that the user trusts by name. Omits a server that is disabled, or whose
 * start is configured wrongly. Messages never quote a value, because a value may be a key.
 */
export function parseMcpConfig(sources: readonly McpSource[], ports: ConfigPorts): McpConfig {
  const servers = new Map<string, ServerConfig>();
  const mistakes: McpMistake[] = [];
  for (const source of sources) {
    const texts: string[] = [];
    for (const server of serversOf(source, ports, texts)) {
      const first = servers.get(server.name);
      if (first === undefined) {
        servers.set(server.name, server);
      } else if (!isDeepStrictEqual(first.launch, server.launch)) {
        const where = first.place === source.place ? 'of another folder' : `in ${first.place}`;
        texts.push(`${source.place}: A server named "${server.name}" is also ${where}. Loupe uses that server. Rename this one.`);
      }
    }
    const line = source.content instanceof SyntaxMistake ? source.content.line : null;
    mistakes.push(...texts.map((text) => ({ place: source.place, line, text })));
  }
  return { servers: [...servers.values()], mistakes };
}

function serversOf({ place, folder, isOwn, content }: McpSource, { sha256, environment }: ConfigPorts, mistakes: string[]): ServerConfig[] {
  if (content === undefined) {
    return [];
  }
  if (content instanceof SyntaxMistake) {
    mistakes.push(`${place}: Line ${content.line} is not valid JSON, so Loupe ignores its servers.`);
    return [];
  }
  if (!isObject(content)) {
    mistakes.push(`${place}: The content must be an object with "servers".`);
    return [];
  }
  mistakes.push(...unknownMembers(content, MEMBERS).map((name) => `${place}: Loupe does not know "${name}" and ignores it.`));
  const inputs = readInputs(content['inputs'], place, mistakes);
  const entries = SERVERS.flatMap((member) => {
    const servers = content[member] ?? {};
    if (isObject(servers)) {
      return Object.entries(servers);
    }
    mistakes.push(`${place}: "${member}" must be an object with a server under each name.`);
    return [];
  });
  const isSandboxed = content['sandbox'] !== undefined;
  return entries.flatMap(([name, entry]) => {
    const about = `${place}, server "${name.slice(0, LONGEST_NAME)}"`;
    if (!isName(name)) {
      mistakes.push(`${about}: A name must have 1 to ${LONGEST_NAME} characters, without line breaks and other hidden ones.`);
      return [];
    }
    if (isObject(entry) && entry['disabled'] === true) {
      return [];
    }
    const read = readLaunch(
      { entry: isSandboxed && isObject(entry) ? { ...entry, sandbox: true } : entry, about, folder, inputs, environment },
      mistakes,
    );
    if (read === null) {
      return [];
    }
    const used = new Map([...inputs].filter(([id]) => read.inputIds.has(id)));
    const described = { place, folder, name, entry: entry as JsonObject, inputs: [...used.values()] as unknown as Json };
    return [{ name, place, folder, isOwn, launch: read.launch, inputs: used, identity: sha256(canonicalJson(described)) }];
  });
}

function isName(name: string): boolean {
  return name.trim() !== '' && name.length <= LONGEST_NAME && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
}

function unknownMembers(object: JsonObject, known: ReadonlySet<string>): string[] {
  return Object.keys(object).filter((name) => !known.has(name));
}
