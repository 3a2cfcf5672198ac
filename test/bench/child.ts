import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { StreamPart } from '../../src/engine/model/model.js';
import { outFolder } from '../support/paths.mjs';

const RANKS = join(outFolder, 'ranks');

/*
 * A process must not load anything of the measured code before the clock starts. The rows import their peers, so it
 * runs `childMain.ts` instead of `main.ts`, and this file only uses `import()`.
 */

/** The jobs of a fresh process. Each returns its own measurement, usually in ms. */
const JOBS: Readonly<Record<string, (argument: string) => Promise<number>>> = {
  'count-loupe': () => timed(() => countFirst('hello world')),
  'count-loupe-unicode': () => timed(() => countFirst('hello “world”')),
  'count-js-tiktoken': () =>
    timed(async () => {
      const [{ Tiktoken }, { default: ranks }] = await Promise.all([import('js-tiktoken/lite'), import('js-tiktoken/ranks/o200k_base')]);
      return new Tiktoken(ranks).encode('hello world', [], []).length;
    }),
  'count-gpt-tokenizer': () =>
    timed(async () => {
      const { encode } = await import('gpt-tokenizer/encoding/o200k_base');
      return encode('hello world').length;
    }),
  'first-request': (url) => readReplyStalling(url, 1),
  'long-reply': (url) => readReplyStalling(url, PIECES),
  'long-text': answerLongStalling,
  'tool-results': (from) => runToolsStalling(from === 'mcp'),
  'first-map': async (folder) => {
    const { processorTime } = await import('./race.js');
    return readFirstMap(folder, (read) => processorTime(1, read));
  },
  'first-map-stall': async (folder) => {
    const { longestWork } = await import('../support/longestWork.js');
    return readFirstMap(folder, longestWork);
  },
  'catalog-first': async (folder) => {
    const read = await catalogReader(folder);
    return timed(read);
  },
  'catalog-first-stall': async (folder) => {
    const { longestWork } = await import('../support/longestWork.js');
    const read = await catalogReader(folder);
    return longestWork(read);
  },
  'whole-stall': readWholeStalling,
  'whole-memory': readWholeFilling,
};

export const PIECES = 1_000_000;

/**
 * The longest work between two turns while a reply of `pieces` pieces is read, with the loading of its client. The
 * first use of `fetch` does not count, because VS Code has used it before.
 */
async function readReplyStalling(url: string, pieces: number): Promise<number> {
  const [{ longestWork }, { OPEN_MODEL }, { endpointAt }] = await Promise.all([
    import('../support/longestWork.js'),
    import('../support/engine/models.js'),
    import('../support/http/endpoints.js'),
  ]);
  await (await fetch(url)).body?.cancel();
  return longestWork(async () => {
    const { OpenAiCompatibleClient } = await import('../../src/providers/openaiCompatible/openAiCompatibleClient.js');
    const client = new OpenAiCompatibleClient(endpointAt(url));
    let texts = 0;
    const request = { body: '{}', converterVersion: '' };
    for await (const { type } of client.stream(OPEN_MODEL, request, new AbortController().signal, () => undefined)) {
      texts += type === 'text' ? 1 : 0;
    }
    if (texts !== pieces) {
      throw new Error(`${String(texts)} pieces were read.`);
    }
  });
}

/** Characters of the reply of `long-text`: about the most that a reply can have. */
const LONG_TEXT = 4_000_000;

/**
 * The longest work between two turns of the event loop during a long reply without usage, and while the next message is
 * typed. The reply repeats `words`. The counter is loaded before.
 */
async function answerLongStalling(words: string): Promise<number> {
  const [{ longestWork }, { buildWindow }, { loadTestCounter }, { PRACTICE_STANDARD }, { inFolder }] = await Promise.all([
    import('../support/longestWork.js'),
    import('../support/host/window.js'),
    import('../support/counters.js'),
    import('../../src/providers/practice/models.js'),
    import('./folder.js'),
  ]);
  const counter = await loadTestCounter('o200k_base');
  counter.count('“Hello”');
  return inFolder(async (root) => {
    // The next request has room for all of it.
    const window = buildWindow(root, counter, { models: [{ ...PRACTICE_STANDARD, maxInputTokens: 2 * LONG_TEXT }] });
    window.model.stream = () => says(words.repeat(Math.ceil(LONG_TEXT / words.length)));
    const session = await window.chats.create();
    const longest = await longestWork(async () => {
      await session.conversation.send('Hello');
      const { size } = await session.next.preview({ text: 'Go on', editing: null });
      if (size.counted < LONG_TEXT / 100) {
        throw new Error(`The next request holds ${String(size.counted)} tokens.`);
      }
    });
    await window.store.close();
    return longest;
  });
}

/** Yields a text as it arrives over a connection: some packets at a time. */
async function* says(text: string): AsyncGenerator<StreamPart> {
  for (let at = 0; at < text.length; at += PACKET) {
    if (at % (PACKETS_AT_ONCE * PACKET) === 0) {
      await setImmediate();
    }
    yield { type: 'text', index: 0, text: text.slice(at, at + PACKET) };
  }
  yield { type: 'end', stopReason: 'end', usage: null, rawUsage: null, responseId: null };
}

const PACKET = 4_096;
const PACKETS_AT_ONCE = 16;

