import * as vscode from 'vscode';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import { failure, logFailure } from '../../engine/errors.js';
import { type InspectorToHost, NEXT_REQUEST, parseInspectorToHost } from '../../protocol/inspector/inspector.js';
import { showModelSettings } from '../models/providers/providerCommands.js';
import { type Handlers, type ReceiverPorts, receiver, viewHandlers } from '../window/receiver.js';
import { attemptOfReply } from '../request/rebuildRequest.js';
import { textMember } from '../../providers/json.js';
import { INSPECTOR_TAB_TYPE } from '../window/chatView.js';
import { fillViewTab, newViewTab } from '../window/viewTab.js';
import type { PageSource, ViewTabPorts } from '../window/webviewPage.js';
import { type ChatSelection, type FollowingTab, followingTab } from './following.js';
import { blockText } from './blockText.js';
import { type InspectorPorts, InspectorView } from './inspectorView.js';
import { homedir } from 'node:os';
import { askForExportFile, reportExport, writeExport } from '../window/exportFile.js';
import { exportedHtml } from './exportedHtml.js';
import { countsInWords } from './redaction.js';

interface ExportPorts extends Pick<ReceiverPorts, 'fail'> {
  readonly knownKeys: () => Promise<readonly string[]>;
  /** Returns the passwords and other secrets for MCP servers, which an export must redact. */
  readonly serverSecrets: () => Promise<readonly string[]>;
}

const EXPORT = 'Export';

/**
 * Exports the visible request as one HTML file. Without `target`, shows the redactions and asks for a file. Returns the
 * file. Null after a cancel.
 */
async function exportRequest(view: InspectorView, target: unknown, ports: ExportPorts): Promise<vscode.Uri | null> {
  const inspected = view.inspected;
  if (inspected === null) {
    throw failure('request.noneShown');
  }
  const [keys, servers] = await Promise.all([ports.knownKeys(), ports.serverSecrets()]);
  const secrets = { keys, servers, homes: [homedir()] };
  const { html, counts } = await exportedHtml(inspected, view, secrets);
  const file = target instanceof vscode.Uri ? target : await askForFile(countsInWords(counts), inspected.request.number);
  if (file === undefined) {
    return null;
  }
  await writeExport(file, Buffer.from(html));
  reportExport('the request', file, [], ports);
  return file;
}

async function askForFile(redactions: string, number: number | null): Promise<vscode.Uri | undefined> {
  const detail = `${redactions} The file contains the rest of the request unchanged. Check the file before you share it.`;
  const answer = await vscode.window.showInformationMessage('Export this request?', { modal: true, detail }, EXPORT);
  const name = number === null ? 'next-request.html' : `request-${String(number)}.html`;
  return answer === EXPORT ? askForExportFile({ title: 'Export Request', name, filters: { HTML: ['html'] } }) : undefined;
}

export interface InspectorsPorts extends Omit<ReceiverPorts, 'logError'>, InspectorPorts, ExportPorts, ViewTabPorts {
  readonly showRaw: (request: { readonly chatId: string; readonly id: string }) => Promise<void>;
  /** Asks the user for a change, then sends the message of a request again. */
  readonly sendAgain: (chatId: string, attemptId: string) => Promise<void>;
}

interface Tab extends FollowingTab {
  readonly panel: vscode.WebviewPanel;
  readonly view: InspectorView;
  isChosen: boolean;
  isNext: boolean;
}

/** The tabs of the Request Inspector, at most one for each chat. VS Code restores the tabs after a reload. */
export class Inspectors implements vscode.Disposable {
  readonly #ports: InspectorsPorts;
  readonly #page: PageSource;
  readonly #tabs = new Set<Tab>();
  /** Id of the chat that the user selected last. */
  #selected: string | null = null;

  constructor(ports: InspectorsPorts) {
    this.#ports = ports;
    this.#page = { ...ports, name: 'inspector', title: 'Request Inspector' };
  }

  /** Shows the request of an attempt, by the id of the attempt or of its reply. Rejects without a record. */
  async showRequest(chatId: string, id: string): Promise<void> {
    // Reads the attempt before opening a tab, so that an error appears in the panel.
    const attempt = await this.#attempt(chatId, id);
    if (attempt === null) {
      throw failure('chat.noRequestRecord');
    }
    await this.#show(chatId, attempt.id);
  }

