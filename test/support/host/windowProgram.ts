import { hostname } from 'node:os';
import { inspect } from 'node:util';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { lastRun } from '../../../src/engine/chat/branch.js';
import { messageText } from '../../../src/engine/chat/message/message.js';
import { messagesOf } from '../../../src/engine/chat/timeline.js';
import { createApi } from '../../../src/host/api/api.js';
import { Drafts } from '../../../src/host/chat/drafts.js';
import { watchChats } from '../../../src/host/chat/windows/watchChats.js';
import { ConfiguredProviders } from '../../../src/host/models/providers/configuredProviders.js';
import { parseProviders } from '../../../src/host/models/providers/parseProviders.js';
import { PROTOCOLS } from '../../../src/host/models/providers/protocols.js';
import { TokenCounters } from '../../../src/host/models/tokens/counters.js';
import { ROUGH_COUNTER } from '../../../src/engine/tokens/roughCounter.js';
import { newId } from '../../../src/engine/chat/order/ids.js';
import { systemClock } from '../../../src/host/window/systemPorts.js';
import { systemRandom } from '../../../src/host/window/systemRandom.js';
import { ECHO } from '../engine/toolExecutor.js';
import { DraftFiles } from '../../../src/storage/drafts.js';
import { nodeTicker } from '../../../src/storage/windows/liveness.js';
import { loadTestCounter } from '../counters.js';
import { buildWindow } from './window.js';

/* A window in its own process, without VS Code's parts. Its parent controls and kills it. */

/** The only argument of the process, as JSON. */
export interface WindowJob {
  readonly root: string;
  readonly writerId: string;
  readonly providers: unknown;
  readonly key: string;
}

export interface SeenChat {
  readonly messages: readonly { readonly id: string; readonly role: string; readonly text: string }[];
  readonly rewinds: readonly string[];
  readonly queued: number;
  readonly isBusy: boolean;
}

export interface WindowAnswer {
  readonly number: number;
  readonly result?: unknown;
  readonly error?: string;
}

function openWindow({ root, writerId, providers: settings, key }: WindowJob) {
  const { providers, problems } = parseProviders(settings, 'providers');
  if (problems.length > 0) {
    throw new Error(problems.join(' '));
  }
  const report = (error: Error): void => {
    process.stderr.write(`${inspect(error)}\n`);
  };
  const configured = new ConfiguredProviders({
    read: () => providers,
    embeddings: () => null,
    key: () => Promise.resolve(key),
    protocols: PROTOCOLS,
  });
  const window = buildWindow(root, ROUGH_COUNTER, {
    clock: systemClock,
    writerId,
    host: hostname(),
    tools: ECHO,
    sources: [configured],
    counters: new TokenCounters(loadTestCounter, report),
  });
  const { chats } = window;
  const watching = watchChats(chats, { root, writerId, ticker: nodeTicker, logError: report });
  const drafts = new Drafts(new DraftFiles(root), () => newId(systemClock, systemRandom), report);
  const api = createApi({
    chats,
    drafts,
    models: window.models,
    logError: report,
    current: () => Promise.reject(new Error('Nothing is on show here.')),
  });
  return {
    async newChat(model: ChatConfig['model']): Promise<string> {
      const session = await chats.create();
      await session.changeConfig({ model });
      return session.id;
    },
    send: (chatId: string, text: string) => api.sendMessage(text, { chatId }),
    edit: async (chatId: string, messageId: string, text: string) => (await chats.open(chatId)).conversation.edit(messageId, text),
    retry: async (chatId: string, messageId: string) => (await chats.open(chatId)).conversation.retry(messageId),
    stop: async (chatId: string) => (await chats.open(chatId)).conversation.stop(),
    bringBack: async (chatId: string, rewindId: string) => (await chats.open(chatId)).conversation.restoreBranch(rewindId),
    fork: async (chatId: string, messageId: string) => (await chats.fork(await chats.open(chatId), messageId)).id,
    clear: async (chatId: string) => (await chats.fresh(await chats.open(chatId))).id,
    delete: (chatId: string) => chats.delete(chatId),
    undelete: (chatId: string) => chats.undelete(chatId),
    title: async (chatId: string) => (await chats.open(chatId)).titler.generate(),
    summarize: (chatId: string) => api.summarize(chatId),
    usage: () => api.getUsage(),
    /** Includes everything that other windows have written. Also ends the runs of dead windows. */
    async look(chatId: string): Promise<SeenChat> {
      const session = await chats.open(chatId);
      await session.poll();
      const state = await session.whole();
      return {
        messages: messagesOf(state.timeline).map((message) => ({ id: message.id, role: message.role, text: messageText(message) })),
        rewinds: [...state.rewinds.keys()],
        queued: state.queued.size,
        isBusy: lastRun(state)?.status === 'running' || session.conversation.isRunning || session.conversation.isWaiting,
      };
    },
    async close(): Promise<void> {
      watching.dispose();
      await drafts.flush();
      await chats.close();
    },
  };
}

export type WindowOperations = ReturnType<typeof openWindow>;
export interface WindowRequest {
  readonly number: number;
  readonly operation: keyof WindowOperations;
  readonly args: readonly unknown[];
}

const operations = openWindow(JSON.parse(process.argv[2] ?? '') as WindowJob);
const say = (answer: WindowAnswer): void => {
  process.send?.(answer);
};
process.on('message', ({ number, operation, args }: WindowRequest) => {
  const work = operations[operation] as (...args: readonly unknown[]) => Promise<unknown>;
  work(...args).then(
    (result) => {
      say({ number, result });
    },
    (thrown: unknown) => {
      say({ number, error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) });
    },
  );
});
// The parent has ended.
process.on('disconnect', () => process.exit());
