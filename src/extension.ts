import * as vscode from 'vscode';
import { ChatViewProvider } from './host/panel/shell/chatViewProvider.js';
import { CHAT_TAB_TYPE, CHAT_VIEW_ID, INSPECTOR_TAB_TYPE } from './host/window/chatView.js';
import { COMMAND_IDS } from './host/commands/commandIds.js';
import { registerSessionFiles } from './host/documents/lazySessionFiles.js';
import { lazyApi } from './host/api/lazyApi.js';
import type { Services } from './host/services.js';
import { systemRandom } from './host/window/systemRandom.js';
import type { LoupeApi } from './protocol/api/api.js';

/** Stored here because VS Code calls `deactivate` without arguments. */
const started: { services: Promise<Services> | null } = { services: null };

/**
 * Registers what VS Code needs at the start. Other code loads at the first use of the view, a tab, a command or the
 * API, so that activation is fast.
 */
export function activate(context: vscode.ExtensionContext): LoupeApi {
  const channel = vscode.window.createOutputChannel('Loupe', { log: true });
  const start = async (): Promise<Services> => {
    const { createServices } = await import('./host/services.js');
    return createServices(context, channel);
  };
  const services = (): Promise<Services> => {
    started.services ??= start();
    return started.services;
  };
  const failed = async (thrown: unknown): Promise<void> => {
    // `inspect` also shows the causes of the error. `Log` is not used, because its code may be what failed to load.
    const { inspect } = await import('node:util');
    channel.error(inspect(thrown));
    void vscode.window.showErrorMessage(`Loupe could not start: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  };
  const view = new ChatViewProvider({
    extensionUri: context.extensionUri,
    random: systemRandom,
    panel: async () => (await services()).panel,
    failed,
  });
  const restoring = (restore: (services: Services) => Services['restoreTab']): vscode.WebviewPanelSerializer => ({
    deserializeWebviewPanel: async (tab, state: unknown) => {
      try {
        await restore(await services())(tab, state);
      } catch (thrown) {
        await failed(thrown);
      }
    },
  });
  context.subscriptions.push(
    channel,
    vscode.window.registerWebviewViewProvider(CHAT_VIEW_ID, view),
    vscode.window.registerWebviewPanelSerializer(
      CHAT_TAB_TYPE,
      restoring(({ restoreTab }) => restoreTab),
    ),
    vscode.window.registerWebviewPanelSerializer(
      INSPECTOR_TAB_TYPE,
      restoring(({ restoreInspector }) => restoreInspector),
    ),
    registerSessionFiles(async () => (await services()).sessionFiles),
    ...COMMAND_IDS.map((id) => vscode.commands.registerCommand(id, async (...args: unknown[]) => (await services()).runCommand(id, args))),
  );
  const { version } = context.extension.packageJSON as { version: string };
  return lazyApi(version, async () => (await services()).api);
}

export async function deactivate(): Promise<void> {
  const services = await started.services;
  await services?.close();
}