  async showNext(chatId: string): Promise<void> {
    (await this.#ports.chats.open(chatId)).next.inputsChanged();
    await this.#show(chatId, NEXT_REQUEST);
  }

  /** Shows the request in a tab that VS Code restores after a reload. `state`: the stored state of the page. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const [chatId, request] = [textMember(state, 'chatId'), textMember(state, 'request')];
    if (chatId === null || request === null || this.#of(chatId) !== null) {
      panel.dispose();
      return;
    }
    const tab = this.#fill(panel, chatId);
    tab.isNext = request === NEXT_REQUEST;
    await tab.view.show(chatId, request);
  }

  /** Lets an inspector tab follow the user to the chat selected in a panel. Logs failures, and does not throw. */
  async chatSelected(chatId: string): Promise<void> {
    if (chatId !== this.#selected) {
      this.#selected = chatId;
      await this.#followed({ chatId, reply: null });
    }
  }

  /** Lets an inspector tab follow the user to the reply selected in a panel. Logs failures, and does not throw. */
  async replySelected(chatId: string, reply: string): Promise<void> {
    this.#selected = chatId;
    await this.#followed({ chatId, reply });
  }

  /** Updates the tab with a chat's next request. Call this when the next request has changed. */
  nextChanged(chatId: string): void {
    const view = this.#of(chatId)?.view;
    if (view?.request === NEXT_REQUEST) {
      view.changed();
    }
  }

  /** Keeps the request in the tab of a chat, even if a new reply opens in a tab next to it. */
  stay(chatId: string): void {
    const tab = this.#of(chatId);
    if (tab !== null) {
      tab.isChosen = true;
    }
  }

  async exportActive(target: unknown): Promise<vscode.Uri | null> {
    return exportRequest(this.#front().view, target, this.#ports);
  }

  async showRawActive(): Promise<void> {
    await this.#showRaw(this.#front());
  }

  /** The request in the focused inspector tab. Null when no inspector tab has the focus. */
  get active(): { readonly chatId: string; readonly id: string } | null {
    const tab = this.#focused;
    return tab === undefined ? null : { chatId: tab.chatId, id: tab.request };
  }

  dispose(): void {
    for (const { panel } of this.#tabs) {
      panel.dispose();
    }
  }

  get #focused(): Tab | undefined {
    return [...this.#tabs].find(({ panel }) => panel.active);
  }

  /** Returns the focused inspector tab. Throws `invalidInput` when no inspector tab has the focus. */
  #front(): Tab {
    const tab = this.#focused;
    if (tab === undefined) {
      throw failure('request.noneShown');
    }
    return tab;
  }

  #showRaw({ chatId, request: id }: Tab): Promise<void> {
    return this.#ports.showRaw({ chatId, id });
  }

  #of(chatId: string): Tab | null {
    return [...this.#tabs].find((tab) => tab.chatId === chatId) ?? null;
  }

  async #show(chatId: string, id: string): Promise<void> {
    const tab = this.#of(chatId) ?? this.#fill(newViewTab(INSPECTOR_TAB_TYPE, this.#page), chatId);
    tab.isChosen = false;
    tab.isNext = id === NEXT_REQUEST;
    tab.panel.reveal();
    await tab.view.show(chatId, id);
  }

  async #followed(selection: ChatSelection): Promise<void> {
    await this.#follow(selection).catch(logFailure(this.#ports));
  }

  /** Shows a selection of the user in the inspector tab that follows it. Does not move the focus. */
  async #follow(selection: ChatSelection): Promise<void> {
    const tab = followingTab([...this.#tabs], selection);
    if (tab === null) {
      return;
    }
    const { chatId, reply } = selection;
    const id = tab.isNext ? NEXT_REQUEST : await this.#selectedRequest(selection);
    if (id !== null && (tab.chatId !== chatId || reply !== null)) {
      await tab.view.show(chatId, id);
    }
    if (!tab.isVisible) {
      tab.panel.reveal(undefined, true);
    }
  }

  /** Returns the request of the selected reply, else of the last reply, else `NEXT_REQUEST`. Null if unknown. */
  async #selectedRequest({ chatId, reply }: ChatSelection): Promise<string | null> {
    if (reply !== null) {
      return (await this.#attempt(chatId, reply))?.id ?? null;
    }
    const { state } = await this.#ports.chats.open(chatId);
    return [...state.attempts.values()].findLast(({ purpose }) => purpose === 'reply')?.id ?? NEXT_REQUEST;
  }

  async #attempt(chatId: string, id: string): Promise<AttemptState | null> {
    const session = await this.#ports.chats.open(chatId);
    return attemptOfReply(session.state, id) ?? attemptOfReply(await session.whole(), id) ?? null;
  }

  #fill(panel: vscode.WebviewPanel, chatId: string): Tab {
    const view = new InspectorView(chatId, this.#ports);
    const tab: Tab = {
      panel,
      view,
      isChosen: false,
      isNext: false,
      get chatId() {
        return view.chatId;
      },
      get request() {
        return view.request;
      },
      get isVisible() {
        return panel.visible;
      },
    };
    this.#tabs.add(tab);
    fillViewTab(panel, this.#page, {
      channel: view.channel,
      receive: receiver(parseInspectorToHost, this.#handlers(tab), this.#ports),
      closed: () => {
        view.dispose();
        this.#tabs.delete(tab);
      },
    });
    return tab;
  }

  #handlers(tab: Tab): Handlers<InspectorToHost> {
    const ports = this.#ports;
    const { view } = tab;
    return {
      ...viewHandlers('The Request Inspector', view.channel, ports),
      ask({ query }) {
        tab.isChosen ||= query.request !== view.request;
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
      sendAgain: () => {
        this.stay(view.chatId);
        return ports.sendAgain(view.chatId, view.request);
      },
      showRequest: (asked) => this.showRequest(asked.chatId, asked.attemptId),
      showPrices: showModelSettings,
      showRaw: () => this.#showRaw(tab),
    };
  }
}
