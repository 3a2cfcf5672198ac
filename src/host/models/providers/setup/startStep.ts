import type { LoupeError } from '../../../../engine/errors.js';
import { LOCAL_ADDRESSES, type LocalServer, windowWarning } from '../../../../providers/local/localAddresses.js';
import { AZURE_HOST, AZURE_LABEL } from '../baseUrl.js';
import { PRESETS, type Preset } from '../presets.js';
import { PROTOCOL_IDS, type ProtocolId } from '../providerConfig.js';
import { type Answers, type NextStep, type SetupPorts, firstScreen, newAnswers, screen } from './answers.js';
import { choice } from './wizard.js';

type StartChoice =
  | { readonly type: 'new'; readonly step: 'label' | 'resource' | 'key'; readonly answers: Answers }
  | { readonly type: 'local' };

/** The questions for a server without a preset. */
const OTHER_SERVER: Answers['asked'] = ['start', 'label', 'url', 'key'];

export async function startStep(ports: SetupPorts): Promise<NextStep> {
  const answer = await ports.wizard.pick<StartChoice>(firstScreen('Choose the kind of provider'), [
    ...PRESETS.map((preset) =>
      choice<StartChoice>(preset.label, presetStart(preset, ports), { description: new URL(preset.baseUrl).host }),
    ),
    choice<StartChoice>(AZURE_LABEL, azureStart(ports), { description: AZURE_HOST }),
    choice<StartChoice>('Find servers on this computer', { type: 'local' }, { detail: 'Ollama, LM Studio' }),
    ...PROTOCOL_IDS.map((protocol) =>
      choice<StartChoice>(ports.protocols[protocol].label, otherStart(protocol), { detail: ports.protocols[protocol].detail }),
    ),
  ]);
  if (answer.type !== 'value') {
    return answer;
  }
  const start = answer.value;
  return start.type === 'local' ? findLocal(ports) : { type: 'to', step: start.step, answers: start.answers };
}

function presetStart(preset: Preset, ports: SetupPorts): StartChoice {
  return { type: 'new', step: 'key', answers: newAnswers({ ...preset, asked: ['start', 'key'], label: freeLabel(preset.label, ports) }) };
}

function azureStart(ports: SetupPorts): StartChoice {
  const label = freeLabel(AZURE_LABEL, ports);
  const answers = newAnswers({ asked: ['start', 'resource', 'key'], protocol: 'openai-compatible', label, baseUrl: '' });
  return { type: 'new', step: 'resource', answers };
}

function otherStart(protocol: ProtocolId): StartChoice {
  return { type: 'new', step: 'label', answers: newAnswers({ asked: OTHER_SERVER, protocol, label: '', baseUrl: '' }) };
}

/** Returns a label, with a number if another provider has it: users can add a provider twice, with two keys. */
function freeLabel(label: string, ports: Pick<SetupPorts, 'existing'>): string {
  const taken = new Set(ports.existing().map((provider) => provider.label));
  let free = label;
  for (let number = 2; taken.has(free); number += 1) {
    free = `${label} ${number}`;
  }
  return free;
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
    const next = await wizard.dialog(`${noServer(missing)} Start a server and try again.`, ['Try again', 'Enter the address']);
    if (next !== 'Try again') {
      return next === null
        ? { type: 'cancel' }
        : {
            type: 'to',
            step: 'label',
            answers: newAnswers({
              asked: OTHER_SERVER,
              protocol: 'openai-compatible',
              label: 'Local server',
              baseUrl: 'http://127.0.0.1:8080/v1',
            }),
          };
    }
  }
}

function smallText(count: number): string {
  return count === 1 ? '1 model runs with less context than it supports' : `${count} models run with less context than they support`;
}

const portOf = (address: string): string => new URL(address).port;

/** Explains why Loupe found no server. Usually no server is running. Names servers with an unexpected response. */
function noServer(missing: readonly LoupeError[]): string {
  const wrong = missing.filter(({ kind }) => kind !== 'network');
  const { ollama, 'lm-studio': lmStudio } = LOCAL_ADDRESSES;
  return wrong.length === 0
    ? `Neither Ollama (port ${portOf(ollama)}) nor LM Studio (port ${portOf(lmStudio)}) is running on this computer.`
    : `Loupe found no server on this computer. ${wrong.map(({ message }) => message).join(' ')}`;
}

async function pickServer(servers: readonly LocalServer[], ports: SetupPorts): Promise<NextStep> {
  const asked: Answers['asked'] = ['start', 'server'];
  const choices = servers.map((server) => {
    const small = server.models.filter((model) => windowWarning(server.kind, model) !== null).length;
    const detail = small === 0 ? '' : smallText(small);
    return choice(server.label, server, {
      description: `${server.baseUrl} · ${server.models.length} ${server.models.length === 1 ? 'model' : 'models'}`,
      detail,
    });
  });
  const answer = await ports.wizard.pick(screen('server', { existing: null, asked }, 'Choose a server'), choices);
  if (answer.type !== 'value') {
    return answer;
  }
  const local = answer.value;
  const { label, baseUrl } = local;
  const existing = ports.existing().find((provider) => provider.baseUrl === baseUrl) ?? null;
  const answers = {
    ...newAnswers({ asked, protocol: 'openai-compatible', label, baseUrl }),
    existing,
    local,
    models: existing?.models ?? [],
  };
  return { type: 'to', step: 'models', answers: answers };
}
