import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import type { RandomHex } from '../../engine/ports.js';
import { type InspectorToHost, NEXT_REQUEST, parseInspectorToHost } from '../../protocol/inspector.js';
import { type Handlers, receiver, type ReceiverPorts } from '../window/receiver.js';
import { attemptBehind } from '../request/rebuildRequest.js';
import { openViewTab } from '../window/viewTab.js';
import { exportRequest, type ExportPorts } from './exportRequest.js';
import { blockText } from './blockText.js';
import { type InspectorPorts, InspectorView } from './inspectorView.js';

const VIEW_TYPE = 'loupe.inspector';

export interface InspectorsPorts extends Omit<ReceiverPorts, 'logError'>, InspectorPorts, ExportPorts {
  readonly extensionUri: vscode.Uri;
  readonly random: RandomHex;
  /** Opens a request as a text document. */
  readonly showText: (chatId: string, id: string) => Promise<void>;
  readonly showLog: () => void;
  /** Sends the message behind a request again, as the user is asked. */
  readonly sendAgain: (chatId: string, attemptId: string) => Promise<void>;
}

interface Shown {
  readonly panel: vscode.WebviewPanel;
  readonly view: InspectorView;
}

/** The editor tabs "Request Inspector", at most one for each chat. */
export class Inspectors implements vscode.Disposable {
  readonly #ports: InspectorsPorts;
  /** By chat. */
  readonly #shown = new Map<string, Shown>();

  constructor(ports: InspectorsPorts) {
    this.#ports = ports;
  }

  /** Shows the request of an attempt, or of a reply by the id of its message. Rejects where it is not recorded. */
  async showRequest(chatId: string, id: string): Promise<void> {
    const session = await this.#ports.chats.open(chatId);
    // Fails here, so that the message appears where the user clicked, not in an empty tab.
    const attempt = attemptBehind(session.state, id) ?? attemptBehind(await session.whole(), id);
    if (attempt === undefined) {
      throw failure('chat.noRequestRecord');
    }
    await this.#show(chatId, attempt.id);
  }

  showNext(chatId: string): Promise<void> {
    return this.#show(chatId, NEXT_REQUEST);
  }

  #show(chatId: string, id: string): Promise<void> {
    const { panel, view } = this.#of(chatId);
    panel.reveal();
    return view.show(id);
  }

  /** To be called when the next request of a chat has changed. */
  nextChanged(chatId: string): void {
    const view = this.#shown.get(chatId)?.view;
    if (view?.request === NEXT_REQUEST) {
      view.changed();
    }
  }

  /** Writes the request in the tab that has the focus, see `exportRequest`. */
  async exportActive(target: unknown): Promise<vscode.Uri | null> {
    const shown = [...this.#shown.values()].find(({ panel }) => panel.active);
    if (shown === undefined) {
      throw failure('request.noneShown');
    }
    return exportRequest(shown.view, target, this.#ports);
  }

  /** The request in the tab that has the focus; null without one. */
  get active(): { readonly chatId: string; readonly id: string } | null {
    const found = [...this.#shown].find(([, { panel }]) => panel.active);
    return found === undefined ? null : { chatId: found[0], id: found[1].view.request };
  }

  dispose(): void {
    for (const { panel } of this.#shown.values()) {
      panel.dispose();
    }
  }

  #of(chatId: string): Shown {
    const known = this.#shown.get(chatId);
    if (known !== undefined) {
      return known;
    }
    const view = new InspectorView(chatId, this.#ports);
    const page = { ...this.#ports, name: 'inspector', title: 'Request Inspector' };
    const panel = openViewTab(VIEW_TYPE, page, {
      channel: view.channel,
      receive: receiver(parseInspectorToHost, this.#handlers(chatId, view), this.#ports),
      closed: () => {
        view.dispose();
        this.#shown.delete(chatId);
      },
    });
    const shown = { panel, view };
    this.#shown.set(chatId, shown);
    return shown;
  }

  #handlers(chatId: string, view: InspectorView): Handlers<InspectorToHost> {
    const ports = this.#ports;
    return {
      ready() {
        view.channel.ready();
      },
      resync() {
        view.channel.snapshot();
      },
      ask({ query }) {
        view.ask(query);
      },
      copyPayload: async () => {
        await vscode.env.clipboard.writeText((await view.inspected?.body())?.body ?? '');
      },
      copyBlock: async ({ block }) => {
        const part = view.inspected?.blocks[block]?.part ?? null;
        await vscode.env.clipboard.writeText(part === null ? '' : blockText(part));
      },
      exportRequest: () => exportRequest(view, undefined, ports),
      useHint: () => view.useHint(),
      undoHint: () => view.undoHint(),
      sendAgain: () => ports.sendAgain(chatId, view.request),
      showRequest: (asked) => this.showRequest(asked.chatId, asked.attemptId),
      openAsText: () => ports.showText(chatId, view.request),
      showLog() {
        ports.showLog();
      },
      webviewError({ message }) {
        ports.logError(failure('internal.defect', { text: `The Request Inspector reported: ${message}` }));
      },
    };
  }
}
