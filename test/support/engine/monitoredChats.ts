import type { Usage } from '../../../src/engine/model/usage.js';
import { PrefixIds } from '../../../src/engine/cache/prefixIds.js';
import type { MonitoredRequest } from '../../../src/engine/cacheMonitor/trials.js';
import type { Random } from '../../bench/judge/random.js';
import type { CacheUse, PendingUse, Prompt, PromptBlock, Ttl } from '../cachingServer/prompt.js';

/** A provider as its cache is in truth. */
export interface Provider {
  /** Looks a prompt up at a time in ms. */
  use(prompt: Prompt, now: number): PendingUse;
  /** Drops some of what it holds early. */
  evict(): void;
  /** Whether it says what it wrote. */
  readonly tellsWrites: boolean;
}

export interface MonitoredChatsOptions {
  readonly random: Random;
  /** How many chats go on side by side. */
  readonly chats: number;
  /** The pause before a request, in ms. */
  readonly pause: (random: Random) => number;
  readonly mark: Ttl | null;
  /** How many tokens the blocks have that all chats begin with, and those that a request adds. */
  readonly systemTokens: number;
  readonly addedTokens: readonly [number, number];
  /** Of the requests: those whose entries the provider drops at once, those whose usage is missing, those that fail unread, those that another window sends. */
  readonly evicted: number;
  /** Of the requests: those that take the last messages of their chat back. */
  readonly takenBack: number;
  readonly untold: number;
  readonly failed: number;
  readonly unseen: number;
}

/** A chat begins again after so many requests. */
const LONGEST_CHAT = 24;

/** An answer takes so many ms, in which another chat may send its own request. */
const ANSWER: readonly [number, number] = [1_000, 20_000];

/** How far the count of a block's tokens may be off. */
const MISCOUNT = 0.12;

interface Chat {
  readonly name: string;
  blocks: readonly PromptBlock[];
}

/** Chats that go on side by side with one provider: each request as the cache monitor gets it. */
export class MonitoredChats {
  now = 0;
  sent = 0;
  readonly #options: MonitoredChatsOptions;
  readonly #ids = new PrefixIds();
  readonly #chats: Chat[];
  /** What is being answered: it takes effect when its answer begins. */
  readonly #pending: { readonly at: number; readonly use: PendingUse }[] = [];

  constructor(options: MonitoredChatsOptions) {
    this.#options = options;
    this.#chats = Array.from({ length: options.chats }, (_, at) => ({ name: `chat ${String(at)}`, blocks: [] }));
  }

  /** The next request; null where the cache monitor does not see it. */
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
    const names = this.#ids.of(blocks.map(({ text }) => text));
    const parts = blocks.map(({ text, tokens, mark }, at) => ({
      prefix: names[at] ?? '',
      tokens: Math.round(tokens * (1 + MISCOUNT * (((text.length * 7) % 3) - 1))),
      mark,
    }));
    return { at: this.now, parts, chatId: chat.name, attemptId: `attempt ${String(this.sent)}`, parameters: '', ...told };
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
