import type { UsageEntry } from '../../../../engine/chat/ledger.js';
import { isOnePrice } from '../../../../engine/model/price.js';
import type { PriceList } from '../../../../providers/priceList/priceList.js';
import { counted } from '../../../../protocol/numbers.js';
import type { LocalServer } from '../../../../providers/local/localAddresses.js';
import { limitsText, NO_CACHE_PRICES } from '../../modelTexts.js';
import { toModel } from '../configuredProviders.js';
import type { ModelConfig } from '../providerConfig.js';
import { providerOf, screen, type Answers, type SetupPorts, type NextStep } from './answers.js';
import { CHANGE_KEY, CHANGE_URL, connect, failureText, remedy, TRY_AGAIN } from './listStep.js';
import { askPrices, askSize } from './modelFigures.js';
import { warningOf } from './modelSteps.js';
import { tryModel } from './tryModel.js';
import { choice, type WizardChoice } from './wizard.js';

const SAVE_ANYWAY = 'Save anyway';

type TryChoice = 'test' | 'save' | ModelConfig;

/**
 * Asks the last question. Shows each model with its limits and prices, and asks for them if the user chooses a model.
 * Models without size or prices come first. Offers a test message, so that problems appear now instead of in the first
 * chat.
 */
export async function tryStep(begun: Answers, ports: SetupPorts): Promise<NextStep> {
  const priceList = await ports.loadPriceList();
  let answers = begun;
  for (;;) {
    const [first] = answers.models;
    if (first === undefined) {
      return { type: 'to', step: 'models', answers };
    }
    const unknown = answers.models.filter((model) => lacksFigures(model, answers));
    const known = answers.models.filter((model) => !unknown.includes(model));
    const answer = await ports.wizard.pick<TryChoice>(screen('try', answers, question(unknown.length)), [
      ...unknown.map((model) => modelChoice(model, 'Enter the unknown values')),
      choice<TryChoice>(`Send a test message to ${first.label}`, 'test', {
        detail: 'Your provider bills a few tokens. Usage lists them under "Outside of chats".',
      }),
      choice<TryChoice>('Save without a test', 'save', unknown.length === 0 ? {} : { detail: 'The unknown values stay unknown.' }),
      ...known.map((model) => modelChoice(model, noteOn(model, answers, priceList))),
    ]);
    if (answer.type !== 'value') {
      return answer;
    }
    if (answer.value === 'save') {
      return { type: 'save', answers };
    }
    if (answer.value === 'test') {
      return test(first, answers, ports);
    }
    const asked = await askFigures(answer.value, answers, ports);
    if (asked === null) {
      return { type: 'cancel' };
    }
    answers = { ...answers, models: answers.models.map((model) => (model === answer.value ? asked : model)) };
  }
}

/** Asks for the size of a model, and for its prices unless it is local. A step back keeps the model. Null: a cancel. */
async function askFigures(model: ModelConfig, answers: Answers, { wizard }: SetupPorts): Promise<ModelConfig | null> {
  const heading = { ...screen('try', answers, ''), title: model.label, canGoBack: true };
  const size = await askSize(model, heading, wizard);
  if (size.type !== 'value') {
    return size.type === 'back' ? model : null;
  }
  const sized = { ...model, maxInputTokens: size.value };
  if (answers.local !== null) {
    return sized;
  }
  const prices = await askPrices(sized, heading, wizard);
  return prices.type === 'value' ? { ...sized, prices: prices.value } : prices.type === 'back' ? sized : null;
}

/** Returns the question: `2 models lack their context size or price. Choose a model to enter them.` */
function question(unknown: number): string {
  return unknown === 0
    ? 'Send a test message before saving?'
    : `${counted(unknown, 'model')} ${unknown === 1 ? 'lacks its' : 'lack their'} context size or price. Choose a model to enter them.`;
}

/** Whether the context size or the price of a model is missing. Local models need no price. */
function lacksFigures({ id, maxInputTokens, prices }: ModelConfig, { local, listed }: Answers): boolean {
  const isForChat = (listed ?? []).every((each) => each.id !== id || each.otherUse === null);
  return (maxInputTokens === null && isForChat) || (prices === null && local === null);
}

function modelChoice(model: ModelConfig, detail: string): WizardChoice<TryChoice> {
  const output = model.maxOutputTokens === null ? '' : ` · up to ${model.maxOutputTokens.toLocaleString('en-US')} out`;
  return choice<TryChoice>(`$(gear) ${model.label}`, model, { description: `${limitsText(model)}${output}`, detail });
}

/** Returns a warning about the window or the source of the prices, and whether the model has no cache prices. */
function noteOn(model: ModelConfig, { local, baseUrl }: Answers, catalog: PriceList): string {
  const prices = local === null ? model.prices : null;
  const source = prices === null ? null : catalog(model.id, baseUrl);
  const assumed = prices !== null && isOnePrice(prices) ? [NO_CACHE_PRICES] : [];
  return [warningOf(model.id, local) ?? source?.note ?? '', 'Change its context size or prices', ...assumed]
    .filter((part) => part !== '')
    .join(' · ');
}

async function test(first: ModelConfig, answers: Answers, ports: SetupPorts): Promise<NextStep> {
  const { wizard, protocols } = ports;
  const taken = ports.existing().map(({ id }) => id);
  const model = toModel(providerOf(answers, taken), first, protocols[answers.protocol]);
  const used = (spent: UsageEntry): Promise<void> => ports.recordUsage(model.ref, spent);
  for (;;) {
    const tried = await wizard.progress(`Sending a test message to ${first.label}`, async (signal) => {
      const tested = await tryModel({ client: await connect(answers, ports), model, signal, used });
      const servers = answers.local === null ? [] : (await ports.findLocalServers(signal)).servers;
      return withRealWindow(first, { ...answers, tested }, servers);
    });
    if (tried.ok) {
      return { type: 'save', answers: tried.value };
    }
    const next = await wizard.dialog(failureText(tried.error), [TRY_AGAIN, CHANGE_KEY, CHANGE_URL, SAVE_ANYWAY]);
    if (next !== TRY_AGAIN) {
      return next === SAVE_ANYWAY ? { type: 'save', answers } : remedy(next, answers);
    }
  }
}

/**
 * Updates the answers after a test message to a local model. The message made the server load the model, so the server
 * now reports the real context window. If the window differs, the answers get the new window and a note.
 */
function withRealWindow(first: ModelConfig, answers: Answers, servers: readonly LocalServer[]): Answers {
  const local = servers.find(({ kind }) => kind === answers.local?.kind);
  const maxInputTokens = local?.models.find(({ id }) => id === first.id)?.realWindow ?? null;
  if (local === undefined || maxInputTokens === null || maxInputTokens === first.maxInputTokens) {
    return answers;
  }
  const note = warningOf(first.id, local) ?? `${first.label} runs with its full context size.`;
  const models = answers.models.map((model) => (model === first ? { ...model, maxInputTokens } : model));
  return { ...answers, local, models, tested: `${answers.tested ?? ''} ${note}`.trim() };
}
