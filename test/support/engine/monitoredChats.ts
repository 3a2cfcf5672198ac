import type { Usage } from '../../../src/engine/model/usage.js';
import { PrefixIds } from '../../../src/engine/cache/prefixIds.js';
import type { MonitoredRequest } from '../../../src/engine/cacheMonitor/trials.js';
import { inColumns } from '../../../src/engine/model/providerCache.js';
import type { Random } from '../../bench/judge/random.js';
import type { CacheUse, PendingUse, Prompt, PromptBlock, Ttl } from '../cachingServer/prompt.js';

/** The real behavior of a provider's cache. */
export interface Provider {
  /** `now` is in ms. */
  use(prompt: Prompt, now: number): PendingUse;
  evict(): void;
  /** Whether usage includes cache writes. */
  readonly tellsWrites: boolean;
}

export interface MonitoredChatsOptions {
  readonly random: Random;
  readonly chats: number;
  /** In ms. */
  readonly pause: (random: Random) => number;
  readonly mark: Ttl | null;
  /** Tokens of the blocks at the start of all chats, and tokens that each request adds. */
  readonly systemTokens: number;
  readonly addedTokens: readonly [number, number];
  /** Shares of requests: entries dropped at once, usage missing, failed before reading, sent by another window. */
  readonly evicted: number;
  /** The share of requests that first remove the last messages of the chat. */
  readonly takenBack: number;
  readonly untold: number;
  readonly failed: number;
  readonly unseen: number;
}

/** A chat starts again after this many requests. */
const LONGEST_CHAT = 24;
/** The duration of a reply in ms. Other chats can send requests in that time. */
const ANSWER: readonly [number, number] = [1_000, 20_000];
/** The largest relative error of a block's token count. */
const MISCOUNT = 0.12;

interface Chat {
  readonly name: string;
  blocks: readonly PromptBlock[];
}

export class MonitoredChats {
  now = 0;
  sent = 0;
  readonly #options: MonitoredChatsOptions;
  readonly #ids = new PrefixIds();
  readonly #chats: Chat[];
  /** Requests whose reply has not started yet. Their cache entries exist from its start. */
  readonly #pending: { readonly at: number; readonly use: PendingUse }[] = [];

  constructor(options: MonitoredChatsOptions) {
    this.#options = options;
    this.#chats = Array.from({ length: options.chats }, (_, at) => ({ name: `chat ${String(at)}`, blocks: [] }));
  }

  /** Returns the next request, or null when the cache monitor does not see it. */
  next(provider: Provider): MonitoredRequest | null {
    const { random, pause, failed, unseen, untold, evicted } = this.#options;
    this.sent += 1;
    this.now += pause(random);
    const chat = this.#chats[random.integer([0, this.#chats.length - 1])];
    if (chat === undefined) {
      throw new Error('There is no chat.');
    }
    this.#goOn(chat);
    if (random.chance(failed)) {
      return null;
    }
    this.#settle();
    if (random.chance(evicted)) {
      provider.evict();
    }
    const prompt = { blocks: this.#marked(chat.blocks), parameters: '', tail: 0 };
    const use = provider.use(prompt, this.now);
    const time = random.integer(ANSWER);
    this.#pending.push({ at: this.now + time / 2, use });
    const usage = random.chance(untold) ? null : usageOf(use.use, provider.tellsWrites);
    return random.chance(unseen) ? null : this.#monitored(chat, prompt.blocks, { usage, endedAt: this.now + time });
  }

  #goOn(chat: Chat): void {
    const { random, systemTokens, addedTokens, takenBack } = this.#options;
    if (chat.blocks.length === 0 || chat.blocks.length > 2 * LONGEST_CHAT) {
      chat.blocks = [block('system', 'The system prompt', systemTokens), block('messages', `begins at ${String(this.sent)}`, 40)];
    } else if (random.chance(takenBack)) {
      chat.blocks = chat.blocks.slice(0, Math.max(2, chat.blocks.length - 4));
    }
    const added = [0, 1].map((at) => block('messages', `message ${String(2 * this.sent + at)}`, random.integer(addedTokens)));
    chat.blocks = [...chat.blocks, ...added];
  }

  #settle(): void {
    for (const { use } of this.#pending.filter(({ at }) => at <= this.now)) {
      use.begin();
    }
    const rest = this.#pending.filter(({ at }) => at > this.now);
    this.#pending.splice(0, this.#pending.length, ...rest);
  }

  #marked(blocks: readonly PromptBlock[]): readonly PromptBlock[] {
    const { mark } = this.#options;
    return blocks.map((each, at) => ({ ...each, mark: at === 0 || at === blocks.length - 1 ? mark : null }));
  }

  #monitored(chat: Chat, blocks: readonly PromptBlock[], told: Pick<MonitoredRequest, 'usage' | 'endedAt'>): MonitoredRequest {
    const names = this.#ids.of(blocks.map(({ text }) => ({ hash: text })));
    const parts = blocks.map(({ text, tokens, mark }, at) => ({
      prefix: names[at] ?? '',
      tokens: Math.round(tokens * (1 + MISCOUNT * (((text.length * 7) % 3) - 1))),
      breakpoint: mark,
    }));
    return { at: this.now, parts: inColumns(parts), chatId: chat.name, attemptId: `attempt ${String(this.sent)}`, parameters: '', ...told };
  }
}

function block(level: PromptBlock['level'], text: string, tokens: number): PromptBlock {
  return { level, run: null, opening: 'user', text, tokens, mark: null, path: '' };
}

function usageOf({ read, written5m, written1h, fresh }: CacheUse, tellsWrites: boolean): Usage {
  const figure = (value: number) => ({ value, source: 'reported' }) as const;
  return {
    promptTokens: figure(fresh),
    cacheReadInputTokens: figure(read),
    cacheCreationInputTokens: tellsWrites ? figure(written5m + written1h) : null,
    cacheCreation: null,
    completionTokens: figure(1),
  };
}
