import type { LoupeError } from '../../../../engine/errors.js';
import { LOCAL_ADDRESSES, windowWarning, type LocalServer } from '../../../../providers/local/localServer.js';
import { PROTOCOL_IDS, type ProtocolId, type ProviderConfig } from '../providerConfig.js';
import { noAnswers, screen, type Answers, type SetupPorts, type NextStep } from './answers.js';
import { choice } from './wizard.js';

type Start =
  | { readonly type: 'protocol'; readonly id: ProtocolId }
  | { readonly type: 'local' }
  | { readonly type: 'edit' | 'remove'; readonly provider: ProviderConfig };

/** The first question: what to add, or what to change. */
export async function startStep(ports: SetupPorts): Promise<NextStep> {
  const existing = ports.existing();
  const answer = await ports.wizard.pick<Start>(screen('start', null, 'Which kind of provider?'), [
    ...PROTOCOL_IDS.map((id) => choice<Start>(ports.protocols[id].label, { type: 'protocol', id }, { detail: ports.protocols[id].detail })),
    choice<Start>('Find servers on this computer', { type: 'local' }, { detail: 'Ollama, LM Studio' }),
    ...existing.map((provider) => choice<Start>(`Edit ${provider.label}…`, { type: 'edit', provider }, { description: provider.baseUrl })),
    ...existing.map((provider) => choice<Start>(`Remove ${provider.label}`, { type: 'remove', provider }, {})),
  ]);
  if (answer.type !== 'value') {
    return answer;
  }
  const start = answer.value;
  switch (start.type) {
    case 'protocol':
      return { type: 'to', step: 'label', answers: noAnswers(start.id, ports.protocols[start.id]) };
    case 'local':
      return findLocal(ports);
    case 'edit':
      return { type: 'to', step: 'label', answers: editDraft(start.provider) };
    case 'remove':
      return remove(start.provider, ports);
  }
}

function editDraft(existing: ProviderConfig): Answers {
  const { protocol, label, baseUrl, models } = existing;
  return { existing, local: null, protocol, label, baseUrl, key: null, listed: null, models, tested: null };
}

async function remove(provider: ProviderConfig, { wizard }: SetupPorts): Promise<NextStep> {
  const text = `Remove ${provider.label} with its models and its key? Existing chats are kept.`;
  return (await wizard.dialog(text, ['Remove'])) === null ? { type: 'cancel' } : { type: 'remove', provider };
}

async function findLocal(ports: SetupPorts): Promise<NextStep> {
  const { wizard } = ports;
  for (;;) {
    const found = await wizard.progress('Looking for servers on this computer', (signal) => ports.findLocalServers(signal));
    if (!found.ok) {
      return { type: 'cancel' };
    }
    const { servers, missing } = found.value;
    if (servers.length > 0) {
      return pickServer(servers, ports);
    }
    const next = await wizard.dialog(`${noServer(missing)} Start one and try again.`, ['Try again', 'Enter the address']);
    if (next !== 'Try again') {
      return next === null
        ? { type: 'cancel' }
        : {
            type: 'to',
            step: 'label',
            answers: noAnswers('openai-compatible', { suggestedLabel: 'Local server', suggestedUrl: 'http://127.0.0.1:8080/v1' }),
          };
    }
  }
}

function smallText(count: number): string {
  return count === 1 ? '1 model runs with less context than it supports' : `${count} models run with less context than they support`;
}

const portOf = (address: string): string => new URL(address).port;

/** Why no server was found. A server that answers wrongly is named; the usual reason is that none is running. */
function noServer(missing: readonly LoupeError[]): string {
  const wrong = missing.filter(({ code }) => code !== 'local.unreachable');
  const { ollama, 'lm-studio': lmStudio } = LOCAL_ADDRESSES;
  return wrong.length === 0
    ? `Neither Ollama (port ${portOf(ollama)}) nor LM Studio (port ${portOf(lmStudio)}) is running here.`
    : `No server was found on this computer. ${wrong.map(({ message }) => message).join(' ')}`;
}

async function pickServer(servers: readonly LocalServer[], ports: SetupPorts): Promise<NextStep> {
  const choices = servers.map((server) => {
    const small = server.models.filter((model) => windowWarning(server.kind, model) !== null).length;
    const detail = small === 0 ? '' : smallText(small);
    return choice(server.label, server, {
      description: `${server.baseUrl} · ${server.models.length} ${server.models.length === 1 ? 'model' : 'models'}`,
      detail,
    });
  });
  const [first = null] = servers;
  const answer = await ports.wizard.pick(screen('start', { existing: null, local: first }, 'Which server?'), choices);
  if (answer.type !== 'value') {
    return answer;
  }
  const local = answer.value;
  const { label, baseUrl } = local;
  const existing = ports.existing().find((provider) => provider.baseUrl === baseUrl) ?? null;
  const answers = {
    ...noAnswers('openai-compatible', { suggestedLabel: label, suggestedUrl: baseUrl }),
    existing,
    local,
    models: existing?.models ?? [],
  };
  return { type: 'to', step: 'models', answers: answers };
}
