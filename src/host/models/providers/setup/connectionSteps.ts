import { failure } from '../../../../engine/errors.js';
import { isAzure } from '../../../../providers/azure.js';
import { AZURE_HOST, type CheckedUrl, azureBaseUrl, checkBaseUrl } from '../baseUrl.js';
import { originOf } from '../providerConfig.js';
import { PRESETS } from '../presets.js';
import { type Answers, type NextStep, type SetupPorts, screen } from './answers.js';
import type { InputRemark } from './wizard.js';

export async function labelStep(answers: Answers, { wizard }: SetupPorts): Promise<NextStep> {
  const answer = await wizard.input(screen('label', answers, 'Name of the provider'), {
    value: answers.label,
    placeholder: '',
    password: false,
    check: (text) => (text.trim() === '' ? { severity: 'error', text: 'Enter a name.' } : null),
  });
  const step = answers.asked.includes('resource') ? 'resource' : 'url';
  return answer.type === 'value' ? { type: 'to', step, answers: { ...answers, label: answer.value.trim() } } : answer;
}

export async function urlStep(answers: Answers, { wizard }: SetupPorts): Promise<NextStep> {
  const example = PRESETS.find(({ protocol }) => protocol === answers.protocol)?.baseUrl ?? 'https://';
  const answer = await wizard.input(screen('url', answers, `Base URL of the API, for example ${example}`), {
    value: answers.baseUrl,
    placeholder: 'https://',
    password: false,
    check: (text) => urlRemark(checkBaseUrl(text)),
  });
  return answer.type === 'value' ? toKey(answers, checkBaseUrl(answer.value)) : answer;
}

export async function resourceStep(answers: Answers, { wizard }: SetupPorts): Promise<NextStep> {
  const answer = await wizard.input(screen('resource', answers, `Name of the Azure resource, or its address: https://${AZURE_HOST}`), {
    value: answers.baseUrl,
    placeholder: '',
    password: false,
    check: (text) => urlRemark(azureBaseUrl(text)),
  });
  return answer.type === 'value' ? toKey(answers, azureBaseUrl(answer.value)) : answer;
}

function toKey(answers: Answers, url: CheckedUrl): NextStep {
  // `url` is valid, because the input box accepts only valid addresses.
  const baseUrl = url.ok ? url.baseUrl : answers.baseUrl;
  // Drops the key, because the user entered it for another address.
  const isMoved = answers.baseUrl !== '' && originOf({ baseUrl }) !== originOf(answers);
  return { type: 'to', step: 'key', answers: { ...answers, baseUrl, key: isMoved ? null : answers.key } };
}

function urlRemark(url: CheckedUrl): InputRemark | null {
  if (!url.ok) {
    return { severity: 'error', text: url.problem };
  }
  return url.warning === null ? null : { severity: 'warning', text: url.warning };
}

export async function keyStep(answers: Answers, { wizard, keys }: SetupPorts): Promise<NextStep> {
  const { existing, baseUrl } = answers;
  const isStored = existing !== null && (await keys.has({ ...existing, baseUrl }));
  const kept = isStored ? 'Leave the field empty to keep the stored key.' : 'Leave the field empty if the server needs no key.';
  const answer = await wizard.input(screen('key', answers, `API key for ${new URL(baseUrl).host}. ${kept}`), {
    value: answers.key ?? '',
    placeholder: '',
    password: true,
    check: keyRemark,
  });
  if (answer.type !== 'value') {
    return answer;
  }
  const key = answer.value.trim();
  // Azure's list of models does not contain deployments, so the user enters the names of deployments.
  return { type: 'to', step: isAzure(baseUrl) ? 'byHand' : 'list', answers: { ...answers, key: key === '' ? null : key } };
}

/** Returns an error for a key with characters that headers cannot have. Requests with this key would fail. */
export function keyRemark(text: string): InputRemark | null {
  return /^[\x21-\x7e]*$/.test(text.trim()) ? null : { severity: 'error', text: failure('setup.keyCharacters').message };
}
