import type { LoupeApi } from '../../../src/protocol/api.js';
import { applyDelta } from '../../../src/protocol/delta.js';
import type { ToHost } from '../../../src/protocol/toHost.js';
import type { ToWebview } from '../../../src/protocol/toWebview.js';
import type { AssistantEntry, PanelState, SettingRow } from '../../../src/protocol/view.js';
import type { LoupeError } from '../../../src/engine/errors.js';
import { createApi } from '../../../src/host/api.js';
import { App } from '../../../src/host/app.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { panelHandlers, type PanelActions } from '../../../src/host/panelHandlers.js';
import { Drafts } from '../../../src/host/view/drafts.js';
import { Panel } from '../../../src/host/view/panel.js';
import { DraftFiles } from '../../../src/storage/drafts.js';
import type { Window } from './window.js';

/** What a webview makes of the messages it gets: the last snapshot and the deltas since. */
export class FakeWebview {
  /** Breaches of the protocol. */
  readonly faults: string[] = [];
  readonly received: ToWebview[] = [];
  /** Called after each delta, at the moment of its posting. */
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

  /** A setting of the chat on show; undefined where there is none of that name. */
  settingOf(name: string): SettingRow['value'] | undefined {
    return this.state.chat?.settings.find((row) => row.name === name)?.value;
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
        this.afterDelta();
        return;
      case 'focusComposer':
      case 'reveal':
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
}

/** The chat panel of a window, with everything around it but VS Code. */
export interface TestPanel {
  readonly app: App;
  readonly panel: Panel;
  readonly webview: FakeWebview;
  readonly drafts: Drafts;
  readonly api: Omit<LoupeApi, 'version'>;
  /** What was asked of VS Code itself. */
  readonly asked: string[];
  /** Posts a message as the webview does; resolves when it was handled. */
  readonly say: (message: ToHost) => Promise<void>;
}

/** `memory` is what an earlier start has left. */
export function openPanel(window: Window, memory: PanelMemory): TestPanel {
  const webview = new FakeWebview();
  const logError = (error: LoupeError): void => {
    window.errors.push(error);
  };
  const drafts = new Drafts(new DraftFiles(window.folder), {
    logError,
    changed: () => {
      panel.changed();
    },
  });
  const asked: string[] = [];
  const panel: Panel = new Panel({
    chats: window.chats,
    models: window.models,
    drafts,
    logError,
    post: (message) => {
      webview.receive(message);
    },
    handle: (message) => handle(message),
    remember: (chatId) => {
      memory.currentChat = chatId;
    },
  });
  const storage = { read: () => Promise.resolve(memory.currentChat ?? null) };
  const app = new App({ chats: window.chats, drafts, panel, storage });
  const handle = panelHandlers(app, actionsTo(asked));
  window.closing.push(async () => {
    panel.dispose();
    await drafts.flush();
  });
  return { app, panel, webview, drafts, api: createApi(app), asked, say: (message) => panel.receive(message) };
}

function actionsTo(asked: string[]): PanelActions {
  const note = (what: string) => (): Promise<void> => {
    asked.push(what);
    return Promise.resolve();
  };
  return {
    copy: ({ text }) => note(`copy ${text}`)(),
    insertAtCursor: ({ text }) => note(`insertAtCursor ${text}`)(),
    newFile: ({ text, language }) => note(`newFile ${language} ${text}`)(),
    openLink: ({ href }) => note(`openLink ${href}`)(),
    openContextItem: ({ key }) => note(`openContextItem ${key}`)(),
    addFiles: ({ chatId }) => note(`pickFiles ${chatId}`)(),
    dropFiles: ({ chatId, uris }) => note(`addUris ${chatId} ${uris.join(' ')}`)(),
    openResult: ({ chatId, messageId, callId }) => note(`openResult ${chatId} ${messageId} ${callId}`)(),
    showRequest: ({ chatId, messageId }) => note(`showRequest ${chatId} ${messageId}`)(),
    previewNextRequest: ({ chatId }) => note(`previewNextRequest ${chatId}`)(),
    importChats: note('importChats'),
    exportChat: ({ id }: ChatSession) => note(`exportChat ${id}`)(),
    openSettings: note('openSettings'),
    addProvider: note('addProvider'),
    setKeyOf: (providerId) => note(`setApiKey ${providerId}`)(),
    selectModel: ({ chatId }) => note(`selectModel ${chatId}`)(),
    showLog: note('showLog'),
    webviewError: ({ message }) => note(`logWebviewError ${message}`)(),
  };
}
