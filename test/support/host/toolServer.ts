import type { IncludeMode } from '../../../src/engine/record/item.js';
import type { JsonObject } from '../../../src/engine/json.js';
import type { ToolCallOptions } from '../../../src/engine/ports.js';
import type { CallOutcome } from '../../../src/engine/tools/offered.js';
import type { ServerStatus, Tool, ToolServer } from '../../../src/engine/tools/tool.js';
import { NO_RESOURCES } from './resources.js';
import { StoredApprovals } from '../../../src/host/tools/alwaysAllowed.js';
import type { Toolbox } from '../../../src/host/tools/toolbox.js';

export class EchoServer implements ToolServer {
  readonly name: string;
  status: ServerStatus = 'running';
  problem: string | null = null;
  readonly include: IncludeMode = 'always';
  identity = 'as configured';
  tools: readonly Tool[];
  readonly calls: string[] = [];
  /** Returns the file with secrets that a call reads. */
  secretRead: NonNullable<ToolServer['secretRead']> = () => Promise.resolve(null);
  /** Returns the file that can start programs, if a call edits one. */
  setupFile: NonNullable<ToolServer['setupFile']> = () => Promise.resolve(null);
  /** Returns what an approval of a call covers. Null: all calls of the tool. */
  covers: NonNullable<ToolServer['covers']> = () => Promise.resolve(null);
  work: (args: JsonObject, options: ToolCallOptions) => Promise<CallOutcome> = (args) =>
    Promise.resolve({ content: [{ type: 'text', text: JSON.stringify(args) }], isError: false, edits: [] });

  constructor(name: string, ...tools: readonly string[]) {
    this.name = name;
    this.tools = tools.map(toolNamed);
  }

  allowed(): Promise<void> {
    return Promise.resolve();
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  call(_tool: string, args: JsonObject, options: ToolCallOptions): Promise<CallOutcome> {
    this.calls.push(JSON.stringify(args));
    return this.work(args, options);
  }
}

export function toolNamed(name: string): Tool {
  return { name, title: null, description: `Does ${name}.`, inputSchema: { type: 'object', properties: {} }, saysItOnlyReads: false };
}

/** Returns a window's tools from these servers. Permanent approvals are in `folder`, which windows share. */
export function toolboxWith(servers: readonly ToolServer[], folder: string): Toolbox {
  const asks = { startQuestion: () => null, answerStart: () => false };
  return { ...asks, servers: () => servers, builtIn: () => null, always: new StoredApprovals(folder), resources: NO_RESOURCES };
}
