import { failure } from '../../../engine/errors.js';
import { checkBaseUrl } from '../baseUrl.js';
import { originOf } from '../providerConfig.js';
import { screen, type Draft, type SetupPorts, type Turn } from './draft.js';
import type { Remark } from './wizard.js';

export async function labelStep(draft: Draft, { wizard }: SetupPorts): Promise<Turn> {
  const answer = await wizard.input(screen('label', draft, 'A name for the provider'), {
    value: draft.label,
    placeholder: '',
    password: false,
    check: (text) => (text.trim() === '' ? { severity: 'error', text: 'A name is needed.' } : null),
  });
  return answer.type === 'value' ? { type: 'to', step: 'url', draft: { ...draft, label: answer.value.trim() } } : answer;
}

export async function urlStep(draft: Draft, { wizard }: SetupPorts): Promise<Turn> {
  const answer = await wizard.input(screen('url', draft, 'The address that the paths of the protocol follow'), {
    value: draft.baseUrl,
    placeholder: 'https://',
    password: false,
    check: urlRemark,
  });
  if (answer.type !== 'value') {
    return answer;
  }
  const url = checkBaseUrl(answer.value);
  // The input box accepts no other.
  const baseUrl = url.ok ? url.baseUrl : draft.baseUrl;
  // A key that was typed for one address is not sent to another.
  const isMoved = originOf({ baseUrl }) !== originOf(draft);
  return { type: 'to', step: 'key', draft: { ...draft, baseUrl, key: isMoved ? null : draft.key } };
}

function urlRemark(text: string): Remark | null {
  const url = checkBaseUrl(text);
  const remark = (severity: Remark['severity'], said: string): Remark => ({ severity, text: `The address ${said}` });
  return !url.ok ? remark('error', url.problem) : url.warning === null ? null : remark('warning', url.warning);
}

export async function keyStep(draft: Draft, { wizard, keys }: SetupPorts): Promise<Turn> {
  const { existing, baseUrl } = draft;
  const isStored = existing !== null && (await keys.has({ ...existing, baseUrl }));
  const kept = isStored ? 'Leave it empty to keep the one that is stored.' : 'Leave it empty for a server without keys.';
  const answer = await wizard.input(screen('key', draft, `The key for ${new URL(baseUrl).host}. ${kept}`), {
    value: draft.key ?? '',
    placeholder: '',
    password: true,
    check: keyRemark,
  });
  if (answer.type !== 'value') {
    return answer;
  }
  const key = answer.value.trim();
  return { type: 'to', step: 'list', draft: { ...draft, key: key === '' ? null : key } };
}

/** What cannot stand in a header would fail at each request, with a message nobody understands. */
export function keyRemark(text: string): Remark | null {
  return /^[\x21-\x7e]*$/.test(text.trim()) ? null : { severity: 'error', text: failure('setup.keyCharacters').message };
}
