import type { JsonObject } from '../../../src/engine/json.js';
import type { ToolServer } from '../../../src/engine/tools/tool.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { loadTestCounter } from '../../support/counters.js';
import { NO_TOOLS, toolboxOf } from '../../support/engine/toolExecutor.js';
import type { Window } from '../../support/host/window.js';
import { inFreshProcess } from '../child.js';
import { medianOf, race, type Contestant } from '../race.js';
import type { Row } from '../row.js';
import { inWindows } from '../windows.js';

const DRAFT = { images: [], messageId: 'draft', editing: null };
/** The number of tools of each of the nine servers. */
const TOOLS = [22, 22, 21, 21, 21, 21, 21, 21, 21];
const ALL_TOOLS = 191;
/** A single run takes a few milliseconds. */
const RUNS = 20;
/** As in most protocols. It requires renaming the tools of VS Code extensions. */
const TOOL_NAMES = { characters: 'a-zA-Z0-9_-', first: null, maxLength: 64 };

const WITHOUT = 'compose a round without tools';
const WITH = 'the same with 191 tools of nine servers';
const IN_MEMORY = 'the longest work for 20 results of 5 MB that come at once';
const OVER_STDIO = 'the longest work for 20 results of 5 MB of an MCP server over stdio';

/** The work that tools add to a step, besides wire and tools themselves, and the stalls from their results. */
export const tools: Row = {
  name: 'tools',
  job: 'compose a round with 191 tools of nine servers; run 20 calls at once whose results have 5 MB each, in a fresh process',
  measure: () =>
    inWindows(async (windows) => {
      const counter = await loadTestCounter('o200k_base');
      const open = (servers: readonly ToolServer[]): Window =>
        windows.open({
          models: [{ ...PRACTICE_STANDARD, capabilities: { ...PRACTICE_STANDARD.capabilities, toolNames: TOOL_NAMES } }],
          counters: { get: () => Promise.resolve(counter) },
          toolbox: { ...toolboxOf(NO_TOOLS), servers: () => servers },
        });
      const samples = [
        ...(await race([await composing(WITHOUT, open([]), 0), await composing(WITH, open(manyServers()), ALL_TOOLS)], { rounds: 15 })),
        ...(await race(
          [
            { name: IN_MEMORY, run: () => inFreshProcess('tool-results', 'memory') },
            { name: OVER_STDIO, run: () => inFreshProcess('tool-results', 'mcp') },
          ],
          { rounds: 5 },
        )),
      ];
      return {
        samples,
        amount: null,
        verdicts: [
          { what: 'ms to compose a round with 191 tools of nine servers', measured: medianOf(samples, WITH), target: { atMost: 10 } },
          {
            what: 'ms that the tools add to a round',
            measured: medianOf(samples, WITH) - medianOf(samples, WITHOUT),
            target: { atMost: 5 },
          },
          { what: 'ms that results block which come at once', measured: medianOf(samples, IN_MEMORY), target: { atMost: 50 } },
          { what: 'ms that those over stdio block', measured: medianOf(samples, OVER_STDIO), target: { atMost: 50 } },
        ],
      };
    }),
};

async function composing(name: string, window: Window, offered: number): Promise<Contestant> {
  const session = await window.chats.create();
  await session.conversation.send('Hello');
  let key = 0;
  return {
    name,
    run: async () => {
      const started = performance.now();
      for (let run = 0; run < RUNS; run += 1) {
        key += 1;
        const { prompt } = await session.next.preview({ ...DRAFT, text: `Go on ${String(key)}` });
        if (prompt.tools.length !== offered) {
          throw new Error(`The request offers ${String(prompt.tools.length)} tools.`);
        }
      }
      return (performance.now() - started) / RUNS;
    },
  };
}

function manyServers(): ToolServer[] {
  return TOOLS.map((count, at) => {
    const tools = Array.from({ length: count }, (_, index) => ({
      name: `do_thing_${String(index)}`,
      title: null,
      description: `Does thing ${String(index)} of server ${String(at)}. ${'It takes a path and some options, and says what it did. '.repeat(6)}`,
      inputSchema: SCHEMA,
      saysItOnlyReads: true,
    }));
    return {
      name: `publisher.extension-${String(at)}`,
      status: 'running',
      include: 'always',
      problem: null,
      tools,
      identity: String(at),
      allowed: () => Promise.resolve(),
      start: () => Promise.resolve(),
      call: () => Promise.reject(new Error('No tool is called here.')),
    };
  });
}

const SCHEMA: JsonObject = {
  type: 'object',
  properties: Object.fromEntries(
    ['path', 'pattern', 'from', 'to', 'options'].map((name) => [
      name,
      { type: 'string', description: `What ${name} is for the thing that is done.` },
    ]),
  ),
  required: ['path'],
  additionalProperties: false,
};
