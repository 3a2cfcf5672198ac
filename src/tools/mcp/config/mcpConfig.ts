import { canonicalJson, isObject, type Json, type JsonObject } from '../../../engine/json.js';
import type { Sha256 } from '../../../engine/ports.js';
import { readInputs, type McpInput } from './mcpInputs.js';
import { readLaunch, type Launch } from '../mcpLaunch.js';

/** A place where servers are configured. */
export interface McpSource {
  /** As the user knows it: `.vscode/mcp.json`, or `loupe.mcpServers`. */
  readonly place: string;
  /** The folder that the file belongs to, as an absolute path; for the user's settings the first one. Null without a folder. */
  readonly folder: string | null;
  /** Whether the user wrote it; others come with the workspace. */
  readonly isOwn: boolean;
  /** The parsed content; undefined where there is none, and a `SyntaxMistake` where it is no JSON. */
  readonly content: unknown;
}

/** What was read is no JSON. `line` counts from 1. */
export class SyntaxMistake {
  readonly line: number;

  constructor(line: number) {
    this.line = line;
  }
}

/** A configured server. Nothing in it is secret: variables have no values yet. */
export interface ServerConfig {
  readonly name: string;
  readonly place: string;
  readonly folder: string | null;
  /** Whether the user configured it, so that it may start without a question. */
  readonly isOwn: boolean;
  readonly launch: Launch;
  /** Those that its variables name, by their ids. */
  readonly inputs: ReadonlyMap<string, McpInput>;
  /** A hash of all that is configured for it. */
  readonly identity: string;
}

/** Something that is wrong with the configuration. */
export interface McpMistake {
  /** That of its source. */
  readonly place: string;
  /** From 1; null where no line is known. */
  readonly line: number | null;
  /** A sentence, which names the place. */
  readonly text: string;
}

/** The usable servers, and the mistakes of the configuration. */
export interface McpConfig {
  readonly servers: readonly ServerConfig[];
  readonly mistakes: readonly McpMistake[];
}

/** The members of a file. `sandbox` is about all its servers. */
const MEMBERS: ReadonlySet<string> = new Set(['servers', 'inputs', 'sandbox']);

const LONGEST_NAME = 100;

/**
 * Reads the places in their order: of two servers with one name, the one that comes first counts. The user's own settings come
 * first, so that a workspace, which others may have written, cannot put another server behind a name that the user trusts.
 * A server with a mistake in what it needs to start is left out; the rest works. No sentence quotes a value, because it may be a key.
 */
export function parseMcpConfig(sources: readonly McpSource[], sha256: Sha256): McpConfig {
  const servers = new Map<string, ServerConfig>();
  const mistakes: McpMistake[] = [];
  for (const source of sources) {
    const texts: string[] = [];
    for (const server of serversOf(source, sha256, texts)) {
      const first = servers.get(server.name);
      if (first === undefined) {
        servers.set(server.name, server);
      } else {
        const where = first.place === source.place ? 'of another folder' : `in ${first.place}`;
        texts.push(`${source.place}: A server named "${server.name}" is also ${where}, and that one is used. Give this one another name.`);
      }
    }
    const line = source.content instanceof SyntaxMistake ? source.content.line : null;
    mistakes.push(...texts.map((text) => ({ place: source.place, line, text })));
  }
  return { servers: [...servers.values()], mistakes };
}

function serversOf({ place, folder, isOwn, content }: McpSource, sha256: Sha256, mistakes: string[]): ServerConfig[] {
  if (content === undefined) {
    return [];
  }
  if (content instanceof SyntaxMistake) {
    mistakes.push(`${place}: Line ${content.line} is no valid JSON, so that none of its servers can be used.`);
    return [];
  }
  if (!isObject(content)) {
    mistakes.push(`${place}: An object with "servers" is expected.`);
    return [];
  }
  mistakes.push(...unknownMembers(content, MEMBERS).map((name) => `${place}: "${name}" is unknown, and ignored.`));
  const inputs = readInputs(content['inputs'], place, mistakes);
  const entries = content['servers'] ?? {};
  if (!isObject(entries)) {
    mistakes.push(`${place}: "servers" must be an object with a server under each name.`);
    return [];
  }
  const isSandboxed = content['sandbox'] !== undefined;
  return Object.entries(entries).flatMap(([name, entry]) => {
    const about = `${place}, server "${name.slice(0, LONGEST_NAME)}"`;
    if (!isName(name)) {
      mistakes.push(`${about}: A name must have 1 to ${LONGEST_NAME} characters, without line breaks and other hidden ones.`);
      return [];
    }
    const read = readLaunch(
      { entry: isSandboxed && isObject(entry) ? { ...entry, sandbox: true } : entry, about, folder, inputs },
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

/** The members of an object that nothing reads. */
function unknownMembers(object: JsonObject, known: ReadonlySet<string>): string[] {
  return Object.keys(object).filter((name) => !known.has(name));
}
