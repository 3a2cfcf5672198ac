import { windowWarning, type LocalServer } from '../../../providers/local/localServer.js';
import { PROTOCOL_IDS, type ProtocolId, type ProviderConfig } from '../providerConfig.js';
import { newDraft, screen, type Draft, type SetupPorts, type Turn } from './draft.js';
import { choice } from './wizard.js';

type Start =
  | { readonly type: 'protocol'; readonly id: ProtocolId }
  | { readonly type: 'local' }
  | { readonly type: 'edit' | 'remove'; readonly provider: ProviderConfig };

/** The first question: what to add, or what to change. */
export async function startStep(ports: SetupPorts): Promise<Turn> {
  const existing = ports.existing();
  const answer = await ports.wizard.pick<Start>(screen('start', null, 'How is the provider reached?'), [
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
      return { type: 'to', step: 'label', draft: newDraft(start.id, ports.protocols[start.id]) };
    case 'local':
      return findLocal(ports);
    case 'edit':
      return { type: 'to', step: 'label', draft: editDraft(start.provider) };
    case 'remove':
      return remove(start.provider, ports);
  }
}

function editDraft(existing: ProviderConfig): Draft {
  const { protocol, label, baseUrl, models } = existing;
  return { existing, local: null, protocol, label, baseUrl, key: null, listed: null, models, tested: null };
}

async function remove(provider: ProviderConfig, { wizard }: SetupPorts): Promise<Turn> {
  const text = `Remove ${provider.label} with its models and its key? Chats that used them stay readable.`;
  return (await wizard.dialog(text, ['Remove'])) === null ? { type: 'cancel' } : { type: 'remove', provider };
}

async function findLocal(ports: SetupPorts): Promise<Turn> {
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
    const reasons = missing.map(({ message }) => message).join(' ');
    const next = await wizard.dialog(`No server was found on this computer. ${reasons} Start one and try again.`, [
      'Try again',
      'Enter the address',
    ]);
    if (next !== 'Try again') {
      return next === null
        ? { type: 'cancel' }
        : {
            type: 'to',
            step: 'label',
            draft: newDraft('openai-compatible', { suggestedLabel: 'Local server', suggestedUrl: 'http://127.0.0.1:8080/v1' }),
          };
    }
  }
}

async function pickServer(servers: readonly LocalServer[], ports: SetupPorts): Promise<Turn> {
  const choices = servers.map((server) => {
    const small = server.models.filter((model) => windowWarning(server.kind, model) !== null).length;
    const detail = small === 0 ? '' : `${small} with a smaller context window than the model has`;
    return choice(server.label, server, { description: `${server.baseUrl} · ${server.models.length} models`, detail });
  });
  const [first = null] = servers;
  const answer = await ports.wizard.pick(screen('start', { existing: null, local: first }, 'Which of these servers?'), choices);
  if (answer.type !== 'value') {
    return answer;
  }
  const local = answer.value;
  const { label, baseUrl } = local;
  const existing = ports.existing().find((provider) => provider.baseUrl === baseUrl) ?? null;
  const draft = {
    ...newDraft('openai-compatible', { suggestedLabel: label, suggestedUrl: baseUrl }),
    existing,
    local,
    models: existing?.models ?? [],
  };
  return { type: 'to', step: 'models', draft };
}
