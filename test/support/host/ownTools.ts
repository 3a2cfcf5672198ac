import type { SecretGuard } from '../../../src/host/context/secretFiles.js';
import type { JsonObject } from '../../../src/engine/json.js';
import type { ToolCallOptions, ToolProgress } from '../../../src/engine/ports.js';
import type { CallOutcome } from '../../../src/engine/tools/offered.js';
import type { WorkspaceTool } from '../../../src/host/tools/workspace/workspaceTool.js';

export const UNSTOPPED: ToolCallOptions = {
  signal: new AbortController().signal,
  onProgress: () => undefined,
  keepBlob: () => Promise.resolve(''),
};

export function textOf({ content }: CallOutcome): string {
  return content.map((item) => (item.type === 'text' ? item.text : '')).join('');
}

/** Calls a tool and returns its text, with `Error: ` before that of a failed call. */
export async function answer(tool: WorkspaceTool, args: JsonObject): Promise<string> {
  const outcome = await tool.run(args, UNSTOPPED);
  return outcome.isError ? `Error: ${textOf(outcome)}` : textOf(outcome);
}

/** Returns call options that collect the progress reports. */
export function reporting(signal: AbortSignal): ToolCallOptions & { readonly reports: ToolProgress[] } {
  const reports: ToolProgress[] = [];
  return { signal, reports, onProgress: (progress) => reports.push(progress), keepBlob: () => Promise.resolve('') };
}

/** A guard that knows no file with secrets. */
export const NO_SECRETS: SecretGuard = { sign: () => Promise.resolve(null), allow: () => Promise.resolve() };
