import type { Spent } from '../../../../engine/accounting/ledger.js';
import { findChanged } from './changedWindows.js';
import { toModel } from '../configuredProviders.js';
import { connect } from './connect.js';
import { providerOf, screen, type Answers, type SetupPorts, type NextStep } from './answers.js';
import { CHANGE_KEY, CHANGE_URL, failureText, remedy, TRY_AGAIN } from './listStep.js';
import { tryModel } from './tryModel.js';
import { choice } from './wizard.js';

const SAVE_ANYWAY = 'Save anyway';

/** Offers to send one small message, so that problems appear now and not in the first chat. */
export async function tryStep(answers: Answers, ports: SetupPorts): Promise<NextStep> {
  const { wizard, protocols } = ports;
  const [first] = answers.models;
  if (first === undefined) {
    return { type: 'to', step: 'models', answers: answers };
  }
  const answer = await wizard.pick(screen('try', answers, 'Send a test message before saving?'), [
    choice(`Send a test message to ${first.label}`, true, {
      detail: 'A few tokens, which your provider bills. Usage lists them outside of chats.',
    }),
    choice('Save without a test', false, {}),
  ]);
  if (answer.type !== 'value') {
    return answer;
  }
  if (!answer.value) {
    return { type: 'save', answers };
  }
  const taken = ports.existing().map(({ id }) => id);
  const model = toModel(providerOf(answers, taken), first, protocols[answers.protocol]);
  const used = (spent: Spent): Promise<void> => ports.used(model.ref, spent);
  for (;;) {
    const tried = await wizard.progress(`Sending a test message to ${first.label}`, async (signal) => {
      const words = await tryModel({ client: await connect(answers, ports), model, signal, used });
      return findChanged({ ...answers, tested: words }, ports, signal);
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
