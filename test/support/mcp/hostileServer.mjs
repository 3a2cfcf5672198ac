// An MCP server over stdio that misbehaves on demand. It speaks the revision
// 2025-06-18 by hand, because an SDK would not let it.
//
//   node hostileServer.mjs [words…]
//
// dieAtStart        writes to stderr, and ends with code 3
// dieAtQuestion     ends when its first message is not "initialize"
// dieAtBegin        ends with code 4 at "initialize"
// silentQuestion    does not answer what it does not know
// neverReady        answers nothing at all
// ignoreTerm        goes on after SIGTERM and after its input has closed
// grandchild        starts a process that outlives it, if it can, and has its output open
// endless           offers a list of tools that never ends
// largeTools        offers a tool of 20 MB, and 100 of 50 KB
// asks              offers a tool that asks the user, and one that says which processes it has
// listed=…          offers these tools, written as JSON
// answers=…         has these results by method, written as JSON
// garbage           writes lines that are no messages, between its messages
//
// The call of a tool has the name of the fault.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const words = new Set(process.argv.slice(2));
/** @type {Record<string, unknown>} */
const answers = JSON.parse(written('answers=') ?? '{}');
/** @type {unknown[]} */
const cancelled = [];
/** @type {{ id: unknown, text: string }[]} */
const held = [];
const state = { tools: words.has('asks') ? ['ask', 'pids'] : ['slow', 'flood'], isFirst: true, pages: 0, grandchild: 0 };

process.stderr.write('Here I am.\n');
if (words.has('dieAtStart')) {
  process.stderr.write('There is no database at /nowhere.\n');
  process.exit(3);
}
if (words.has('ignoreTerm')) {
  process.on('SIGTERM', () => process.stderr.write('I go on.\n'));
  setInterval(() => undefined, 1_000);
}
if (words.has('grandchild')) {
  const script = "process.on('SIGTERM', () => 0); process.on('SIGHUP', () => 0); setInterval(() => 0, 1000);";
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit'] });
  state.grandchild = child.pid ?? 0;
}

/** @param {object} message */
function send(message) {
  return process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/**
 * @param {unknown} id
 * @param {string} text
 */
function answer(id, text) {
  return send({ id, result: { content: [{ type: 'text', text }] } });
}

/** What is written after the name of a word. */
function written(/** @type {string} */ begin) {
  return [...words].find((word) => word.startsWith(begin))?.slice(begin.length);
}

function list() {
  const listed = written('listed=');
  if (listed !== undefined) return JSON.parse(listed);
  const sizes = words.has('largeTools') ? [20_000_000, ...Array.from({ length: 100 }, () => 50_000)] : [];
  const large = sizes.map((size, at) => ({ name: `large${at}`, description: 'x '.repeat(size / 2), inputSchema: { type: 'object' } }));
  return [...large, ...small()];
}

function small() {
  return state.tools.map((name) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } }));
}

/** Writes without end, as fast as the reader reads. */
function writeForever(/** @type {string} */ piece) {
  const write = () => {
    while (process.stdout.write(piece)) {
      // Until the pipe is full.
    }
    process.stdout.once('drain', write);
  };
  write();
}

