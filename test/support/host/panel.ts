import assert from 'node:assert/strict';
import type { LoupeApi } from '../../../src/protocol/api/api.js';
import { PANEL_STATE, type PanelState } from '../../../src/protocol/panel/state.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ToWebview } from '../../../src/protocol/panel/toWebview.js';
import type { SettingRow } from '../../../src/protocol/panel/view.js';
import type { AssistantEntry } from '../../../src/protocol/panel/entries.js';
import type { LoupeError } from '../../../src/engine/errors.js';
import { createApi } from '../../../src/host/api/api.js';
import type { Chats } from '../../../src/host/chat/chats.js';
import { ChatSession } from '../../../src/host/chat/chatSession.js';
import { ObservedCaches } from '../../../src/host/request/forecast/observationView.js';
import { createChatPanel, type ChatPanel, type ChatPanelPorts } from '../../../src/host/panel/shell/chatPanel.js';
import { ChatPanels } from '../../../src/host/panel/shell/chatPanels.js';
import type { DraftActions } from '../../../src/host/panel/composer/draftActions.js';
import type { PanelFeatures } from '../../../src/host/panel/shell/panelFeatures.js';
import { Proofs } from '../../../src/host/chat/proofs.js';
import { Drafts } from '../../../src/host/chat/drafts.js';
import { previewEdit } from '../../../src/host/tools/workspace/previewEdit.js';
import { Introduction } from '../../../src/host/panel/shell/introduction.js';
import type { Panel } from '../../../src/host/panel/shell/panel.js';
import type { ShownChat } from '../../../src/host/panel/shell/shownChat.js';
import type { Banners } from '../../../src/host/window/banners.js';
import { newId } from '../../../src/engine/chat/order/ids.js';
import { systemRandom } from '../../../src/host/window/systemRandom.js';
import { DraftFiles } from '../../../src/storage/drafts.js';
import type { Window } from './window.js';

/** Applies the messages to a webview: the last snapshot and its deltas. */
export class FakeWebview {
  readonly faults: string[] = [];
  readonly received: ToWebview[] = [];
  afterDelta: () => void = () => undefined;
  epoch = 0;
  #n = 0;
  #state: PanelState | null = null;

  get state(): PanelState {
    if (this.#state === null) {
      throw new Error('There was no snapshot yet.');
    }
    return this.#state;
  }

  get reply(): AssistantEntry | undefined {
    return this.state.entries.findLast((entry) => entry.kind === 'assistant');
  }

  get replyText(): string {
    return (this.reply?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
  }

  settingOf(name: string): SettingRow['value'] | undefined {
    return this.state.chat?.settings.find((row) => row.name === name)?.value;
  }

  of(type: ToWebview['type']): number {
    return this.received.filter((message) => message.type === type).length;
  }

  receive(posted: ToWebview): void {
    // Messages cross a process boundary as JSON.
    const message = JSON.parse(JSON.stringify(posted)) as ToWebview;
    this.received.push(message);
    switch (message.type) {
      case 'snapshot':
        this.#check(message.epoch > this.epoch, `epoch ${String(message.epoch)} after ${String(this.epoch)}`);
        this.epoch = message.epoch;
        this.#n = 0;
        this.#state = message.state;
        return;
      case 'delta':
        this.#check(message.epoch === this.epoch, `a delta of epoch ${String(message.epoch)} in ${String(this.epoch)}`);
        this.#check(message.n === this.#n + 1, `delta ${String(message.n)} after ${String(this.#n)}`);
        this.#n = message.n;
        this.#state = PANEL_STATE.apply(this.state, message.delta);
        this.afterDelta();
        return;
      case 'focusComposer':
      case 'focusQuestion':
      case 'mentions':
      case 'reveal':
      case 'searchResults':
      case 'find':
      case 'image':
      case 'imageToScale':
      case 'imagesAdded':
      case 'manage':
      case 'settings':
      case 'spentSums':
      case 'pathsFound':
        return;
    }
  }

  #check(holds: boolean, fault: string): void {
    if (!holds) {
      this.faults.push(fault);
    }
  }
}

/** What VS Code remembers between starts. */
export interface PanelMemory {
  currentChat: string | undefined;
  introduction?: unknown;
}

