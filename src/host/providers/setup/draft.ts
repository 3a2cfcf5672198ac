import type { Catalog } from '../../../providers/catalog/catalog.js';
import type { ListedModel } from '../../../providers/endpoint.js';
import type { FoundServers } from '../../../providers/local/findLocalServers.js';
import type { LocalServer } from '../../../providers/local/localServer.js';
import type { KeyStore } from '../keyStore.js';
import { DEFAULT_SILENCE_SECONDS, isReserved, type ModelConfig, type ProtocolId, type ProviderConfig } from '../providerConfig.js';
import type { Protocol } from '../protocols.js';
import type { Screen, Wizard } from './wizard.js';

/** The steps of adding a provider. */
export type StepName = 'start' | 'label' | 'url' | 'key' | 'list' | 'models' | 'byHand' | 'review' | 'try';

/** What the user has said so far. Nothing of it is kept anywhere before the end. */
export interface Draft {
  /** The provider that is edited; null for a new one. */
  readonly existing: ProviderConfig | null;
  /** The server on this computer that was found; null for any other. */
  readonly local: LocalServer | null;
  readonly protocol: ProtocolId;
  readonly label: string;
  readonly baseUrl: string;
  /** A new key; null for none, or the one that is stored. */
  readonly key: string | null;
  /** The endpoint's own list; null when it was not read. */
  readonly listed: readonly ListedModel[] | null;
  readonly models: readonly ModelConfig[];
  /** What the test message brought, for the user; null without one. */
  readonly tested: string | null;
}

/** Where the sequence goes on. */
export type Turn =
  | { readonly type: 'to'; readonly step: StepName; readonly draft: Draft }
  | { readonly type: 'back' }
  | { readonly type: 'cancel' }
  | { readonly type: 'save'; readonly draft: Draft }
  | { readonly type: 'remove'; readonly provider: ProviderConfig };

export interface SetupPorts {
  readonly wizard: Wizard;
  readonly protocols: Readonly<Record<ProtocolId, Protocol>>;
  readonly keys: Pick<KeyStore, 'has' | 'get' | 'set' | 'remove'>;
  existing(): readonly ProviderConfig[];
  loadCatalog(): Promise<Catalog>;
  findLocalServers(signal: AbortSignal): Promise<FoundServers>;
  /** Writes the provider to the user's settings, in place of the one with its id. */
  save(provider: ProviderConfig): Promise<void>;
  /** Takes the provider out of the user's settings. */
  remove(provider: ProviderConfig): Promise<void>;
}

export function newDraft(protocol: ProtocolId, suggested: Pick<Protocol, 'suggestedLabel' | 'suggestedUrl'>): Draft {
  return {
    existing: null,
    local: null,
    protocol,
    label: suggested.suggestedLabel,
    baseUrl: suggested.suggestedUrl,
    key: null,
    listed: null,
    models: [],
    tested: null,
  };
}

/** The provider that the draft describes. `taken` are the ids that others have. */
export function draftProvider(draft: Draft, taken: readonly string[]): ProviderConfig {
  const { existing, label, protocol, baseUrl, models } = draft;
  return {
    id: existing?.id ?? freeId(label, taken),
    label,
    protocol,
    baseUrl,
    headers: existing?.headers ?? {},
    silenceSeconds: existing?.silenceSeconds ?? DEFAULT_SILENCE_SECONDS,
    models,
  };
}

/** An id made of the label, such as `my-server`; with a number when that is taken. */
function freeId(label: string, taken: readonly string[]): string {
  const words = label.toLowerCase().match(/[a-z0-9]+/g) ?? ['provider'];
  const id = words.join('-').slice(0, MAX_ID_LENGTH);
  let free = id;
  for (let number = 2; taken.includes(free) || isReserved(free); number += 1) {
    free = `${id}-${number}`;
  }
  return free;
}

/** Leaves room for a number within the 100 characters of an id. */
const MAX_ID_LENGTH = 90;

const NUMBERS: Readonly<Record<StepName, number>> = {
  start: 1,
  label: 2,
  url: 3,
  key: 4,
  list: 5,
  models: 5,
  byHand: 5,
  review: 6,
  try: 7,
};
/** A server that was found needs no name, address and key. */
const LOCAL_NUMBERS: Readonly<Record<StepName, number>> = { ...NUMBERS, list: 2, models: 2, byHand: 2, review: 3, try: 4 };

export function screen(step: StepName, draft: Pick<Draft, 'existing' | 'local'> | null, prompt: string): Screen {
  const numbers = draft !== null && draft.local !== null ? LOCAL_NUMBERS : NUMBERS;
  const title = draft !== null && draft.existing !== null ? `Edit ${draft.existing.label}` : 'Add a provider';
  return { title, number: numbers[step], of: numbers.try, canGoBack: step !== 'start', prompt };
}
