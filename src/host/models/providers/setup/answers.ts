import type { UsageEntry } from '../../../../engine/chat/ledger.js';
import type { ModelRef } from '../../../../engine/model/modelRef.js';
import type { PriceList } from '../../../../providers/priceList/priceList.js';
import type { ListedModel } from '../../../../providers/endpoint.js';
import type { FoundServers } from '../../../../providers/local/findLocalServers.js';
import type { LocalServer } from '../../../../providers/local/localAddresses.js';
import type { KeyStore } from '../keyStore.js';
import {
  DEFAULT_SILENCE_SECONDS,
  isReserved,
  originOf,
  type ModelConfig,
  type ProtocolId,
  type ProviderConfig,
} from '../providerConfig.js';
import type { Protocol } from '../protocols.js';
import type { Screen, Wizard } from './wizard.js';

export type StepName = 'start' | 'label' | 'url' | 'resource' | 'key' | 'list' | 'models' | 'byHand' | 'try';

/** Questions about the provider, in order. Questions about its models follow. */
const PROVIDER_QUESTIONS = ['start', 'server', 'label', 'url', 'resource', 'key'] as const;
type ProviderQuestion = (typeof PROVIDER_QUESTIONS)[number];

/** The user's answers so far. Loupe saves them at the end of the dialog. */
export interface Answers {
  readonly existing: ProviderConfig | null;
  /** The local server that the user chose. Null for other providers. */
  readonly local: LocalServer | null;
  /** Questions about the provider in this dialog. Loupe omits questions with known answers. */
  readonly asked: readonly ProviderQuestion[];
  readonly protocol: ProtocolId;
  readonly label: string;
  readonly baseUrl: string;
  /** The new key. Null without a key, and to keep the stored key. */
  readonly key: string | null;
  /** The models in the list of the endpoint. Null when Loupe has not read the list. */
  readonly listed: readonly ListedModel[] | null;
  readonly models: readonly ModelConfig[];
  /** The result of the test message, in words. Null without a test. */
  readonly tested: string | null;
}

export type NextStep =
  | { readonly type: 'to'; readonly step: StepName; readonly answers: Answers }
  | { readonly type: 'back' }
  | { readonly type: 'cancel' }
  | { readonly type: 'save'; readonly answers: Answers };

export interface SetupPorts {
  readonly wizard: Wizard;
  readonly protocols: Readonly<Record<ProtocolId, Protocol>>;
  readonly keys: Pick<KeyStore, 'has' | 'get' | 'set' | 'remove'>;
  existing(): readonly ProviderConfig[];
  loadPriceList(): Promise<PriceList>;
  findLocalServers(signal: AbortSignal): Promise<FoundServers>;
  /** Records the usage of the test message. Never rejects. */
  recordUsage(model: ModelRef, spent: UsageEntry): Promise<void>;
  /** Saves the provider in the user's settings. Replaces a provider with the same id. */
  save(provider: ProviderConfig): Promise<void>;
  remove(provider: ProviderConfig): Promise<void>;
}

export function newAnswers({ asked, protocol, label, baseUrl }: Pick<Answers, 'asked' | 'protocol' | 'label' | 'baseUrl'>): Answers {
  return {
    existing: null,
    local: null,
    asked,
    protocol,
    label,
    baseUrl,
    key: null,
    listed: null,
    models: [],
    tested: null,
  };
}

/** Returns the provider that the answers describe. `taken`: ids of other providers. */
export function providerOf(answers: Answers, taken: readonly string[]): ProviderConfig {
  const { existing, label, protocol, baseUrl, models } = answers;
  return {
    id: existing?.id ?? freeId(label, taken),
    label,
    protocol,
    baseUrl,
    headers: existing?.headers ?? {},
    keyHeader: existing?.keyHeader ?? null,
    silenceSeconds: existing?.silenceSeconds ?? DEFAULT_SILENCE_SECONDS,
    // The user's consent to counting is valid for one origin, like a key.
    countsTokens: existing !== null && existing.countsTokens && originOf(existing) === originOf({ baseUrl }),
    models,
  };
}

/** Returns an id made from the label, such as `my-server`. Adds a number to an id that another provider has. */
function freeId(label: string, taken: readonly string[]): string {
  const words = label.toLowerCase().match(/[a-z0-9]+/g) ?? ['provider'];
  const id = words.join('-').slice(0, MAX_ID_LENGTH);
  let free = id;
  for (let number = 2; taken.includes(free) || isReserved(free); number += 1) {
    free = `${id}-${number}`;
  }
  return free;
}

/** Maximum number of characters of an id without its number. The maximum with the number is 100. */
const MAX_ID_LENGTH = 90;

export function alsoAsking(answers: Answers, questions: Answers['asked']): Answers {
  return { ...answers, asked: PROVIDER_QUESTIONS.filter((each) => answers.asked.includes(each) || questions.includes(each)) };
}

/** The heading of the first question about a new provider. Has no number of steps, because it depends on the answer. */
export function firstScreen(prompt: string): Screen {
  return { title: ADD_TITLE, number: 1, of: null, canGoBack: false, prompt };
}

export function screen(step: StepName | 'server', { asked, existing }: Pick<Answers, 'asked' | 'existing'>, prompt: string): Screen {
  const questions: readonly (StepName | 'server')[] = [...asked, 'models', 'try'];
  const at = questions.indexOf(step === 'byHand' ? 'models' : step);
  const title = existing === null ? ADD_TITLE : `Edit ${existing.label}`;
  return { title, number: at + 1, of: questions.length, canGoBack: at > 0, prompt };
}

const ADD_TITLE = 'Add a provider';
