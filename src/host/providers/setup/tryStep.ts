import { findChanged } from './changedWindows.js';
import { toModel } from '../configuredProviders.js';
import { connect } from './connect.js';
import { draftProvider, screen, type Draft, type SetupPorts, type Turn } from './draft.js';
import { CHANGE_KEY, CHANGE_URL, failureText, remedy, TRY_AGAIN } from './listStep.js';
import { tryModel } from './tryModel.js';
import { choice } from './wizard.js';

const SAVE_ANYWAY = 'Save anyway';

/** Offers to send one small message, so that the first chat does not fail on what could be known now. */
export async function tryStep(draft: Draft, ports: SetupPorts): Promise<Turn> {
  const { wizard, protocols } = ports;
  const [first] = draft.models;
  if (first === undefined) {
    return { type: 'to', step: 'models', draft };
  }
  const answer = await wizard.pick(screen('try', draft, 'Try it out before it is saved?'), [
    choice(`Send a small test message to ${first.label}`, true, { detail: 'A few tokens' }),
    choice('Save without a test', false, {}),
  ]);
  if (answer.type !== 'value') {
    return answer;
  }
  if (!answer.value) {
    return { type: 'save', draft };
  }
  const model = toModel(draftProvider(draft, []).id, first, protocols[draft.protocol]);
  for (;;) {
    const tried = await wizard.progress(`Sending a test message to ${first.label}`, async (signal) => {
      const words = await tryModel(await connect(draft, ports), model, signal);
      return findChanged({ ...draft, tested: words }, ports, signal);
    });
    if (tried.ok) {
      return { type: 'save', draft: tried.value };
    }
    const next = await wizard.dialog(failureText(tried.error), [TRY_AGAIN, CHANGE_KEY, CHANGE_URL, SAVE_ANYWAY]);
    if (next !== TRY_AGAIN) {
      return next === SAVE_ANYWAY ? { type: 'save', draft } : remedy(next, draft);
    }
  }
}
