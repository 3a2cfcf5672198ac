import { Session, type Profiler } from 'node:inspector';
import { findSourceMap } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import { systemClock } from '../../../src/host/window/systemPorts.js';
import { NEXT_REQUEST } from '../../../src/protocol/inspector/inspector.js';
import { PANEL_STATE, type PanelState } from '../../../src/protocol/panel/state.js';
import { until } from './clocks.js';
import { type ComposingCounts, whileComposing } from './composing.js';
import { openInspector } from './openInspector.js';
import { readyPanel } from './panel.js';
import { EchoTool } from './reading.js';
import { MemoryFiles, type Window, Windows } from './window.js';

/* Prints what one run of the panel crosses, as JSON. `npm run figures` starts it with --enable-source-maps. */

/** Longer than all timers of a panel and of its chat. */
const IDLE_MS = 2_500;

class Coverage {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Returns the files in `src` with a function that was called since the last call. */
  take(): string[] {
    let scripts: Profiler.ScriptCoverage[] = [];
    // The answer arrives before `post` returns.
    this.#session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      scripts = result;
    });
    const files = scripts.filter(({ url }) => url.startsWith('file:')).flatMap(calledFiles);
    return [...new Set(files)].sort();
  }
}

function calledFiles({ url, functions }: Profiler.ScriptCoverage): string[] {
  // The code of a module is a function from the first character on.
  const starts = functions.flatMap(({ ranges: [range] }) =>
    range !== undefined && range.count > 0 && range.startOffset > 0 ? [range.startOffset] : [],
  );
  const map = starts.length === 0 ? undefined : findSourceMap(url);
  if (map === undefined) {
    return [];
  }
  const text = readFileSync(fileURLToPath(url), 'utf8');
  return starts.flatMap((start) => {
    const before = text.slice(0, start);
    const line = before.split('\n').length - 1;
    const entry = map.findEntry(line, start - before.lastIndexOf('\n') - 1);
    const source = 'originalSource' in entry ? /\/(src\/.*)$/.exec(entry.originalSource)?.[1] : undefined;
    return source === undefined ? [] : [source];
  });
}

interface Run {
  readonly window: Window;
  readonly panel: Awaited<ReturnType<typeof readyPanel>>;
  readonly coverage: Coverage;
}

async function keystroke(text: string, { panel: { say, session, webview }, coverage }: Run): Promise<string[]> {
  const before = webview.state.nextRequest;
  coverage.take();
  await say({ type: 'draft', chatId: session.id, text, edit: text.length });
  await until(() => webview.state.nextRequest !== before, 'the preview');
  return coverage.take();
}

interface Sent extends ComposingCounts {
  readonly files: readonly string[];
}

/** Sends the draft. The figures are those when the first bytes are sent. */
async function send({ window: { model }, panel: { say, session }, coverage }: Run): Promise<Sent> {
  const sent: Sent[] = [];
  await whileComposing(async (counts) => {
    const stream = model.stream.bind(model);
    model.stream = (...of) => {
      sent.push({ files: coverage.take(), ...counts() });
      return stream(...of);
    };
    coverage.take();
    await say({ type: 'send', chatId: session.id, text: 'And now?' });
    await until(() => sent.length > 0 && !session.conversation.isRunning, 'the reply');
    model.stream = stream;
  });
  return sent[0] ?? { files: [], composed: 0, arranged: 0 };
}

/** Returns the number of members that each frame of a streaming reply derived. */
async function frames({ panel: { say, session, webview } }: Run): Promise<number[]> {
  const members: number[] = [];
  const views: { diff: typeof PANEL_STATE.diff } = PANEL_STATE;
  const { diff } = views;
  views.diff = (before: PanelState, after) => {
    members.push(...(webview.reply?.status === 'streaming' ? [Object.keys(after).length] : []));
    return diff(before, after);
  };
  await say({ type: 'send', chatId: session.id, text: '/long 100' });
  await until(() => !session.conversation.isRunning, 'the long reply');
  views.diff = diff;
  return members;
}

async function main(windows: Windows): Promise<void> {
  await windows.load();
  await windows.newFolder();
  const memory = new MemoryFiles();
  memory.texts.set('a.ts', 'export const a = 1;\n'.repeat(20));
  const window = windows.open({ files: memory, tools: new EchoTool(), clock: systemClock });
  const panel = await readyPanel(window);
  const { session } = panel;
  await session.context.add({ type: 'file', name: 'a.ts', includeMode: 'manual', addedHash: null, given: null });
  await session.conversation.send('Hello');
  await session.conversation.send('/tool echo {"a": 1}');
  await panel.say({ type: 'showRows', chips: false, nextRequest: true, contextUsed: [], manager: null });
  // Removes the check of the panel's tests, which derives the whole state after each delta.
  Reflect.deleteProperty(panel.panel.channel, 'delta');
  const run = { window, panel, coverage: new Coverage() };
  await sleep(IDLE_MS);
  await keystroke('And now', run);
  await sleep(IDLE_MS);
  const key = await keystroke('And now?', run);
  // A frame of a view, which may fall into the way to the wire, is not part of it.
  panel.panel.hidden();
  const { files: sent } = await send(run);
  await panel.say({ type: 'ready' });
  await keystroke('And now?', run);
  const { view } = await openInspector(window, session.id, { id: NEXT_REQUEST, ports: { drafts: panel.drafts } });
  await sleep(IDLE_MS);
  const { composed, arranged } = await send(run);
  await sleep(IDLE_MS);
  const members = (await frames(run)).sort((a, b) => a - b);
  view.dispose();
  const frame = { frames: members.length, median: members[members.length >> 1], most: members.at(-1) };
  process.stdout.write(`${JSON.stringify({ key, sent, composed, arranged, frame })}\n`);
}

const windows = new Windows();
try {
  await main(windows);
} finally {
  await windows.closeAll();
}
