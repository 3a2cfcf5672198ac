import type { LoupeApi } from '../../../src/protocol/api.js';
import { applyDelta } from '../../../src/protocol/delta.js';
import type { ToHost } from '../../../src/protocol/toHost.js';
import type { ToWebview } from '../../../src/protocol/toWebview.js';
import type { AssistantEntry, PanelState } from '../../../src/protocol/view.js';
import { createApi } from '../../../src/host/api.js';
import { App } from '../../../src/host/app.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { panelHandlers, type PanelActions } from '../../../src/host/panelHandlers.js';
import { Drafts } from '../../../src/host/view/drafts.js';
import { Panel } from '../../../src/host/view/panel.js';
import { until } from './clocks.js';
import type { Window } from './window.js';

/** What a webview makes of the messages it gets: the last snapshot and the deltas since. */
export class FakeWebview {
  /** Breaches of the protocol. */
  readonly faults: string[] = [];
  readonly received: ToWebview[] = [];
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

  of(type: ToWebview['type']): number {
    return this.received.filter((message) => message.type === type).length;
  }

  receive(posted: ToWebview): void {
    // What is posted crosses a process as JSON.
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
        this.#state = applyDelta(this.state, message.delta);
        return;
      case 'focusComposer':
        return;
    }
  }

  #check(holds: boolean, fault: string): void {
    if (!holds) {
      this.faults.push(fault);
    }
  }
}

/** The chat panel of a window, with everything around it but VS Code. */
export interface TestPanel {
  readonly app: App;
  readonly panel: Panel;
  readonly webview: FakeWebview;
  readonly drafts: Drafts;
  readonly api: Omit<LoupeApi, 'version'>;
  /** What VS Code keeps between starts. */
  readonly kept: Map<string, string>;
  /** What was asked of VS Code itself. */
  readonly asked: string[];
  /** Posts a message as the webview does; resolves when it was handled. */
  say(message: ToHost): Promise<void>;
}

export const CURRENT_CHAT = 'loupe.currentChat';

/** `kept` is what an earlier start has left. */
export function openPanel(window: Window, kept: Map<string, string>): TestPanel {
  const webview = new FakeWebview();
  const drafts = new Drafts(
    {
      get: (key) => kept.get(key),
      update(key, value) {
        if (value === undefined) {
          kept.delete(key);
        } else {
          kept.set(key, value);
        }
        return Promise.resolve();
      },
    },
    (thrown) => {
      throw thrown;
    },
  );
  const asked: string[] = [];
  const panel: Panel = new Panel({
    chats: window.chats,
    models: window.models,
    drafts,
    post: (message) => {
      webview.receive(message);
    },
    handle: (message) => handle(message),
    logError: (error) => {
      window.errors.push(error);
    },
    remember: (chatId) => kept.set(CURRENT_CHAT, chatId),
  });
  const storage = {
    get: () => kept.get(CURRENT_CHAT),
    set: (chatId: string) => {
      kept.set(CURRENT_CHAT, chatId);
    },
  };
  const app = new App({ chats: window.chats, drafts, panel, storage });
  const handle = panelHandlers(app, actionsTo(asked));
  return { app, panel, webview, drafts, api: createApi(app), kept, asked, say: (message) => panel.receive(message) };
}

function actionsTo(asked: string[]): PanelActions {
  const note = (what: string) => (): Promise<void> => {
    asked.push(what);
    return Promise.resolve();
  };
  const noteText = (what: string) => (text: string): Promise<void> => note(`${what} ${text}`)();
  return {
    copy: noteText('copy'),
    insertAtCursor: noteText('insertAtCursor'),
    newFile: (text, language) => note(`newFile ${language} ${text}`)(),
    openLink: noteText('openLink'),
    openContextItem: noteText('openContextItem'),
    pickFiles: ({ id }: ChatSession) => note(`pickFiles ${id}`)(),
    addUris: ({ id }: ChatSession, uris) => note(`addUris ${id} ${uris.join(' ')}`)(),
    showRequest: (chatId, messageId) => note(`showRequest ${chatId} ${messageId}`)(),
    previewNextRequest: noteText('previewNextRequest'),
    openSettings: note('openSettings'),
    showLog: () => {
      asked.push('showLog');
    },
    logWebviewError: (message) => {
      asked.push(`logWebviewError ${message}`);
    },
  };
}

/** Waits until the next request on show is that of the state now, and nothing more is about to be posted. */
export async function settled({ panel, webview }: TestPanel): Promise<void> {
  // Previews are composed a moment after the last change: this asks for one, and waits for it to arrive.
  const before = webview.received.length;
  panel.banners.show({ id: SETTLING, severity: 'error', text: String(before), actions: [] });
  panel.draftChanged();
  await until(() => webview.state.banners.some(({ id }) => id === SETTLING), 'the panel posts');
  await until(() => webview.state.chat === null || webview.state.nextRequest !== null || webview.state.banners.some(({ id }) => id === 'preview'), 'the next request is shown');
  panel.banners.hide(SETTLING);
  panel.changed();
  await until(() => webview.state.banners.every(({ id }) => id !== SETTLING), 'the panel posts again');
}

const SETTLING = 'settling';
