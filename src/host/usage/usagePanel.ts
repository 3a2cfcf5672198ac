import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import type { RandomHex } from '../../engine/ports.js';
import { parseUsageToHost, type UsageToHost } from '../../protocol/usage.js';
import { type Handlers, receiver, type ReceiverPorts } from '../window/receiver.js';
import { showPage } from '../window/webviewPage.js';
import { UsageTable, type UsagePorts } from './usageTable.js';

const VIEW_TYPE = 'loupe.usage';

export interface UsagePanelPorts extends UsagePorts, Omit<ReceiverPorts, 'logError'> {
  readonly extensionUri: vscode.Uri;
  readonly random: RandomHex;
  /** Shows a chat in the chat panel. */
  readonly openChat: (chatId: string) => Promise<void>;
  readonly showLog: () => void;
}

/** The editor tab "Usage", at most one for each window. */
export class UsagePanel implements vscode.Disposable {
  readonly #ports: UsagePanelPorts;
  #shown: { readonly panel: vscode.WebviewPanel; readonly table: UsageTable } | null = null;

  constructor(ports: UsagePanelPorts) {
    this.#ports = ports;
  }

  /** Opens the tab or brings it to the front, and reads the usage again. `chatId` is the chat to mark; null for none. */
  show(chatId: string | null): void {
    this.#shown ??= this.#open();
    this.#shown.panel.reveal();
    void this.#shown.table.read(chatId);
  }

  dispose(): void {
    this.#shown?.panel.dispose();
  }

  #open(): { readonly panel: vscode.WebviewPanel; readonly table: UsageTable } {
    const panel = vscode.window.createWebviewPanel(VIEW_TYPE, 'Usage', vscode.ViewColumn.Active, {});
    const table = new UsageTable(this.#ports);
    const receive = receiver(parseUsageToHost, this.#handlers(table), this.#ports);
    table.channel.connect((message) => {
      void panel.webview.postMessage(message);
    });
    panel.webview.onDidReceiveMessage((message: unknown) => {
      // The receiver shows failures.
      void receive(message);
    });
    panel.onDidChangeViewState(() => {
      if (!panel.visible) {
        table.channel.hidden();
      }
    });
    panel.onDidDispose(() => {
      table.dispose();
      this.#shown = null;
    });
    showPage(panel.webview, { ...this.#ports, name: 'usage', title: 'Usage' });
    return { panel, table };
  }

  #handlers(table: UsageTable): Handlers<UsageToHost> {
    const { openChat, showLog, logError } = this.#ports;
    return {
      ready() {
        table.channel.ready();
      },
      resync() {
        table.channel.snapshot();
      },
      showRows({ chats }) {
        table.showRows(chats);
      },
      openChat: ({ chatId }) => openChat(chatId),
      showLog() {
        showLog();
      },
      webviewError({ message }) {
        logError(failure('internal.defect', { text: `The usage view reported: ${message}` }));
      },
    };
  }
}