export interface TestPanel {
  readonly chats: Chats;
  readonly shown: ShownChat;
  readonly panel: Panel;
  readonly draftActions: DraftActions;
  readonly banners: Banners;
  readonly webview: FakeWebview;
  /** Posts a snapshot. Returns its state as the webview has it. */
  readonly snapshot: () => PanelState;
  readonly drafts: Drafts;
  readonly api: Omit<LoupeApi, 'version'>;
  readonly asked: string[];
  /** Notifications that close automatically. */
  readonly notices: string[];
  readonly keys: ReadonlyMap<string, boolean>;
  /** Posts a message as the webview does. Resolves when it is handled. */
  readonly say: (message: ToHost) => Promise<void>;
  readonly post: (message: unknown) => Promise<void>;
}

export interface TestPanels {
  readonly view: TestPanel;
  readonly panels: ChatPanels;
  /** Replaces the function that is called when the user may see other chats than before. */
  readonly onVisibilityChange: (changed: () => void) => void;
  openTab(chatId: string): Promise<TestPanel & { readonly chatPanel: ChatPanel; readonly isClosed: () => boolean }>;
}

/** Opens the panel in the view. `memory` comes from an earlier start. */
export function openPanel(window: Window, memory: PanelMemory): TestPanel {
  return openPanels(window, memory).view;
}

/** Opens the panel with a chat, or a new one. The webview is ready. */
export async function panelOf(window: Window, currentChat: string | undefined): Promise<TestPanel> {
  const panel = openPanel(window, { currentChat });
  await panel.say({ type: 'ready' });
  return panel;
}

export async function readyPanel(window: Window): Promise<TestPanel & { readonly session: ChatSession }> {
  const panel = await panelOf(window, undefined);
  return { ...panel, session: await panel.shown.current() };
}

/** Starts a chat with *Next request* and a server's tools visible. Resolves to the chat. */
export async function beginWithTools({ say, shown }: Pick<TestPanel, 'say' | 'shown'>, server: string): Promise<ChatSession> {
  await say({ type: 'ready' });
  const session = await shown.current();
  const manager = { search: '', open: ['tool' as const], servers: [server], proof: null, rows: {} };
  await say({ type: 'showRows', chips: false, nextRequest: true, contextUsed: [], manager });
  return session;
}

export function openPanels(window: Window, memory: PanelMemory): TestPanels {
  const notices: string[] = [];
  const asked: string[] = [];
  const keys = new Map<string, boolean>();
  let visibilityChanged = (): void => undefined;
  const shared = sharedPorts(window, memory, { notices, asked });
  const { chats, drafts } = shared;
  const lastShown = {
    read: () => Promise.resolve(memory.currentChat ?? null),
    write: (chatId: string) => {
      memory.currentChat = chatId;
      return Promise.resolve();
    },
  };
  const place = { id: 'view', lastShown, reveal: () => Promise.resolve(), shows: () => undefined, close: null };
  const panels = new ChatPanels(place, {
    create: (at, told) => createChatPanel(at, told, shared),
    setContext: (key, value) => keys.set(key, value),
    visibilityChanged: () => {
      visibilityChanged();
    },
    currentChanged: () => undefined,
    chatOnShow: () => undefined,
  });
  const api = createApi({
    chats,
    drafts,
    models: window.models,
    logError: (error) => window.errors.push(error),
    current: () => panels.current.shown.current(),
  });
  window.closing.push(async () => {
    panels.dispose();
    await drafts.flush();
  });
  const connected = (panel: ChatPanel): TestPanel => {
    const webview = new FakeWebview();
    const { channel } = panel.panel;
    channel.connect((message) => {
      webview.receive(message);
    });
    checkDeltas(channel, webview);
    const receive = panel.receive.bind(panel);
    const snapshot = (): PanelState => {
      channel.snapshot();
      return webview.state;
    };
    return { ...panel, chats, webview, snapshot, drafts, api, asked, notices, keys, say: receive, post: receive };
  };
  return {
    view: connected(panels.view),
    panels,
    onVisibilityChange: (changed) => {
      visibilityChanged = changed;
    },
    openTab: async (chatId) => {
      let isClosed = false;
      const chatPanel: ChatPanel = panels.open({
        id: `tab of ${chatId}`,
        lastShown: { read: () => Promise.resolve(chatId), write: () => Promise.resolve() },
        reveal: () => Promise.resolve(),
        shows: () => undefined,
        close: () => {
          isClosed = true;
          panels.close(chatPanel);
        },
      });
      const tab = connected(chatPanel);
      await tab.say({ type: 'ready' });
      return { ...tab, chatPanel, isClosed: () => isClosed };
    },
  };
}