/** @type {Record<string, (id: unknown, args: Record<string, unknown>, token: unknown) => unknown>} */
const CALLS = {
  pids: (id) => answer(id, JSON.stringify([process.pid, state.grandchild])),
  env: (id) => answer(id, JSON.stringify(process.env)),
  where: (id) => answer(id, process.cwd()),
  cancelled: (id) => answer(id, JSON.stringify(cancelled)),
  hang: () => undefined,
  busy: (_id, _args, token) => {
    let progress = 0;
    setInterval(() => send({ method: 'notifications/progress', params: { progressToken: token, progress: (progress += 1) } }), 20);
  },
  die: () => process.exit(7),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  twice: (id) => {
    answer(id, 'the first');
    answer(id, 'the second');
  },
  unknown: (id) => {
    answer('nobody asked', 'for this');
    answer(id, 'for that');
  },
  // The answers to three calls come in reverse order.
  swapped: (id, { text }) => {
    held.push({ id, text: String(text) });
    if (held.length === 3) {
      held.reverse().forEach((each) => answer(each.id, each.text));
    }
  },
  garbage: (id) => {
    process.stdout.write('Listening on port 3000\n{"jsonrpc":"2.0"}\n[1,2\n\n\u0000\n"text"\n');
    process.stdout.write(`${'['.repeat(10_000)}\n`);
    answer(id, 'beside garbage');
  },
  flood: () => {
    writeForever('x'.repeat(64 * 1024));
  },
  floodLines: () => {
    writeForever('no message of anything\n'.repeat(1_000));
  },
  floodMessages: () => {
    writeForever(
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })}\n`.repeat(100),
    );
  },
  change: (id) => {
    state.tools = ['another', ...state.tools];
    send({ method: 'notifications/tools/list_changed' });
    answer(id, 'changed');
  },
  large: (id, { bytes }) => answer(id, 'ä'.repeat(Number(bytes) / 2)),
  result: (id, { result }) => send({ id, result }),
  noResult: (id) => send({ id, result: { content: 'no list' } }),
  error: (id) => send({ id, error: { code: -32_000, message: `The token ${process.env['API_TOKEN'] ?? ''} is refused.` } }),
  says: (id) => {
    process.stderr.write(`Connecting with ${process.env['API_TOKEN'] ?? ''}\n`);
    answer(id, 'said');
  },
  sample: (id) => {
    send({ id: 'sample-1', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
    held.push({ id, text: 'sampling' });
  },
  ask: (id) => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    send({ id: 'ask-1', method: 'elicitation/create', params: { message: 'Your name?', requestedSchema } });
    held.push({ id, text: 'ask' });
  },
  roots: (id) => {
    send({ id: 'roots-1', method: 'roots/list' });
    held.push({ id, text: 'roots' });
  },
};

/** @type {Record<string, (id: unknown, params: any) => unknown>} */
const REQUESTS = {
  initialize: (id) => {
    if (words.has('dieAtBegin')) process.exit(4);
    const answered = Object.fromEntries(Object.keys(answers).map((method) => [method.split('/')[0], {}]));
    const capabilities = { tools: { listChanged: true }, logging: {}, ...answered };
    send({ id, result: { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'hostile', version: '1' } } });
    if (words.has('garbage')) process.stdout.write('Ready!\n');
  },
  'tools/list': (id) => {
    state.pages += 1;
    send({ id, result: { tools: list(), ...(words.has('endless') ? { nextCursor: `page ${state.pages}` } : {}) } });
  },
  'tools/call': (id, { name, arguments: args, _meta: meta }) => {
    const call = CALLS[name];
    if (call === undefined) send({ id, error: { code: -32_602, message: `There is no tool ${name}.` } });
    else call(id, args ?? {}, meta?.progressToken);
  },
  'notifications/cancelled': (_id, { requestId }) => cancelled.push(requestId),
};

/** The client's answer to a question of this server. */
function answered(/** @type {any} */ { error, result }) {
  const asked = held.pop();
  if (asked !== undefined) answer(asked.id, JSON.stringify(error ?? result));
}

/** @param {any} message */
function receive(message) {
  const { id, method, params } = message;
  if (words.has('dieAtQuestion') && state.isFirst && method !== 'initialize') process.exit(1);
  state.isFirst = false;
  if (words.has('neverReady')) return;
  const request = REQUESTS[method];
  if (answers[method] !== undefined) send({ id, result: answers[method] });
  else if (request !== undefined) request(id, params);
  else if (method === undefined) answered(message);
  else if (id !== undefined && !words.has('silentQuestion')) send({ id, error: { code: -32_601, message: 'Method not found' } });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  receive(JSON.parse(line));
});
