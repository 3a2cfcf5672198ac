import type { CacheRules } from '../../../src/engine/model/cacheRules.js';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import type { Model, ModelClient } from '../../../src/engine/model/model.js';
import { fixedSource, type ProviderSource } from '../../../src/host/models/registry.js';
import { AnthropicClient } from '../../../src/providers/anthropic/anthropicClient.js';
import { OpenAiCompatibleClient } from '../../../src/providers/openaiCompatible/openAiCompatibleClient.js';
import { endpoint } from '../../wire/anthropicPeer.js';
import { startCachingServer, type CachingServer } from '../cachingServer/cachingServer.js';
import type { Reply } from '../cachingServer/options.js';
import { describeSizes } from '../cachingServer/replies.js';
import { OPEN_MODEL } from '../engine/models.js';
import type { RunningClock } from './clocks.js';

const KEY = 'the-key';

export const HOUSE_MINIMUM = 256;

/** What a server sends at an output limit of one token. */
export const ONE_TOKEN: Reply = { parts: [{ type: 'text', text: 'O' }], stop: 'length', outputTokens: 1 };

export interface HouseOptions {
  readonly protocol: 'anthropic' | 'openai-compatible';
  readonly cache: CacheRules;
  readonly clock: RunningClock;
  readonly minimumTokens: number;
}

/** A provider with the caching server's models `practice` and `other`, and a test clock. */
export interface CachingHouse {
  readonly source: ProviderSource;
  readonly practice: ChatConfig['model'];
  readonly other: ChatConfig['model'];
  /** The next replies. Without one, models report the sizes. */
  readonly replies: Reply[];
  readonly server: CachingServer;
}

export async function cachingHouse({ protocol, cache, clock, minimumTokens }: HouseOptions): Promise<CachingHouse> {
  const replies: Reply[] = [];
  const server = await startCachingServer({
    key: KEY,
    now: () => clock.time,
    models: ['practice', 'other'].map((id) => ({ id, minimumTokens })),
    reply: (request) => {
      // A reply takes time. Without it, the requests of a tool loop would start at the same time, in an unknown order.
      clock.time += 1;
      return replies.shift() ?? describeSizes(request);
    },
  });
  const isAnthropic = protocol === 'anthropic';
  const models = ['practice', 'other'].map((model): Model => {
    const reasoningReplay = isAnthropic ? 'samePrefix' : 'needed';
    const capabilities = { ...OPEN_MODEL.capabilities, counterIsExact: false, cache, reasoningReplay } as const;
    return { ...OPEN_MODEL, ref: { provider: 'house', model }, label: model, protocol, capabilities };
  });
  const at = endpoint(isAnthropic ? server.url : `${server.url}/v1`, { keyHeader: isAnthropic ? 'x-api-key' : 'authorization' });
  const loadClient = (): Promise<ModelClient> => Promise.resolve(isAnthropic ? new AnthropicClient(at) : new OpenAiCompatibleClient(at));
  return {
    source: fixedSource([{ id: 'house', label: 'House', countsTokens: false, models, loadClient }]),
    practice: { provider: 'house', model: 'practice' },
    other: { provider: 'house', model: 'other' },
    replies,
    server,
  };
}

/** `count` words. Different values of `from` give different words. */
export function words(count: number, from: number): string {
  return Array.from({ length: count }, (_, at) => `word${String((at * 7 + from) % 97)}`).join(' ');
}
