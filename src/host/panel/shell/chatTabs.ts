import * as vscode from 'vscode';
import { chatTitle } from '../../../engine/chat/message/opening.js';
import { toLoupeError } from '../../../engine/errors.js';
import type { RandomHex } from '../../../engine/ports.js';
import { textMember } from '../../../providers/json.js';
import { CHAT_TAB_TYPE } from '../../window/chatView.js';
import { showPage } from '../../window/webviewPage.js';
import type { ChatPanel } from './chatPanel.js';
import type { ChatPanels } from './chatPanels.js';
import { tabNames } from './tabNames.js';

export interface ChatTabsPorts {
  readonly panels: ChatPanels;
  readonly extensionUri: vscode.Uri;
  readonly random: RandomHex;
}

interface ChatTab {
  readonly webviewPanel: vscode.WebviewPanel;
  /** The chat that the tab shows or will show. */
  chatId: string;
  title: string;
}

/** The chats in editor tabs. VS Code restores the tabs after a window reload, each with its chat. */
export class ChatTabs {
  readonly #ports: ChatTabsPorts;
  readonly #tabs = new Set<ChatTab>();

  constructor(ports: ChatTabsPorts) {
    this.#ports = ports;
  }

  /** Brings the tab of a chat to the front, or opens a tab in `column`. */
  async open(chatId: string, column: vscode.ViewColumn): Promise<void> {
    const there = [...this.#tabs].find((tab) => tab.chatId === chatId);
    if (there !== undefined) {
      there.webviewPanel.reveal();
      return;
    }
    const webviewPanel = vscode.window.createWebviewPanel(CHAT_TAB_TYPE, 'Loupe', column, {});
    await this.#fill(webviewPanel, chatId).shown.show(chatId);
  }

  /** Fills a tab that VS Code restores after a window reload. `state` is what the webview page saved. */
  async restore(webviewPanel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const chatId = textMember(state, 'chatId');
    if (chatId === null) {
      webviewPanel.dispose();
      return;
    }
    const { shown, banners } = this.#fill(webviewPanel, chatId);
    try {
      await shown.show(chatId);
    } catch (thrown) {
      const error = toLoupeError(thrown);
      if (error.code === 'chat.gone') {
        webviewPanel.dispose();
      } else {
        banners.fail(error, null);
      }
    }
  }

  #fill(webviewPanel: vscode.WebviewPanel, chatId: string): ChatPanel {
    const { panels, extensionUri, random } = this.#ports;
    const { webview } = webviewPanel;
    const tab: ChatTab = { webviewPanel, chatId, title: 'Loupe' };
    const chatPanel = panels.open({
      id: random.hex(8),
      // The webview page saves the tab's chat, so nothing is written here.
      lastShown: { read: () => Promise.resolve(tab.chatId), write: () => Promise.resolve() },
      reveal: async () => {
        webviewPanel.reveal();
      },
      shows: ({ state }) => {
        tab.chatId = state.chatId;
        tab.title = chatTitle(state);
        this.#nameTabs();
      },
      close: () => {
        webviewPanel.dispose();
      },
    });
    this.#tabs.add(tab);
    chatPanel.panel.channel.connect((message) => {
      void webview.postMessage(message);
    });
    webview.onDidReceiveMessage((message: unknown) => {
      void chatPanel.receive(message);
    });
    webviewPanel.onDidChangeViewState(() => {
      if (!webviewPanel.visible) {
        chatPanel.panel.hidden();
      }
      if (webviewPanel.active) {
        panels.use(chatPanel);
      }
    });
    webviewPanel.onDidDispose(() => {
      this.#tabs.delete(tab);
      this.#nameTabs();
      panels.close(chatPanel);
    });
    const icon = (theme: string): vscode.Uri => vscode.Uri.joinPath(extensionUri, 'media', `tab-${theme}.svg`);
    webviewPanel.iconPath = { light: icon('light'), dark: icon('dark') };
    showPage(webview, { ...this.#ports, name: 'chat', title: 'Loupe' });
    return chatPanel;
  }
  #nameTabs(): void {
    const tabs = [...this.#tabs];
    const names = tabNames(tabs.map(({ title }) => title));
    for (const [at, { webviewPanel }] of tabs.entries()) {
      webviewPanel.title = names[at] ?? '';
    }
  }
}
