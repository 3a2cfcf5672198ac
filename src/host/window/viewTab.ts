import * as vscode from 'vscode';
import { type PageSource, showPage } from './webviewPage.js';

export interface ShownInTab {
  readonly channel: { connect(post: (message: unknown) => void): void; hidden(): void };
  readonly receive: (message: unknown) => Promise<void>;
  readonly closed: () => void;
}

/** Opens an editor tab with a page, and connects the page to its channel. */
export function openViewTab(viewType: string, page: PageSource, shown: ShownInTab): vscode.WebviewPanel {
  const panel = newViewTab(viewType, page);
  fillViewTab(panel, page, shown);
  return panel;
}

export function newViewTab(viewType: string, { title }: PageSource): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, {});
}

/** Fills an empty editor tab with a page, and connects the page to its channel. */
export function fillViewTab(panel: vscode.WebviewPanel, page: PageSource, { channel, receive, closed }: ShownInTab): void {
  channel.connect((message) => {
    void panel.webview.postMessage(message);
  });
  panel.webview.onDidReceiveMessage((message: unknown) => {
    void receive(message);
  });
  panel.onDidChangeViewState(() => {
    if (!panel.visible) {
      channel.hidden();
    }
  });
  panel.onDidDispose(closed);
  showPage(panel.webview, page);
}
