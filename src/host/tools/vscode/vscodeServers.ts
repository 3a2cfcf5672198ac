import * as vscode from 'vscode';
import { messageOf } from '../../../engine/errors.js';
import type { JsonObject } from '../../../engine/json.js';
import type { ToolCallOptions } from '../../../engine/ports.js';
import type { CallOutcome } from '../../../engine/tools/offered.js';
import type { Tool, ToolServer } from '../../../engine/tools/tool.js';
import { MCP_LIMITS } from '../../../tools/mcp/limits.js';
import { withinTime } from './longestCall.js';
import { contributors, type OwnToolNames, VSCODE, vscodeGroups } from './vscodeGroups.js';
import type { ToolResultContent } from '../../../engine/model/part.js';
import { isImageType } from '../../../engine/model/imageRules.js';
import { noImageText, toolImage } from '../../../tools/imageHeader.js';

/** A part of a tool's result. Loupe checks its members, because extensions may use other classes than VS Code. */
interface ResultPart {
  readonly value?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
}

/** Converts the result of a VS Code tool. Rejects with `storage` when an image cannot be stored. */
async function toolOutcome(parts: readonly unknown[], { keepBlob }: Pick<ToolCallOptions, 'keepBlob'>): Promise<CallOutcome> {
  const content: ToolResultContent[] = [];
  for (const part of parts) {
    content.push(await partContent(part, keepBlob));
  }
  return { content, isError: false, edits: [] };
}

async function partContent(part: unknown, keepBlob: ToolCallOptions['keepBlob']): Promise<ToolResultContent> {
  const { value, data, mimeType } = (typeof part === 'object' && part !== null ? part : {}) as ResultPart;
  if (typeof value === 'string') {
    return { type: 'text', text: value };
  }
  if (data instanceof Uint8Array && typeof mimeType === 'string') {
    if (isImageType(mimeType)) {
      const image = await toolImage(data);
      return image === null
        ? { type: 'text', text: noImageText(mimeType, data.length) }
        : { type: 'image', blob: await keepBlob(data), bytes: data.length, ...image };
    }
    return { type: 'text', text: isText(mimeType) ? new TextDecoder().decode(data) : `(${mimeType}, ${String(data.length)} bytes)` };
  }
  return { type: 'text', text: promptText(value) };
}

function isText(mimeType: string): boolean {
  return mimeType.startsWith('text/') || mimeType.endsWith('json');
}

/** Returns the texts in a tree of @vscode/prompt-tsx, in order. Returns a value without texts as JSON. */
function promptText(value: unknown): string {
  const texts: string[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) {
      return;
    }
    const { text, children, node: inner } = node as { readonly text?: unknown; readonly children?: unknown; readonly node?: unknown };
    if (typeof text === 'string') {
      texts.push(text);
    }
    walk(inner);
    if (Array.isArray(children)) {
      children.forEach(walk);
    }
  };
  walk(value);
  return texts.length > 0 || value === undefined ? texts.join('') : JSON.stringify(value);
}

/** The tools of VS Code and its extensions. Each extension is a server that always runs. */
export class VscodeServers {
  readonly #logInfo: (text: string) => void;
  #made: { readonly key: string; readonly servers: readonly ToolServer[] } = { key: '', servers: [] };

  /** `logInfo` gets a sentence for each tool that Loupe cannot use, again after each change of the tools. */
  constructor(logInfo: (text: string) => void) {
    this.#logInfo = logInfo;
  }

  /** Returns the extensions as servers, without tools that Loupe runs. Returns the same objects until a change. */
  servers(own: OwnToolNames): readonly ToolServer[] {
    const notes: string[] = [];
    const groups = vscodeGroups(vscode.lm.tools, { contributors: contributors(vscode.extensions.all), own }, (text) => notes.push(text));
    const key = JSON.stringify([groups, notes]);
    if (key !== this.#made.key) {
      notes.forEach((text) => {
        this.#logInfo(text);
      });
      this.#made = { key, servers: groups.map(({ name, tools }) => new VscodeServer(name, tools)) };
    }
    return this.#made.servers;
  }
}

class VscodeServer implements ToolServer {
  readonly status = 'running';
  readonly problem = null;
  /** The user adds these tools to a chat one by one: there are dozens, and the user did not choose to install each. */
  readonly include = 'manual';
  readonly name: string;
  readonly tools: readonly Tool[];

  constructor(name: string, tools: readonly Tool[]) {
    this.name = name;
    this.tools = tools;
  }

  /** Identity for approvals. Contains the version of the extension, so that an update needs a new approval. */
  get identity(): string {
    const { version } = (vscode.extensions.getExtension(this.name)?.packageJSON ?? {}) as { readonly version?: string };
    return `${this.name}@${version ?? (this.name === VSCODE ? vscode.version : '')}`;
  }

  allowed(): Promise<void> {
    return Promise.resolve();
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  async call(name: string, args: JsonObject, options: ToolCallOptions): Promise<CallOutcome> {
    try {
      const { content } = await withinTime(name, MCP_LIMITS.longestCallMs, options.signal, (signal) => invoked(name, args, signal));
      return await toolOutcome(content, options);
    } catch (thrown) {
      options.signal.throwIfAborted();
      return { content: [{ type: 'text', text: messageOf(thrown) }], isError: true, edits: [] };
    }
  }
}

async function invoked(name: string, args: JsonObject, signal: AbortSignal): Promise<vscode.LanguageModelToolResult> {
  const cancel = new vscode.CancellationTokenSource();
  const abort = (): void => {
    cancel.cancel();
  };
  signal.addEventListener('abort', abort);
  try {
    return await vscode.lm.invokeTool(name, { input: args, toolInvocationToken: undefined }, cancel.token);
  } finally {
    signal.removeEventListener('abort', abort);
    cancel.dispose();
  }
}
