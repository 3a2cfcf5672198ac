import type { LoupeError } from '../../../../engine/errors.js';
import type { EndpointClient } from '../../../../providers/endpoint.js';
import { endpointOf } from '../providerConfig.js';
import { alsoAsking, providerOf, type Answers, type SetupPorts, type NextStep } from './answers.js';

/** Reads the endpoint's list of models. This also checks the address and the key. */
export async function listStep(given: Answers, ports: SetupPorts): Promise<NextStep> {
  const { wizard } = ports;
  let answers = given;
  for (;;) {
    const listed = await wizard.progress(`Loading the models of ${answers.label}`, async (signal) =>
      (await connect(answers, ports)).listModels(signal),
    );
    if (listed.ok && listed.value.length > 0) {
      return { type: 'to', step: 'models', answers: { ...answers, listed: listed.value } };
    }
    const error = listed.ok ? null : listed.error;
    const longer = likelierUrl(answers, error);
    const text = error === null ? noModels(answers) : failureText(error);
    const next =
      longer === null ? await wizard.dialog(text, buttons(error)) : await wizard.dialog(`${text}${LACKS_V1}`, [ADD_V1, ...buttons(error)]);
    if (next === ADD_V1 && longer !== null) {
      answers = { ...answers, baseUrl: longer };
    } else if (next !== TRY_AGAIN) {
      return next === BY_HAND ? { type: 'to', step: 'byHand', answers: { ...answers, listed: null } } : remedy(next, answers);
    }
  }
}

/** Creates a client for the provider. Uses the entered key, or the stored key of this address. */
export async function connect(answers: Answers, { protocols, keys }: SetupPorts): Promise<EndpointClient> {
  const provider = providerOf(answers, []);
  const key = async (): Promise<string | null> => {
    const isStored = answers.key === null && answers.existing !== null && (await keys.has(provider));
    return isStored ? keys.get(provider) : answers.key;
  };
  return protocols[answers.protocol].loadClient(endpointOf(provider, key));
}

export const TRY_AGAIN = 'Try again';
export const CHANGE_KEY = 'Change key';
export const CHANGE_URL = 'Change address';
const BY_HAND = 'Enter model IDs';
const ADD_V1 = 'Add /v1';
const LACKS_V1 = ' The address of an OpenAI-compatible server usually ends in /v1, but this address does not.';

function noModels({ label }: Answers): string {
  return `${label} answered, but listed no models. Enter model IDs by hand, or change the address.`;
}

/** Returns the address plus `/v1` if this may help, else null: also for Anthropic, whose client itself adds `/v1`. */
function likelierUrl({ protocol, baseUrl }: Answers, error: LoupeError | null): string | null {
  const isBare = new URL(baseUrl).pathname === '/';
  return protocol === 'openai-compatible' && error?.code === 'provider.noModelList' && isBare ? `${baseUrl}/v1` : null;
}

/** Returns the buttons for a failure. The most likely solution is first. */
function buttons(error: LoupeError | null): string[] {
  if (error?.kind === 'auth') {
    return [CHANGE_KEY, CHANGE_URL, TRY_AGAIN, BY_HAND];
  }
  if (error?.code === 'connection.badPort') {
    // Offers the URL first, because `fetch` blocks this port in each further try.
    return [CHANGE_URL, TRY_AGAIN, CHANGE_KEY, BY_HAND];
  }
  return error === null || error.kind === 'protocol'
    ? [BY_HAND, CHANGE_URL, CHANGE_KEY, TRY_AGAIN]
    : [TRY_AGAIN, CHANGE_URL, CHANGE_KEY, BY_HAND];
}

export function remedy(chosen: string | null, answers: Answers): NextStep {
  switch (chosen) {
    case CHANGE_KEY:
      return { type: 'to', step: 'key', answers: alsoAsking({ ...answers, key: null }, ['key']) };
    case CHANGE_URL:
      // The user entered a resource instead of a URL for Azure.
      return answers.asked.includes('resource')
        ? { type: 'to', step: 'resource', answers }
        : { type: 'to', step: 'url', answers: alsoAsking(answers, ['url', 'key']) };
    default:
      return { type: 'cancel' };
  }
}

export function failureText(error: LoupeError): string {
  return error.kind === 'cancelled' ? 'You stopped this step.' : error.message;
}
