import type { RunControl } from '../../../src/engine/run/input.js';
import type { JsonObject } from '../../../src/engine/json.js';
import type { ToolOutcome } from '../../../src/engine/ports.js';
import type { CallableTool, RunTools } from '../../../src/engine/tools/offered.js';
import { ECHO_TOOL } from '../../../src/providers/practice/echoTool.js';
import { NO_RESOURCES } from '../host/resources.js';
import type { Toolbox } from '../../../src/host/tools/toolbox.js';

export interface ToolCallRequest {
  readonly name: string;
  readonly args: JsonObject;
}

export interface ToolExecutor {
  has(name: string): boolean;
  call(request: ToolCallRequest, signal: AbortSignal): Promise<ToolOutcome>;
}

export const NO_TOOLS: ToolExecutor = { has: () => false, call: ({ name }) => Promise.reject(new Error(`There is no tool ${name}.`)) };

function callable(tools: ToolExecutor, name: string): CallableTool | null {
  return tools.has(name)
    ? { asks: null, allowed: null, call: async (args, { signal }) => ({ ...(await tools.call({ name, args }, signal)), edits: [] }) }
    : null;
}

export const ECHO: ToolExecutor = {
  has: (name) => name === ECHO_TOOL.name,
  call: ({ args }, signal) =>
    ECHO_TOOL.call(args, { signal, onProgress: () => undefined, keepBlob: () => Promise.reject(new Error('Nothing is kept here.')) }),
};

export function runTools(tools: ToolExecutor): RunTools {
  return { find: (name) => Promise.resolve(callable(tools, name)) };
}

export function toolboxOf(tools: ToolExecutor): Toolbox {
  return {
    servers: () => [],
    startQuestion: () => null,
    answerStart: () => false,
    builtIn: (name) => callable(tools, name),
    always: {
      before: () => Promise.resolve(null),
      allow: () => Promise.resolve(),
      revoke: () => Promise.resolve(),
      list: () => Promise.resolve({ approvals: [], unreadable: [] }),
    },
    resources: NO_RESOURCES,
  };
}

export const UNASKED: RunControl = {
  approvalOf: () => new Promise(() => undefined),
  continueDecision: () => new Promise(() => undefined),
  stopOf: () => new AbortController().signal,
  progressed: () => undefined,
};
