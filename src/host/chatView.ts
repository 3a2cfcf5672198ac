import * as vscode from 'vscode';
import type { RandomHex } from '../engine/ports.js';
import type { ToWebview } from '../protocol/toWebview.js';
import type { Panel } from './view/panel.js';

export const CHAT_VIEW_ID = 'loupe.chat';

export interface ChatViewPorts {
  /** The panel, loaded when the view is first shown. */
  panel(): Promise<Panel>;
  /** The panel could not be loaded or failed in an unexpected way. */
  failed(thrown: unknown): void;
}

/** Puts the panel into VS Code's view: the page, its security policy, and the way of the messages. */
export class ChatView implements vscode.WebviewViewProvider {
  readonly #extensionUri: vscode.Uri;
  readonly #random: RandomHex;
  readonly #ports: ChatViewPorts;
  #view: vscode.WebviewView | null = null;

  constructor(extensionUri: vscode.Uri, random: RandomHex, ports: ChatViewPorts) {
    this.#extensionUri = extensionUri;
    this.#random = random;
    this.#ports = ports;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    view.webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(this.#extensionUri, 'dist', 'webview')],
    };
    view.webview.onDidReceiveMessage((message: unknown) => {
      this.#tell((panel) => panel.receive(message));
    });
    view.onDidChangeVisibility(() => {
      if (!view.visible) {
        this.#tell((panel) => {
          panel.hidden();
        });
      }
    });
    view.onDidDispose(() => {
      // VS Code may have made the next view already.
      if (this.#view !== view) {
        return;
      }
      this.#view = null;
      this.#tell((panel) => {
        panel.hidden();
      });
    });
    view.webview.html = this.#html(view.webview);
  }

  #tell(message: (panel: Panel) => void | Promise<void>): void {
    this.#ports
      .panel()
      .then(message)
      .catch((thrown: unknown) => {
        this.#ports.failed(thrown);
      });
  }

  post(message: ToWebview): void {
    void this.#view?.webview.postMessage(message);
  }

  #html(webview: vscode.Webview): string {
    const nonce = this.#random.hex(32);
    const file = (name: string): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.#extensionUri, 'dist', 'webview', name)).toString();
    const policy = [
      `default-src 'none'`,
      `script-src 'nonce-${nonce}'`,
      `style-src ${webview.cspSource} 'nonce-${nonce}'`,
      `font-src ${webview.cspSource}`,
      `img-src data:`,
      `base-uri 'none'`,
      `form-action 'none'`,
    ].join('; ');
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file('chat.css')}">
<title>Loupe</title>
</head>
<body>
<loupe-chat></loupe-chat>
<script type="module" nonce="${nonce}" src="${file('chat.js')}"></script>
</body>
</html>`;
  }
}
