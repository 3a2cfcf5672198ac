import * as vscode from 'vscode';
import { parseUsageToHost, type UsageFormat, type UsageToHost } from '../../protocol/usage/usage.js';
import { showModelSettings } from '../models/providers/providerCommands.js';
import type { Chats } from '../chat/chats.js';
import type { ModelRegistry } from '../models/registry.js';
import { showSpendSettings } from '../window/editors.js';
import { askForExportFile, reportExport, writeExport } from '../window/exportFile.js';
import { type Handlers, receiver, type ReceiverPorts, viewHandlers } from '../window/receiver.js';
import { localTime, systemClock } from '../window/systemPorts.js';
import { openViewTab } from '../window/viewTab.js';
import type { ViewTabPorts } from '../window/webviewPage.js';
import { type ExportedUsage, USAGE_FILTERS, usageExport, usageFormat } from './usageExport.js';
import { ChatTurnsReader, type ChatTurnsPorts } from './chatTurnsReader.js';
import { OtherUsage, type OtherUsagePorts } from './otherUsage.js';
import { UsageRows, type UsageRowsPorts } from './usageRows.js';
import { type UsagePorts, UsageView } from './usageView.js';

const VIEW_TYPE = 'loupe.usage';

export interface UsagePanelPorts extends ReceiverPorts, Pick<OtherUsagePorts, 'storages' | 'storeAt'>, ViewTabPorts {
  readonly chats: UsagePorts['chats'] & UsageRowsPorts & Pick<Chats, 'open'>;
  readonly settings: UsagePorts['settings'];
  readonly diagnoses: ChatTurnsPorts['diagnoses'];
  readonly quotas: UsagePorts['quotas'];
  readonly models: UsagePorts['models'] & Pick<ModelRegistry, 'listed'>;
  readonly showRequest: (chatId: string, attemptId: string) => Promise<void>;
  readonly writeMessage: () => Promise<void>;
}

interface UsageTab {
  readonly panel: vscode.WebviewPanel;
  readonly view: UsageView;
}

/** The editor tab "Usage", at most one in each VS Code window. */
export class UsagePanel implements vscode.Disposable {
  readonly #ports: UsagePanelPorts & UsagePorts;
  #shown: UsageTab | null = null;

  constructor(ports: UsagePanelPorts) {
    const { models, chats, diagnoses } = ports;
    const pricesOf: UsagePorts['pricesOf'] = (ref) => models.listed(ref)?.prices ?? null;
    this.#ports = {
      ...ports,
      // Kept after the tab is closed, so that the tab opens fast the next time.
      rows: new UsageRows(chats),
      others: new OtherUsage(ports),
      now: systemClock.now.bind(systemClock),
      localTime,
      turns: new ChatTurnsReader({ whole: async (chatId) => (await chats.open(chatId)).whole(), diagnoses, pricesOf }),
      pricesOf,
      labelOf: (ref) => models.listed(ref)?.label ?? ref.model,
    };
  }

  /** Opens or shows the tab, and reads the usage. `chatId` selects a chat. Null selects all chats. */
  show(chatId: string | null): void {
    this.#shown ??= this.#open();
    this.#shown.panel.reveal();
    void this.#shown.view.show(chatId);
  }

  /**
   * Exports the attempts of the open tab; without an open tab, all attempts. Without `target`, asks for a file. The
   * file extension decides the format. Returns the file. Null after a cancel.
   */
  async exportTo(target: unknown, suggested: UsageFormat): Promise<vscode.Uri | null> {
    const file = target instanceof vscode.Uri ? target : await askForExportFile(dialogOf(suggested));
    if (file === undefined) {
      return null;
    }
    await writeExport(file, await usageExport(await this.#exported(), usageFormat(file.path)));
    reportExport('the requests', file, [], this.#ports);
    return file;
  }

  dispose(): void {
    this.#shown?.panel.dispose();
  }

  async #exported(): Promise<ExportedUsage> {
    if (this.#shown !== null) {
      return this.#shown.view.exported('period');
    }
    const view = new UsageView(this.#ports);
    try {
      await view.show(null);
      return await view.exported('all');
    } finally {
      view.dispose();
    }
  }

  #open(): UsageTab {
    const view = new UsageView(this.#ports);
    const panel = openViewTab(
      VIEW_TYPE,
      { ...this.#ports, name: 'usage', title: 'Usage' },
      {
        channel: view.channel,
        receive: receiver(parseUsageToHost, this.#handlers(view), this.#ports),
        closed: () => {
          view.dispose();
          this.#shown = null;
        },
      },
    );
    return { panel, view };
  }

  #handlers(view: UsageView): Handlers<UsageToHost> {
    const ports = this.#ports;
    const { showRequest, writeMessage } = ports;
    return {
      ...viewHandlers('The usage view', view.channel, ports),
      ask({ query }) {
        view.ask(query);
      },
      showRequest: ({ chatId, attemptId }) => showRequest(chatId, attemptId),
      exportUsage: ({ format }) => this.exportTo(undefined, format),
      addPrices: showModelSettings,
      showLimits: ({ inChat }) => view.limits.show(inChat),
      setLimit: ({ inChat, limit, usd }) => view.limits.set(inChat, limit, usd),
      openSpendSettings: showSpendSettings,
      writeMessage: () => writeMessage(),
    };
  }
}

function dialogOf(format: UsageFormat): Parameters<typeof askForExportFile>[0] {
  return { title: 'Export Usage', name: `usage.${format}`, filters: USAGE_FILTERS[format] };
}
