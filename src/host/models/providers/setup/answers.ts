import type { Spent } from '../../../../engine/chat/ledger.js';
import type { ModelRef } from '../../../../engine/model/modelRef.js';
import type { Catalog } from '../../../../providers/catalog/catalog.js';
import type { ListedModel } from '../../../../providers/endpoint.js';
import type { FoundServers } from '../../../../providers/local/findLocalServers.js';
import type { LocalServer } from '../../../../providers/local/localServer.js';
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

/** The steps of the dialog that adds or edits a provider. */
export type StepName = 'start' | 'label' | 'url' | 'resource' | 'key' | 'list' | 'models' | 'byHand' | 'try';

/** The questions about the provider itself, in their order, before those about its models. */
const PROVIDER_QUESTIONS = ['start', 'server', 'label', 'url', 'resource', 'key'] as const;
type ProviderQuestion = (typeof PROVIDER_QUESTIONS)[number];

/** The user's answers so far. Nothing is saved before the end. */
export interface Answers {
  /** The provider being edited; null for a new one. */
  readonly existing: ProviderConfig | null;
  /** The local server that was found; null for any other provider. */
  readonly local: LocalServer | null;
  /** The questions about it in this dialog: what is known with its kind is not asked for. */
  readonly asked: readonly ProviderQuestion[];
  readonly protocol: ProtocolId;
  readonly label: string;
  readonly baseUrl: string;
  /** A new key; null for none, or to keep the stored one. */
  readonly key: string | null;
  /** The endpoint's own list of models; null when it was not read. */
  readonly listed: readonly ListedModel[] | null;
  readonly models: readonly ModelConfig[];
  /** The outcome of the test message, for the user; null without a test. */
  readonly tested: string | null;
}

/** The next move of the dialog. */
export type NextStep =
  | { readonly type: 'to'; readonly step: StepName; readonly answers: Answers }
  | { readonly type: 'back' }
  | { readonly type: 'cancel' }
  /** `inSettings`: whether the user wants to change the figures of the models in the settings then. */
  | { readonly type: 'save'; readonly answers: Answers; readonly inSettings: boolean };

export interface SetupPorts {
  readonly wizard: Wizard;
  readonly protocols: Readonly<Record<ProtocolId, Protocol>>;
  readonly keys: Pick<KeyStore, 'has' | 'get' | 'set' | 'remove'>;
  existing(): readonly ProviderConfig[];
  loadCatalog(): Promise<Catalog>;
  findLocalServers(signal: AbortSignal): Promise<FoundServers>;
  /** Keeps what a test message used. Never rejects. */
  used(model: ModelRef, spent: Spent): Promise<void>;
  /** Saves the provider in the user's settings and replaces one with its id. */
  save(provider: ProviderConfig): Promise<void>;
  /** Removes the provider from the user's settings. */
  remove(provider: ProviderConfig): Promise<void>;
}

/** What is known at the start of a new provider. The user may change it. */
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

/** The provider that the answers describe. `taken` holds the ids of other providers. */
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
    // Like a key it was given to one address.
    countsTokens: existing !== null && existing.countsTokens && originOf(existing) === originOf({ baseUrl }),
    models,
  };
}

/** An id derived from the label, such as `my-server`, with a number when it is taken. */
function freeId(label: string, taken: readonly string[]): string {
  const words = label.toLowerCase().match(/[a-z0-9]+/g) ?? ['provider'];
  const id = words.join('-').slice(0, MAX_ID_LENGTH);
  let free = id;
  for (let number = 2; taken.includes(free) || isReserved(free); number += 1) {
    free = `${id}-${number}`;
  }
  return free;
}

/** Ids have at most 100 characters: this leaves room for a number. */
const MAX_ID_LENGTH = 90;

/** The answers in a dialog that asks these questions, too. */
export function alsoAsking(answers: Answers, questions: Answers['asked']): Answers {
  return { ...answers, asked: PROVIDER_QUESTIONS.filter((each) => answers.asked.includes(each) || questions.includes(each)) };
}

/** The heading of the first question about a new provider: how many follow is known with its answer. */
export function firstScreen(prompt: string): Screen {
  return { title: ADD_TITLE, number: 1, of: null, canGoBack: false, prompt };
}

/** The heading of a step. */
export function screen(step: StepName | 'server', { asked, existing }: Pick<Answers, 'asked' | 'existing'>, prompt: string): Screen {
  const questions: readonly (StepName | 'server')[] = [...asked, 'models', 'try'];
  const at = questions.indexOf(step === 'byHand' ? 'models' : step);
  const title = existing === null ? ADD_TITLE : `Edit ${existing.label}`;
  return { title, number: at + 1, of: questions.length, canGoBack: at > 0, prompt };
}

const ADD_TITLE = 'Add a provider';
