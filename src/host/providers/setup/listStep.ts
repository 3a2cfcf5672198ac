import type { LoupeError } from '../../../engine/errors.js';
import { connect } from './connect.js';
import type { Draft, SetupPorts, Turn } from './draft.js';

/** Asks the endpoint for its models: the first proof that address and key are right. */
export async function listStep(draft: Draft, ports: SetupPorts): Promise<Turn> {
  const { wizard } = ports;
  for (;;) {
    const listed = await wizard.progress(`Asking ${draft.label} for its models`, async (signal) =>
      (await connect(draft, ports)).listModels(signal),
    );
    if (listed.ok && listed.value.length > 0) {
      return { type: 'to', step: 'models', draft: { ...draft, listed: listed.value } };
    }
    const text = listed.ok ? `${draft.label} answered, but it lists no models.` : failureText(listed.error);
    const next = await wizard.dialog(text, buttons(listed.ok ? null : listed.error));
    if (next !== TRY_AGAIN) {
      return next === BY_HAND ? { type: 'to', step: 'byHand', draft: { ...draft, listed: null } } : remedy(next, draft);
    }
  }
}

export const TRY_AGAIN = 'Try again';
export const CHANGE_KEY = 'Change key';
export const CHANGE_URL = 'Change address';
const BY_HAND = 'Enter models by hand';

/** The likeliest remedy first. */
function buttons(error: LoupeError | null): string[] {
  if (error?.kind === 'auth') {
    return [CHANGE_KEY, CHANGE_URL, TRY_AGAIN, BY_HAND];
  }
  return error === null || error.kind === 'protocol'
    ? [BY_HAND, CHANGE_URL, CHANGE_KEY, TRY_AGAIN]
    : [TRY_AGAIN, CHANGE_URL, CHANGE_KEY, BY_HAND];
}

/** Where the sequence goes on after a failure. */
export function remedy(chosen: string | null, draft: Draft): Turn {
  switch (chosen) {
    case CHANGE_KEY:
      return { type: 'to', step: 'key', draft: { ...draft, key: null } };
    case CHANGE_URL:
      return { type: 'to', step: 'url', draft };
    default:
      return { type: 'cancel' };
  }
}

export function failureText(error: LoupeError): string {
  return error.kind === 'cancelled' ? 'You stopped it.' : error.message;
}
