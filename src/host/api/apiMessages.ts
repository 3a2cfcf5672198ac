import { contentsOf } from '../../engine/chat/message/contents.js';
import { callsTools, isSent, messageText, type AssistantMessage, type Message } from '../../engine/chat/message/message.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { TimelineItem } from '../../engine/chat/timeline.js';
import { transcript } from '../../engine/chat/transcript.js';
import { stepFiles, type StepFile } from '../../engine/chat/writtenFiles.js';
import { toLoupeError } from '../../engine/errors.js';
import { requestContextOf } from '../../engine/request/rebuild.js';
import type { ContextItemBase, RequestContext, SessionContextItem } from '../../engine/record/item.js';
import type { ApiContextNames, ApiEditResult, ApiMessage, ApiRequestContext, ApiSessionItem } from '../../protocol/api/apiMessage.js';
import type { ChatSession } from '../chat/chatSession.js';
import { attemptUsage } from './apiAttempts.js';

type MessageItem = Extract<TimelineItem, { readonly kind: 'message' }>;
type ApiImages = Pick<ApiMessage, 'images' | 'missingImages'>;

export async function apiMessages(session: ChatSession): Promise<readonly ApiMessage[]> {
  const { state } = session;
  const { unsent } = transcript(state);
  const items = state.timeline.filter((item) => item.kind === 'message');
  const said = items.map((item, at) => ({
    message: item.message,
    told: apiMessage(item, { state, unsent, next: items[at + 1] }),
  }));
  const messages: ApiMessage[] = [];
  // Reads one message at a time, because a chat may have thousands of images.
  for (const { message, told } of said) {
    messages.push({ ...told, ...(await apiImages(message, session)) });
  }
  return messages;
}

interface MessageContext {
  readonly state: ChatState;
  readonly unsent: ReadonlySet<string>;
  readonly next: MessageItem | undefined;
}

function apiMessage({ message, runId, at }: MessageItem, { state, unsent, next }: MessageContext): Omit<ApiMessage, keyof ApiImages> {
  const base = { id: message.id, role: message.role, text: messageText(message), timestamp: at };
  if (message.role === 'user') {
    return { ...base, unsent: unsent.has(message.id) };
  }
  if (message.role !== 'assistant') {
    return base;
  }
  const results = next?.message.role === 'tool-results' ? next : null;
  const files = callsTools(message) ? stepOf(results?.runId ?? runId, results?.message.id ?? null, state) : null;
  const reply = { ...base, ...(files === null ? {} : editsIn(files)) };
  const attempt = state.attempts.get(message.attemptId);
  return attempt === undefined ? reply : { ...reply, ...requestOf(message, attempt, state) };
}

function requestOf({ stopped, cacheControlIndex }: AssistantMessage, attempt: AttemptState, state: ChatState): Partial<ApiMessage> {
  const usage = attemptUsage(attempt);
  return { ...requestContext(attempt, state), stopped, cacheControlIndex, ...(usage === null ? {} : { usage }) };
}

function stepOf(runId: string | null, resultsId: string | null, { runs }: ChatState): readonly StepFile[] {
  const run = runId === null ? undefined : runs.get(runId);
  return run === undefined ? [] : stepFiles(run, resultsId);
}

function editsIn(files: readonly StepFile[]): Pick<ApiMessage, 'filesModified' | 'editResults'> {
  return {
    filesModified: files.flatMap((file) => (file.kind === 'written' && !file.isUndone ? [file.path] : [])),
    editResults: files.map(editResult),
  };
}

function editResult(file: StepFile): ApiEditResult {
  if (file.kind === 'unapplied') {
    return { path: file.path, status: 'notApplied', added: null, removed: null, reason: file.why };
  }
  const { path, added, removed, isUndone, left } = file;
  return { path, status: isUndone ? 'undone' : left === null ? 'deleted' : 'applied', added, removed, reason: null };
}

type ContextMembers = ApiContextNames & { readonly requestContext: ApiRequestContext };

/** Returns the context of a request. Empty when the log line with the record is damaged. */
function requestContext(attempt: AttemptState, { attempts }: ChatState): Partial<ContextMembers> {
  const context = requestContextOf(attempt, attempts);
  if (context === null) {
    return {};
  }
  return { requestContext: { ...apiItems(context), timestamp: context.timestamp }, ...contextNames(context.items) };
}

async function apiImages(message: Message, session: ChatSession): Promise<ApiImages> {
  const parts = isSent(message) ? contentsOf([message]) : [];
  const images: string[] = [];
  const missingImages: string[] = [];
  for (const { blob, mimeType } of parts.filter((part) => part.type === 'image')) {
    try {
      const bytes = Buffer.from(await session.records.blob(blob));
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

/** Returns the context items of a request, and the items that were not selected with their reasons. */
export function apiItems({
  items,
  notSelected,
}: Pick<RequestContext, 'items' | 'notSelected'>): Pick<ApiRequestContext, 'items' | 'notSelected'> {
  return { items, notSelected: notSelected.map(({ item, reason }) => ({ ...item, reason })) };
}

/** Returns the name and the include mode of an item. Only the API function `getRequest` returns texts. */
export function apiSessionItem(item: SessionContextItem): ApiSessionItem {
  const { type, name, includeMode } = item;
  const serverName = 'serverName' in item ? item.serverName : undefined;
  return serverName === undefined ? { type, name, includeMode } : { type, name, serverName, includeMode };
}

export function contextNames(items: readonly Pick<ApiSessionItem, 'type' | 'name' | 'serverName'>[]): ApiContextNames {
  const named = (of: ContextItemBase['type']): readonly string[] => items.flatMap(({ type, name }) => (type === of ? [name] : []));
  return {
    rules: named('rule'),
    references: named('reference'),
    tools: items.flatMap(({ type, name, serverName }) =>
      type === 'tool' && serverName !== undefined ? [{ serverName, toolName: name }] : [],
    ),
  };
}