/**
 * The longest work between two turns of the event loop while a reply makes `CALLS` parallel calls with results of 5 MB,
 * and while these are stored, counted and sent. The results come from tools in memory, or from the official MCP file
 * server over stdio.
 */
async function runToolsStalling(isReal: boolean): Promise<number> {
  const [{ longestWork }, { buildWindow }, { loadTestCounter }, { PRACTICE_STANDARD }, { inFolder }, { largeTools, callsOf }] =
    await Promise.all([
      import('../support/longestWork.js'),
      import('../support/host/window.js'),
      import('../support/counters.js'),
      import('../../src/providers/practice/models.js'),
      import('./folder.js'),
      import('./largeTools.js'),
    ]);
  const counter = await loadTestCounter('o200k_base');
  counter.count('“Hello”');
  return inFolder(async (root) => {
    const large = await largeTools(root, isReal);
    // The next request has room for the sent part of all results.
    const window = buildWindow(root, counter, { models: [{ ...PRACTICE_STANDARD, maxInputTokens: 4_000_000 }], tools: large.tools });
    window.model.stream = () => (window.model.bodies.push('') === 1 ? callsOf(large.calls) : says('Done.'));
    const session = await window.chats.create();
    const longest = await longestWork(() => session.conversation.send('Read all of it'));
    await window.store.close();
    await large.close();
    const results = session.state.timeline.flatMap((item) =>
      item.kind === 'message' && item.message.role === 'tool-results' ? item.message.parts : [],
    );
    if (!results.every(({ content }) => content[0]?.type === 'blob') || results.length !== large.calls.length) {
      throw new Error(`There are ${String(results.length)} results, or they are not large: ${JSON.stringify(results).slice(0, 1_000)}`);
    }
    return longest;
  });
}

/** Measures the first repository map of a folder. Its modules and the counter are loaded before. */
async function readFirstMap(folder: string, measure: (read: () => Promise<unknown>) => Promise<number>): Promise<number> {
  const [{ BenchRepository }, { loadTestCounter }, { inFolder }] = await Promise.all([
    import('./repositories/benchRepository.js'),
    import('../support/counters.js'),
    import('./folder.js'),
  ]);
  const counter = await loadTestCounter('o200k_base');
  counter.count('“Hello”');
  return inFolder(async (cache) => {
    const opened = new BenchRepository(folder, join(cache, 'symbols'), counter);
    const measured = await measure(() => opened.readFiles('Where is the retry delay computed?'));
    opened.close();
    return measured;
  });
}

/** Returns a function that reads the catalog of a folder, also the rules that only the search finds. */
async function catalogReader(folder: string): Promise<() => Promise<void>> {
  // The packaged extension loads the YAML parser from one file, but the bench loads the 70 files of the package.
  const [{ openCatalog }] = await Promise.all([import('./ruleWorkspace.js'), import('yaml')]);
  const catalog = openCatalog(folder);
  return async () => {
    await catalog.read();
    // Waits for the search.
    await catalog.rank('', 1, { chat: { agent: '', workspaceTools: 'on' }, loadsTools: false });
    const { size } = await catalog.read();
    if (size !== 200) {
      throw new Error(`The catalog has ${String(size)} rules.`);
    }
  };
}

/** The longest time without a turn for other work while a whole chat is read. `root` is its storage folder. */
async function readWholeStalling(root: string): Promise<number> {
  const readWhole = await openedEnd(root);
  let longest = 0;
  let turn = performance.now();
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - turn);
    turn = now;
  };
  const watch = setInterval(look, 1);
  await readWhole();
  look();
  clearInterval(watch);
  return longest;
}

/** The largest growth of memory in bytes while a whole chat is read. */
async function readWholeFilling(root: string): Promise<number> {
  const readWhole = await openedEnd(root);
  const before = process.memoryUsage().rss;
  await readWhole();
  // In kilobytes.
  return process.resourceUsage().maxRSS * 1_024 - before;
}

/** Opens the end of the only chat. Returns a function that reads all of it, without loading modules. */
async function openedEnd(root: string): Promise<() => Promise<void>> {
  const { storeIn, UNWATCHED } = await import('./store.js');
  const store = storeIn(root, 'child');
  const [chatId = ''] = await store.listChatIds();
  await store.openEnd(chatId, UNWATCHED);
  return async () => {
    const { fold } = await store.openWhole(chatId, 50, UNWATCHED);
    if (fold.state.extent !== 'whole') {
      throw new Error('The chat was not read whole.');
    }
  };
}

/** The first count of the extension, including the modules that it loads. */
async function countFirst(text: string): Promise<number> {
  const { loadCounter } = await import('../../src/host/models/tokens/counters.js');
  return (await loadCounter('o200k_base', RANKS)).count(text);
}

async function timed(job: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await job();
  return performance.now() - started;
}

export async function doJob(name: string, argument: string): Promise<number> {
  const job = JOBS[name];
  if (job === undefined) {
    throw new Error(`There is no job called ${name}.`);
  }
  return job(argument);
}

/** Does a job in a fresh process. Returns its measurement, without the start of Node. */
export async function inFreshProcess(name: string, argument: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...process.execArgv,
    join(dirname(process.argv[1] ?? ''), 'childMain.js'),
    name,
    argument,
  ]);
  const ms = Number(stdout.trim());
  if (!Number.isFinite(ms)) {
    throw new Error(`The job ${name} answered ${JSON.stringify(stdout)}.`);
  }
  return ms;
}
