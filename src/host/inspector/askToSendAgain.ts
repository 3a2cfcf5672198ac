import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import type { Chats } from '../chat/chats.js';
import type { SendAgain } from '../chat/sendAgain.js';
import type { ModelRegistry } from '../models/registry.js';
import { priceOfChoice, type SendAgainChoice, sendAgainChoices, type SendAgainGroup } from './sendAgainChoices.js';

export interface AskToSendAgainPorts {
  readonly chats: Pick<Chats, 'open'>;
  readonly models: Pick<ModelRegistry, 'providers' | 'ready'>;
  readonly again: SendAgain;
  /** Shows a chat in an editor tab beside the one in front. */
  readonly openBeside: (chatId: string) => Promise<void>;
}

const SEND = 'Send';

/**
 * Asks what to change, tells the price, and sends the message behind a request again when the user wants that. The answer comes in a
 * chat beside this one, where all that holds a request back is asked, too. Rejects with `invalidInput` for a request that answered no message.
 */
export async function askToSendAgain(chatId: string, attemptId: string, ports: AskToSendAgainPorts): Promise<void> {
  const { chats, models, again, openBeside } = ports;
  const state = await (await chats.open(chatId)).whole();
  const attempt = state.attempts.get(attemptId);
  if (attempt === undefined) {
    throw failure('chat.noRequestRecord');
  }
  await models.ready();
  const chosen = await choose(sendAgainChoices(state, attempt, models.providers()));
  if (chosen === null) {
    return;
  }
  const progress = { location: vscode.ProgressLocation.Notification, title: 'Reading the price of sending again' };
  const price = await vscode.window.withProgress(progress, () => again.priceOfSendingAgain(chatId, attemptId, chosen.change));
  if (price.problem !== null) {
    await vscode.window.showWarningMessage(`Not sent again ${chosen.inWords}.`, { modal: true, detail: price.problem });
    return;
  }
  const detail = 'The answer opens beside this chat, as a fork. This chat stays as it is.';
  const answer = await vscode.window.showInformationMessage(priceOfChoice(chosen, price), { modal: true, detail }, SEND);
  if (answer === SEND) {
    await openBeside(await again.sendAgain(chatId, attemptId, chosen));
  }
}

type Row = vscode.QuickPickItem & { readonly choice: SendAgainChoice | null };

async function choose(groups: readonly SendAgainGroup[]): Promise<SendAgainChoice | null> {
  const rows = groups.flatMap(({ heading, choices }): Row[] => [
    { label: heading, kind: vscode.QuickPickItemKind.Separator, choice: null },
    ...choices.map((choice) => ({ label: choice.label, description: choice.description, choice })),
  ]);
  const options = { title: 'Send again', placeHolder: 'What to change', matchOnDescription: true };
  return (await vscode.window.showQuickPick(rows, options))?.choice ?? null;
}