/** In characters. The output tokens of a longer reply are counted in several steps, each by a derivation. */
const MOST_COMPARED = 30_000;

/** Compares the webview with the whole state after each delta, also after one without changes. */
function checkDeltas(channel: Panel['channel'], webview: FakeWebview): void {
  const post = channel.delta.bind(channel);
  channel.delta = () => {
    post();
    if (channel.isReady && JSON.stringify(webview.reply ?? null).length < MOST_COMPARED) {
      const whole = JSON.parse(JSON.stringify(channel.state)) as PanelState;
      assert.deepEqual(webview.state, whole, 'A member was not derived when its source changed.');
    }
  };
}

function sharedPorts(
  window: Window,
  memory: PanelMemory,
  { notices, asked }: { readonly notices: string[]; readonly asked: string[] },
): ChatPanelPorts {
  const logError = (error: LoupeError): void => {
    window.errors.push(error);
  };
  const remembered = {
    get: () => memory.introduction as undefined,
    update: (_key: string, value: unknown) => {
      memory.introduction = value;
      return Promise.resolve();
    },
  };
  const { chats, models, clock, catalog, settings } = window;
  return {
    chats,
    settings,
    models,
    catalog,
    proofs: new Proofs({ chats, clock, pricesOf: (ref) => models.listed(ref)?.prices ?? null }),
    drafts: new Drafts(new DraftFiles(window.folder), () => newId(clock, systemRandom), logError),
    openFile: { hasFolder: () => true, current: () => null, onChange: () => () => undefined },
    introduction: new Introduction({ memory: remembered, isWanted: () => true, logError }),
    restores: { restorable: () => Promise.resolve([]), restorer: () => Promise.resolve(() => Promise.resolve([])) },
    previewEdits: { preview: (args) => previewEdit(args, window.files), watch: () => ({ dispose: () => undefined }) },
    folders: () => ['file:///work'],
    fontSize: () => null,
    defaults: window.defaults,
    observed: new ObservedCaches({
      chats: window.chats,
      caches: window.chats.learned.caches,
      models: window.models,
      clock: window.clock,
      localTime: (at) => at,
    }),
    shownServers: {
      servers: () => window.toolbox.servers(),
      hasLog: () => true,
      signIn: () => 'none',
      mistakes: () => [],
      startQuestion: () => window.toolbox.startQuestion(),
    },
    features: () => featuresTo(asked),
    notify: (text) => notices.push(text),
    logError,
  };
}

/** What features answer. A user enters a key, and of the versions of a session file takes the oldest. */
const ANSWERS = new Map<string, (...args: readonly unknown[]) => unknown>([
  ['fill', () => ({ text: 'The text of a prompt', files: ['docs/tides.md'] })],
  ['setKey', () => true],
  ['pickVersion', (_name, versions) => (versions as readonly unknown[]).at(-1)],
]);

/** Features that note their calls, with the ids of chats. */
function featuresTo(asked: string[]): PanelFeatures {
  const noting = (called: string): object =>
    new Proxy(() => undefined, {
      get: (_target, name) => noting(String(name)),
      apply: (_target, _self, args: readonly unknown[]) => {
        asked.push([called, ...args.map(inWords)].join(' '));
        return Promise.resolve(ANSWERS.get(called)?.(...args));
      },
    });
  return noting('features') as PanelFeatures;
}

function inWords(argument: unknown): string {
  if (Array.isArray(argument)) {
    return argument.map(inWords).join(' ');
  }
  return String(argument instanceof ChatSession ? argument.id : argument);
}

export function storageBanner({ snapshot }: TestPanel): string | undefined {
  return snapshot().banners.find(({ id }) => id === 'storage')?.text;
}
