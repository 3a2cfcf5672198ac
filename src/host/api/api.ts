import { contextWindowTokens } from '../../engine/accounting/contextWindow.js';
import { ledgerTotals } from '../../engine/accounting/ledger.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { TimelineItem } from '../../engine/chat/timeline.js';
import type { ChatState } from '../../engine/chat/state.js';
import { messageText, isSent, type Message } from '../../engine/chat/message.js';
import { chatTitle } from '../../engine/chat/opening.js';
import { plainConfig } from '../../engine/chat/configValues.js';
import { contentsOf } from '../../engine/chat/contents.js';
import { transcript } from '../../engine/chat/transcript.js';
import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Block } from '../../engine/request/block.js';
import { promptBlocks } from '../../engine/request/prompt.js';
import { requestContextOf } from '../../engine/request/rebuild.js';
import type { Forecast } from '../../engine/cache/forecast.js';
import type { Composed } from '../request/composed.js';
import type {
  ApiBlock,
  ApiChat,
  ApiForecast,
  ApiHistoryStatus,
  ApiMessage,
  ApiPreview,
  ApiRequest,
  ApiUsage,
  LoupeApi,
} from '../../protocol/api.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { Chats } from '../chat/chats.js';
import type { Drafts, DraftToPreview } from '../chat/drafts.js';
import { apiQuestions, respond } from './apiQuestions.js';
import type { ModelRegistry } from '../models/registry.js';
import { historyStatus } from '../request/historyStatus.js';
import { overBudget } from '../request/overBudget.js';
import { checkedQuery, searchHistory } from '../search/searchHistory.js';
import { shedSentences } from '../request/shedTexts.js';
import { adaptationSentences } from '../request/sizeTexts.js';
import { apiAttempts, attemptUsage } from './apiAttempts.js';
import { diagnosisPorts } from '../request/attemptDiagnosis.js';
import { apiDiagnosis } from './apiDiagnosis.js';

export interface ApiPorts {
  readonly chats: Chats;
  readonly drafts: Pick<Drafts, 'load' | 'get'>;
  readonly models: Pick<ModelRegistry, 'list' | 'counter'>;
  logError(error: LoupeError): void;
  /** The chat on show. */
  readonly current: () => Promise<ChatSession>;
}

/** The public API over the same operations that the panel and the commands use. */
export function createApi({ chats, drafts, models, current, ...ports }: ApiPorts): Omit<LoupeApi, 'version'> {
  const diagnosis = diagnosisPorts(models, ports);
  const open = (chatId: string): Promise<ChatSession> => chats.open(chatId);
  return {
    async newChat() {
      return (await chats.create()).id;
    },
    async listChats({ limit }) {
      await chats.refresh();
      return chats.list().slice(0, limit);
    },
    async getChat(chatId) {
      const session = await open(chatId);
      await session.whole();
      return apiChat(session);
    },
    async sendMessage(text, options) {
      const session = options?.chatId === undefined ? await current() : await open(options.chatId);
      await session.conversation.send(text);
    },
    searchHistory: async (query, options) =>
      (await searchHistory(chats, checkedQuery(query, options), new AbortController().signal)).results,
    async listAttempts(chatId) {
      return apiAttempts(await (await open(chatId)).whole());
    },
    getRequest: async (chatId, id) => apiRequest(await open(chatId), id),
    diagnose: async (chatId, id) => apiDiagnosis(await open(chatId), id, diagnosis),
    async previewNextRequest(chatId, options) {
      const session = await open(chatId);
      if (options?.text !== undefined) {
        return apiPreview(session, { text: options.text, images: [], editing: null });
      }
      await drafts.load(chatId);
      return apiPreview(session, drafts.get(chatId));
    },
    getHistoryStatus: async (chatId) => apiHistoryStatus(await open(chatId)),
    async getUsage(chatId) {
      return chatId === undefined ? { ...(await chats.usage.all()), contextWindow: null } : apiUsage(await open(chatId));
    },
    summarize: async (chatId, options) => (await open(chatId)).compactor.summarize(options?.upTo ?? null),
    undoCompaction: async (chatId) => (await open(chatId)).compactor.undo(),
    pin: async (chatId, messageId) => (await open(chatId)).marks.pin(messageId),
    unpin: async (chatId, messageId) => (await open(chatId)).marks.unpin(messageId),
    async exclude(chatId, messageId, options) {
      const { marks } = await open(chatId);
      const leaves = options?.now === true ? 'now' : 'later';
      await (options?.callId === undefined ? marks.exclude(messageId, leaves) : marks.excludeCall(messageId, options.callId, leaves));
    },
    async include(chatId, messageId, options) {
      const { marks } = await open(chatId);
      await (options?.callId === undefined ? marks.include(messageId) : marks.includeCall(messageId, options.callId));
    },
    async respond(chatId, questionId, answer) {
      await respond(await open(chatId), questionId, answer === 'allow');
    },
    async setFragment(chatId, id, text) {
      (await open(chatId)).setFragment(id, text ?? null);
    },
  };
}

