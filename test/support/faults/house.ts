import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogOutputChannel } from 'vscode';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { Log } from '../../../src/host/window/log.js';
import { NO_TOOLS, type ToolExecutor } from '../engine/toolExecutor.js';
import { ConfiguredProviders } from '../../../src/host/models/providers/configuredProviders.js';
import type { ModelConfig, ProviderConfig } from '../../../src/host/models/providers/providerConfig.js';
import { PROTOCOLS } from '../../../src/host/models/providers/protocols.js';
import type { RetryEntry, RunNoteEntry, EntryView, PartView } from '../../../src/protocol/panel/entries.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import { SteppedClock, stepUntil, until } from '../host/clocks.js';
import { systemCode } from '../../../src/storage/files/failure.js';
import { openPanel, panelOf, type TestPanel } from '../host/panel.js';
import { KeyRig } from '../host/secrets.js';
import { useWindows, type Window, type Windows } from '../host/window.js';
import { events } from '../http/answers.js';
import { FaultServer, type Step } from '../http/faultServer.js';
import { says, type Dialect } from './dialects.js';

/** The provider's key. Only the request may contain it. */
export const KEY = 'the-key';

/** US dollars per million tokens. Powers of ten show the parts of a cost. */
const PRICES = { input: 1, output: 1_000, cacheRead: 0.1, cacheWrite5m: 2, cacheWrite1h: 4 };

export const LARGE: ModelConfig = {
  id: 'large',
  label: 'Large',
  maxInputTokens: 200_000,
  maxOutputTokens: 4_096,
  prices: PRICES,
  capabilities: {},
  extraBody: {},
};

export interface HouseOptions {
  readonly key?: string | null;
  readonly silenceSeconds?: number;
  readonly tools?: ToolExecutor;
  readonly origin?: string;
}

/** A window whose chat uses a provider over real HTTP. Everything but VS Code is real. */
export class House {
  readonly clock = new SteppedClock();
  readonly window: Window;
  readonly test: TestPanel;
  readonly providers: ConfiguredProviders;
  /** The settings. Changes apply after `providers.update()`. */
  readonly settings: { configs: readonly ProviderConfig[] };
  readonly keys: KeyRig;
  readonly #windows: Windows;
  #session: ChatSession | null = null;

  private constructor(windows: Windows, config: ProviderConfig, { keys, tools }: { keys: KeyRig; tools: ToolExecutor }) {
    this.#windows = windows;
    this.keys = keys;
    const settings = { configs: [config] };
    this.settings = settings;
    this.providers = new ConfiguredProviders({
      read: () => settings.configs,
      embeddings: () => null,
      key: (owner) => keys.keys.get(owner),
      protocols: PROTOCOLS,
    });
    this.window = windows.open({
      clock: this.clock,
      sources: [this.providers],
      config: { model: { provider: 'house', model: 'large' } },
      tools,
    });
    this.test = openPanel(this.window, { currentChat: undefined });
  }

  static async open(windows: Windows, dialect: Dialect, options: HouseOptions & { readonly origin: string }): Promise<House> {
    const config = {
      id: 'house',
      label: 'House AI',
      protocol: dialect.protocol,
      baseUrl: `${options.origin}${dialect.basePath}`,
      headers: {},
      keyHeader: null,
      silenceSeconds: options.silenceSeconds ?? 60,
      // Each script of the server is then for one reply.
      countsTokens: false,
      models: [LARGE],
    };
    const keys = new KeyRig();
    const key = options.key === undefined ? KEY : options.key;
    if (key !== null) {
      await keys.keys.set(config, key);
    }
    const house = new House(windows, config, { keys, tools: options.tools ?? NO_TOOLS });
    await house.test.say({ type: 'ready' });
    house.#session = await house.test.shown.current();
    return house;
  }

  get session(): ChatSession {
    assert.ok(this.#session);
    return this.#session;
  }

  send(text: string): Promise<void> {
    return this.test.say({ type: 'send', chatId: this.session.id, text });
  }

  stop(): Promise<void> {
    return this.test.say({ type: 'stop', chatId: this.session.id });
  }

  retry(): Promise<void> {
    const { note } = this;
    assert.ok(note, 'There is no note.');
    assert.ok(note.actions.includes('retry'), 'There is no Retry to press.');
    return this.test.say({ type: 'retry', chatId: this.session.id, messageId: note.userMessageId });
  }

  async skipWaits(run: Promise<void>): Promise<void> {
    let hasEnded = false;
    const end = (): void => {
      hasEnded = true;
    };
    run.then(end, end);
    await stepUntil(this.clock, () => hasEnded, 'the run ends');
    await run;
  }

  get shown(): PanelState {
    this.test.panel.channel.snapshot();
    return this.test.webview.state;
  }

  get note(): RunNoteEntry | undefined {
    const last = this.shown.entries.at(-1);
    return last?.kind === 'runNote' ? last : undefined;
  }

  async retrying(number: number): Promise<RetryEntry> {
    const find = (): RetryEntry | undefined =>
      this.test.webview.state.entries.find((entry): entry is RetryEntry => entry.kind === 'retry' && entry.number === number);
    // The entry appears when it is logged. The wait begins when it is written.
    await until(() => find() !== undefined && this.clock.sleepers > 0, `repeat ${String(number)} is announced`);
    return find()!;
  }

  async showing(text: string): Promise<void> {
    await until(() => this.test.webview.replyText === text, `the reply ${text}`);
  }

  get logLines(): string[] {
    const lines: string[] = [];
    const write = (...words: unknown[]): void => {
      lines.push(words.join(' '));
    };
    const log = new Log({ error: write, info: write } as unknown as LogOutputChannel);
    for (const error of this.window.errors) {
      log.error(error);
    }
    return lines;
  }

  async checkAfterwards(): Promise<void> {
    await this.test.say({ type: 'ready' });
    assert.deepEqual(this.test.webview.faults, []);
    assert.equal(this.session.conversation.isRunning, false);
    const live = this.shown.entries;
    const reopened = await this.#reopen();
    assert.deepEqual(reopened.webview.state.entries, live, 'A chat that is reopened shows what it showed.');
    assert.deepEqual(await reopened.api.getUsage(this.session.id), await this.test.api.getUsage(this.session.id));
    await this.#checkKey(reopened);
  }

  async #reopen(): Promise<TestPanel> {
    const window = this.#windows.open({ clock: new SteppedClock(), writerId: 'later', sources: [this.providers] });
    const reopened = await panelOf(window, this.session.id);
    return reopened;
  }

