import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StreamPart } from '../../src/engine/model/model.js';
import type { ToolCallRequest, ToolExecutor } from '../support/engine/toolExecutor.js';
import { installed, McpRig } from '../support/mcp/rig.js';

const CALLS = 20;
const RESULT = 5 * 1024 * 1024;
const LINE = 'export const answer = "forty-two"; // All work and no play, 12 times a day.\n';

interface LargeTools {
  readonly tools: ToolExecutor;
  readonly calls: readonly ToolCallRequest[];
  close(): Promise<void>;
}

/** Tools with large results and their calls: in memory, or the official MCP file server over stdio. */
export async function largeTools(root: string, isReal: boolean): Promise<LargeTools> {
  const numbers = Array.from({ length: CALLS }, (_, index) => index);
  if (!isReal) {
    const texts = numbers.map(largeText);
    return {
      tools: {
        has: (name) => name === 'read',
        call: ({ args: { number } }) => Promise.resolve({ content: [{ type: 'text', text: texts[Number(number)] ?? '' }], isError: false }),
      },
      calls: numbers.map((number) => ({ name: 'read', args: { number } })),
      close: () => Promise.resolve(),
    };
  }
  const folder = join(root, 'files');
  await mkdir(folder);
  await Promise.all(numbers.map((number) => writeFile(join(folder, `${String(number)}.txt`), largeText(number))));
  const rig = new McpRig({});
  const server = rig.server(installed('filesystem', folder));
  const never = new AbortController().signal;
  await server.start(never);
  const name = 'read_text_file';
  return {
    tools: {
      has: (called) => called === name,
      call: ({ args }, signal) =>
        server.call(name, args, {
          signal,
          onProgress: () => undefined,
          keepBlob: () => Promise.reject(new Error('A file of text has no image.')),
        }),
    },
    calls: numbers.map((number) => ({ name, args: { path: join(folder, `${String(number)}.txt`) } })),
    close: () => rig.servers.dispose(),
  };
}

function largeText(number: number): string {
  return `File ${String(number)}\n${LINE.repeat(RESULT / LINE.length)}`;
}

export async function* callsOf(calls: readonly ToolCallRequest[]): AsyncGenerator<StreamPart> {
  for (const [index, { name, args }] of calls.entries()) {
    yield { type: 'toolCall', index, id: `call-${String(index)}`, name };
    yield { type: 'toolCallArgs', index, text: JSON.stringify(args) };
  }
  yield { type: 'end', stopReason: 'toolCalls', usage: null, rawUsage: null, responseId: null };
}
