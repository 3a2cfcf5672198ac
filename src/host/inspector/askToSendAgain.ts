import * as vscode from 'vscode';
import type { ModelRef } from '../../engine/model/modelRef.js';
import { raceAbort } from '../../engine/run/abortRace.js';
import { SendAgain, type SendAgainPorts, type SendAgainPrice, sentForReply } from '../chat/sendAgain.js';
import type { ModelRegistry } from '../models/registry.js';
import { showBusy } from '../window/chatView.js';
import { offerCancel } from '../window/offerCancel.js';
import { slowWork } from '../window/slowWork.js';
import { systemClock } from '../window/systemPorts.js';
import { detailOf, priceOfChoice, type SendAgainChoice, sendAgainChoices, type SendAgainGroup } from './sendAgainChoices.js';

export interface AskToSendAgainPorts extends SendAgainPorts {
  readonly models: Pick<ModelRegistry, 'providers' | 'ready'>;
  /** Returns a sentence about a missing API key of the model. Null when the key exists or is not needed. */
  readonly missingKey: (model: ModelRef) => Promise<string | null>;
  readonly setKeyOf: (providerId: string) => Promise<boolean>;
  /** Opens a chat in an editor tab to the right of the active tab. */
  readonly openBeside: (chatId: string) => Promise<void>;
}

const SEND = 'Send';
const SET_KEY = 'Set Key';

/**
 * Asks the user what to change, then shows the price. If the user agrees, sends the message of a past request again.
 * The reply arrives in a new chat in another tab. Rejects with `invalidInput` for a request without a user message.
 */
export async function askToSendAgain(chatId: string, attemptId: string, ports: AskToSendAgainPorts): Promise<void> {
  const { chats, models, openBeside } = ports;
  const again = new SendAgain(ports);
  const state = await (await chats.open(chatId)).whole();
  const attempt = sentForReply(state, attemptId);
  await models.ready();
  const chosen = await choose(sendAgainChoices(state, attempt, models.providers()));
  if (chosen === null) {
    return;
  }
  const read = (signal: AbortSignal): Promise<SendAgainPrice | 'aborted'> =>
    raceAbort(again.priceOfSendingAgain(chatId, attemptId, chosen.change), signal);
  const price = await slowWork(read, { clock: systemClock, showBusy, offerCancel: offerCancel('Computing the price of the request') });
  if (price === 'aborted') {
    return;
  }
  if (price.problem !== null) {
    await vscode.window.showWarningMessage(`Cannot send the request again ${chosen.inWords}.`, { modal: true, detail: price.problem });
    return;
  }
  const model = chosen.change.kind === 'model' ? chosen.change.model : attempt.model;
  if (await agrees({ chosen, price, model }, ports)) {
    await openBeside(await again.sendAgain(chatId, attemptId, { ...chosen, usd: price.usd }));
  }
}

interface PriceQuestion {
  readonly chosen: SendAgainChoice;
  readonly price: SendAgainPrice;
  readonly model: ModelRef;
}

/** Asks whether the user accepts the price. If the API key is missing, the user can set it and answer after that. */
async function agrees(asked: PriceQuestion, ports: Pick<AskToSendAgainPorts, 'missingKey' | 'setKeyOf'>): Promise<boolean> {
  const { chosen, price, model } = asked;
  const missing = await ports.missingKey(model);
  const answer = await vscode.window.showInformationMessage(
    priceOfChoice(chosen, price),
    { modal: true, detail: detailOf(price, missing) },
    ...(missing === null ? [SEND] : [SET_KEY, SEND]),
  );
  if (answer === SET_KEY) {
    await ports.setKeyOf(model.provider);
    return agrees(asked, ports);
  }
  return answer === SEND;
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