  async #checkKey(reopened: TestPanel): Promise<void> {
    const { id, state } = this.session;
    const api = this.test.api;
    const replies = state.timeline.flatMap((item) =>
      item.kind === 'message' && item.message.role === 'assistant' ? [item.message.id] : [],
    );
    const isKnown = this.window.models.list().some(({ ref }) => ref.provider === 'house');
    const outputs = [
      await api.getChat(id),
      await api.listChats({ limit: 10 }),
      ...(isKnown ? [await api.previewNextRequest(id), ...(await Promise.all(replies.map((reply) => api.getRequest(id, reply))))] : []),
    ];
    const places: [string, string][] = [
      ['panel', JSON.stringify([this.test.webview.received, reopened.webview.received])],
      ['log', this.logLines.join('\n')],
      ['what the key store says', this.keys.said()],
      ['API', JSON.stringify(outputs)],
      ...(await filesBelow(this.window.folder)),
    ];
    for (const [place, text] of places) {
      for (const form of [KEY, Buffer.from(KEY).toString('base64'), encodeURIComponent(KEY)]) {
        assert.ok(
          !text.includes(form),
          `The key stands in ${place}: ${text.slice(Math.max(0, text.indexOf(form) - 200), text.indexOf(form) + 50)}`,
        );
      }
    }
  }
}

/** Returns all files in a folder. The index is written in the background: a missing file was replaced meanwhile. */
async function filesBelow(folder: string): Promise<[string, string][]> {
  try {
    return await readFilesBelow(folder);
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') {
      return filesBelow(folder);
    }
    throw thrown;
  }
}

async function readFilesBelow(folder: string): Promise<[string, string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  assert.ok(paths.some((path) => path.endsWith('.jsonl')));
  return Promise.all(paths.map(async (path): Promise<[string, string]> => [path, await readFile(path, 'utf8')]));
}

function partText(part: PartView): string {
  return part.type === 'toolCall'
    ? `${part.name}(${part.args})${part.result === null ? '' : ` results: ${part.result.text}`}`
    : 'text' in part
      ? part.text
      : '(image)';
}

export function outline(entries: readonly EntryView[]): string[] {
  return entries.map((entry) => {
    switch (entry.kind) {
      case 'user':
        return `user${entry.status === 'sent' ? '' : ` (${entry.status})`}: ${entry.text}`;
      case 'assistant':
        return `assistant (${entry.status}): ${entry.parts.map(partText).join('')}`;
      case 'summary':
        return `summary (${entry.status}): ${entry.text}`;
      case 'accounting':
        return `accounting: ${entry.reason}`;
      case 'fork':
        return `fork of ${entry.chatId}`;
      case 'title':
        return `no title: ${entry.text}`;
      case 'keepWarm':
        return `kept warm by ${String(entry.paidRequests)}`;
      case 'failures':
        return `failed: ${entry.text}`;
      case 'retry':
        return `retry ${String(entry.number)} of ${String(entry.most)}`;
      case 'runNote':
        return `note (${entry.status}): ${entry.text}`;
    }
  });
}

export class Houses {
  readonly #windows: Windows;
  readonly #open: House[] = [];
  #server: FaultServer | null = null;

  constructor(windows: Windows) {
    this.#windows = windows;
  }

  get server(): FaultServer {
    assert.ok(this.#server);
    return this.#server;
  }

  async start(): Promise<void> {
    this.#server = await FaultServer.start();
  }

  async stop(): Promise<void> {
    await this.server.close();
  }

  async open(dialect: Dialect, options: HouseOptions): Promise<House> {
    const house = await House.open(this.#windows, dialect, { ...options, origin: options.origin ?? this.server.url });
    this.#open.push(house);
    return house;
  }

  async checkAll(): Promise<void> {
    for (const house of this.#open.splice(0)) {
      await house.checkAfterwards();
    }
  }

  count(at: number, message: string): number {
    const exchange = this.server.requests[at];
    assert.ok(exchange, `There was no request ${String(at)}.`);
    return exchange.request.body.toString('utf8').split(JSON.stringify(message).slice(1, -1)).length - 1;
  }

  playText(dialect: Dialect, ...texts: readonly string[]): void {
    this.server.play(...wholeReply(dialect, ...texts));
  }
}

function wholeReply(dialect: Dialect, ...texts: readonly string[]): Step[] {
  return events(...dialect.events(says({ texts, usage: dialect.usage })));
}

/** Registers the hooks: a server and a storage for each test, and the checks at its end. */
export function useHouses(): Houses {
  const later: { houses: Houses | null } = { houses: null };
  // Runs before the windows are closed, because that removes their files.
  afterEach(() => later.houses?.checkAll());
  const houses = new Houses(useWindows());
  later.houses = houses;
  beforeEach(() => houses.start());
  afterEach(() => houses.stop());
  return houses;
}