async function apiChat(session: ChatSession): Promise<ApiChat> {
  const { state, conversation } = session;
  const { unsent } = transcript(state);
  const chat = {
    id: state.chatId,
    title: chatTitle(state),
    createdAt: state.createdAt,
    running: conversation.isRunning,
    config: plainConfig(state.config),
    files: [...state.context.values()].filter((item) => item.type === 'file').map((item) => item.name),
  };
  const said = state.timeline.flatMap((item) =>
    item.kind === 'message' ? [{ message: item.message, told: apiMessage(item, session, unsent) }] : [],
  );
  const messages: ApiMessage[] = [];
  // One at a time: a chat may have thousands of images.
  for (const { message, told } of said) {
    messages.push({ ...told, ...(await apiImages(message, session)) });
  }
  return { ...chat, messages, questions: apiQuestions(session) };
}

type MessageItem = Extract<TimelineItem, { readonly kind: 'message' }>;

function apiMessage({ message, at }: MessageItem, { state }: ChatSession, unsent: ReadonlySet<string>): Omit<ApiMessage, keyof ApiImages> {
  const base = { id: message.id, role: message.role, text: messageText(message), timestamp: at };
  if (message.role === 'user') {
    return { ...base, unsent: unsent.has(message.id) };
  }
  const attempt = message.role === 'assistant' ? state.attempts.get(message.attemptId) : undefined;
  if (message.role !== 'assistant' || attempt === undefined) {
    return base;
  }
  const usage = attemptUsage(attempt);
  const reply = { ...base, ...requestContext(attempt, state), stopped: message.stopped };
  return usage === null ? reply : { ...reply, usage };
}

type ApiImages = Pick<ApiMessage, 'images' | 'missingImages'>;

async function apiImages(message: Message, session: ChatSession): Promise<ApiImages> {
  const parts = isSent(message) ? contentsOf([message]) : [];
  const images: string[] = [];
  const missingImages: string[] = [];
  for (const { blob, mimeType } of parts.filter((part) => part.type === 'image')) {
    try {
      const bytes = Buffer.from(await session.blob(blob));
      images.push(`data:${mimeType};base64,${bytes.toString('base64')}`);
    } catch (thrown) {
      const error = toLoupeError(thrown);
      if (error.kind === 'internal') {
        throw error;
      }
      missingImages.push(error.message);
    }
  }
  return { images, missingImages };
}

type ContextMembers = Required<Pick<ApiMessage, 'requestContext' | 'rules' | 'references' | 'tools'>>;

/** Empty when the record of the request is on a damaged line. */
function requestContext(attempt: AttemptState, { attempts }: ChatState): Partial<ContextMembers> {
  const context = requestContextOf(attempt, attempts);
  if (context === null) {
    return {};
  }
  const { items, timestamp } = context;
  return {
    requestContext: { items, timestamp },
    rules: items.filter((item) => item.type === 'rule').map((item) => item.name),
    references: items.filter((item) => item.type === 'reference').map((item) => item.name),
    tools: items.flatMap((item) => (item.type === 'tool' ? [{ serverName: item.serverName, toolName: item.name }] : [])),
  };
}

async function apiRequest(session: ChatSession, id: string): Promise<ApiRequest> {
  const { attempt, rebuilt } = await session.request(id);
  return {
    body: rebuilt.body,
    exact: rebuilt.note === null,
    note: rebuilt.note,
    totalTokens: attempt.manifest.size.tokens,
    blocks: promptBlocks(rebuilt.prompt).map(apiBlock),
  };
}

function apiBlock({ key, role, hash, tokens, breakpoint }: Block): ApiBlock {
  return { key, role, hash, tokens, breakpoint: breakpoint?.ttl ?? null };
}

async function apiPreview(session: ChatSession, draft: DraftToPreview): Promise<ApiPreview> {
  const composed = await session.previewDraft(draft);
  const { prompt, adaptations, budget, size, records, forgotten } = composed;
  return {
    body: composed.wire().body,
    totalTokens: size.tokens,
    budget,
    basis: composed.isPartial ? 'atLeast' : size.basis,
    error: size.error,
    adaptations: adaptationSentences(adaptations),
    warnings: shedSentences(records),
    problem: overBudget(composed),
    blocks: promptBlocks(prompt).map(apiBlock),
    forgotten,
    forecast: composed.isPartial || composed.forecast === null ? null : apiForecast(composed.forecast, composed.turn),
  };
}

function apiForecast({ parts, costNow, costAfter, expiresAt }: Forecast, turn: Composed['turn']): ApiForecast {
  return { ...parts, costNow, costAfterExpiry: costAfter, expiresAt, turn };
}

async function apiHistoryStatus(session: ChatSession): Promise<ApiHistoryStatus> {
  return historyStatus(await session.preview({ text: '', editing: null }), session.state.config);
}

function apiUsage({ state }: ChatSession): ApiUsage {
  return { ...ledgerTotals(state), contextWindow: contextWindowTokens(state) };
}
