import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { CHAT_VIEW_ID, ChatView } from './host/chatView.js';
import { COMMAND_IDS } from './host/commandIds.js';
import { lazyApi } from './host/lazyApi.js';
import type { Services } from './host/services.js';
import { systemRandom } from './host/systemPorts.js';
import type { LoupeApi } from './protocol/api.js';

/** What has to be finished before the window closes: VS Code calls `deactivate` without arguments. */
const started: { services: Promise<Services> | null } = { services: null };

/**
 * Registers what VS Code has to know at once. Everything else is loaded with the first use of the view, a command
 * or the API, so that activation costs next to nothing.
 */
export function activate(context: vscode.ExtensionContext): LoupeApi {
  const channel = vscode.window.createOutputChannel('Loupe', { log: true });
  const start = async (): Promise<Services> => {
    const { createServices } = await import('./host/services.js');
    return createServices(context, {
      channel,
      post: (message) => {
        view.post(message);
      },
    });
  };
  const services = (): Promise<Services> => {
    started.services ??= start();
    return started.services;
  };
  const view = new ChatView(context.extensionUri, systemRandom, {
    panel: async () => (await services()).panel,
    failed: (thrown) => {
      // With its causes. What writes the log otherwise is part of what may be missing.
      channel.error(inspect(thrown));
      void vscode.window.showErrorMessage(`Loupe could not start: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    },
  });
  context.subscriptions.push(
    channel,
    vscode.window.registerWebviewViewProvider(CHAT_VIEW_ID, view),
    ...COMMAND_IDS.map((id) => vscode.commands.registerCommand(id, async (...args: unknown[]) => (await services()).runCommand(id, args))),
  );
  const { version } = context.extension.packageJSON as { version: string };
  return lazyApi(version, async () => (await services()).api);
}

export async function deactivate(): Promise<void> {
  const services = await started.services;
  await services?.close();
}
