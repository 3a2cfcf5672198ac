import { failure, toLoupeError } from '../../../engine/errors.js';
import type { FileRead } from '../../../engine/context/fileContents.js';
import { isResource, itemKey, type ContextItemBase, type ResourceBase } from '../../../engine/record/item.js';
import type { Clock } from '../../../engine/ports.js';
import type { McpResource, McpResourcePart } from '../../../tools/mcp/config/mcpEntries.js';
import type { McpServer } from '../../../tools/mcp/mcpServer.js';
import { refused } from '../../context/files/refusal.js';
import type { MentionedResource, MentionedResources } from '../../context/mentions/mentionedResources.js';
import { ServerLists } from '../serverLists.js';
import { MAX_FILE_BYTES } from '../../context/files/readFile.js';

/** A server with resources. Its methods start the server. While the user types, call them only on running servers. */
export type ResourceServer = Pick<McpServer, 'name' | 'identity' | 'status' | 'signInState' | 'listResources' | 'readResource'>;

export interface ServerResourcesPorts {
  readonly configured: () => Promise<void>;
  readonly servers: () => readonly ResourceServer[];
  readonly clock: Pick<Clock, 'now'>;
}

/** Maximum number of bytes of texts in memory. Removed texts are read again with the next message. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A signal that never aborts. The time limits of the server end each request for a list. */
const NEVER = new AbortController().signal;

/**
 * The resources of the servers in this window. Loupe reads a text when the user adds the resource, and before each
 * message. Previews use the last text, so that no key press starts a server or sends a request to a server.
 */
export class ServerResources implements MentionedResources {
  readonly #ports: ServerResourcesPorts;
  readonly #lists: ServerLists<ResourceServer, McpResource>;
  readonly #texts = new RecentTexts(MOST_BYTES);

  constructor(ports: ServerResourcesPorts) {
    this.#ports = ports;
    this.#lists = new ServerLists((server) => server.listResources(NEVER), ports.clock);
  }

  known(item: ResourceBase): FileRead {
    return this.#texts.get(itemKey(item)) ?? refused(item.name, { code: 'notRead' });
  }

  /** Reads the resource again. Never rejects. On abort, returns the last text. */
  async read(item: ResourceBase, signal: AbortSignal): Promise<FileRead> {
    await this.#ports.configured();
    const read = await this.#readNow(item, signal);
    if (!signal.aborted) {
      this.#texts.set(itemKey(item), read);
    }
    return this.known(item);
  }

  /** Reads all resources of a chat again. Never rejects. */
  async readAll(items: Iterable<ContextItemBase>, signal: AbortSignal): Promise<void> {
    await Promise.all([...items].filter(isResource).map((item) => this.read(item, signal)));
  }

  /** Returns the resource with a key, even if its server does not list it. Null without a configured server. */
  named(key: string): ResourceBase | null {
    const roots = this.#ports.servers().map(({ name }): ResourceBase => ({ type: 'reference', name: '', serverName: name }));
    const root = roots.find((each) => key.startsWith(itemKey(each)));
    return root === undefined ? null : { ...root, name: key.slice(itemKey(root).length) };
  }

  listed(): readonly MentionedResource[] {
    return this.#ports.servers().flatMap((server) =>
      this.#lists.of(server).items.map(({ uri, name, title, description }) => {
        const item: ResourceBase = { type: 'reference', name: uri, serverName: server.name };
        return { item, title: title ?? name, description: description ?? '' };
      }),
    );
  }

  servers(): readonly ResourceServer[] {
    return this.#ports.servers();
  }

  async refresh(changed: () => void): Promise<void> {
    await this.#ports.configured();
    const running = this.#ports.servers().filter(({ status }) => status === 'running');
    await this.#lists.refresh(running, changed);
  }

  async #readNow({ serverName, name }: ResourceBase, signal: AbortSignal): Promise<FileRead> {
    const server = this.#ports.servers().find((each) => each.name === serverName);
    try {
      if (server === undefined) {
        throw failure('mcp.serverGone', { name: serverName });
      }
      return resourceText(name, await server.readResource(name, signal));
    } catch (thrown) {
      // The server logs the error, and the request shows the error in place of the resource.
      return refused(name, { code: 'serverFailed', text: toLoupeError(thrown).message });
    }
  }
}

/** Texts of resources. Keeps the latest used texts, up to a number of bytes. */
export class RecentTexts {
  readonly #mostBytes: number;
  /** Texts in the order of their use. The latest used text is last. */
  readonly #texts = new Map<string, FileRead>();

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get(key: string): FileRead | null {
    const read = this.#texts.get(key);
    if (read === undefined) {
      return null;
    }
    this.#texts.delete(key);
    this.#texts.set(key, read);
    return read;
  }

  set(key: string, read: FileRead): void {
    this.#texts.delete(key);
    this.#texts.set(key, read);
    let bytes = [...this.#texts.values()].reduce((sum, text) => sum + bytesOf(text), 0);
    for (const [oldest, text] of this.#texts) {
      if (bytes <= this.#mostBytes || oldest === key) {
        return;
      }
      this.#texts.delete(oldest);
      bytes -= bytesOf(text);
    }
  }
}

function bytesOf(read: FileRead): number {
  return read.ok ? read.bytes : 0;
}

/** Joins the parts of a resource into one text. Has the limits of a file, because requests contain it as a file. */
export function resourceText(uri: string, parts: readonly McpResourcePart[]): FileRead {
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []));
  const content = texts.join('\n\n');
  if (texts.length < parts.length || content.includes('\0')) {
    return refused(uri, { code: 'binary' });
  }
  const bytes = Buffer.byteLength(content, 'utf8');
  return bytes > MAX_FILE_BYTES ? refused(uri, { code: 'tooLarge', bytes }) : { ok: true, content, bytes };
}
