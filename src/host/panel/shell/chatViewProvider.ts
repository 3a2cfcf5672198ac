import type * as vscode from 'vscode';
import type { RandomHex } from '../../../engine/ports.js';
import { showPage, type WebviewPeer } from '../../window/webviewPage.js';

export interface ChatPeer extends WebviewPeer {
  /** Sets the function that shows the view's badge. Called with undefined, the function removes the badge. */
  onBadge(setBadge: (badge: vscode.ViewBadge | undefined) => void): void;
}

export interface ChatViewProviderPorts {
  readonly extensionUri: vscode.Uri;
  readonly random: RandomHex;
  /** Loads the panel when the view is shown for the first time. */
  panel(): Promise<ChatPeer>;
  /** Called when the panel could not be loaded, or failed unexpectedly. */
  failed(thrown: unknown): Promise<void>;
}

/** Shows the chat panel in VS Code's view, and passes messages between them. */
export class ChatViewProvider implements vscode.WebviewViewProvider {
  readonly #ports: ChatViewProviderPorts;
  #view: vscode.WebviewView | null = null;

  constructor(ports: ChatViewProviderPorts) {
    this.#ports = ports;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    const { webview } = view;
    webview.onDidReceiveMessage((message: unknown) => {
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
      // VS Code may have created the next view already.
      if (this.#view === view) {
        this.#view = null;
        this.#tell((panel) => {
          panel.hidden();
        });
      }
    });
    this.#tell((panel) => {
      panel.connect((message) => {
        void webview.postMessage(message);
      });
      panel.onBadge((badge) => {
        view.badge = badge;
      });
    });
    showPage(webview, { ...this.#ports, name: 'chat', title: 'Loupe' });
  }

  #tell(message: (panel: ChatPeer) => void | Promise<void>): void {
    this.#ports
      .panel()
      .then(message)
      .catch((thrown: unknown) => this.#ports.failed(thrown));
  }
}
