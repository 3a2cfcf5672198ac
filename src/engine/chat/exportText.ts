import { assertNever } from '../assertNever.js';
import { type AssistantMessage, type Message, contentText, joinedTexts } from './message/message.js';
import type { AssistantPart, ToolResultContent } from '../model/part.js';
import type { ReplyPart } from './message/reply.js';
import type { Extent } from './extent.js';
import type { ReplyExtra } from '../model/model.js';
import { type ReplyStatus, attemptStatus, messageStatus, unfinishedAttempts } from './replyStatus.js';
import type { AttemptState, AttemptsState } from './slices/attempts.js';
import { type CompactionState, activeCompaction } from './slices/compaction.js';
import { type RunsState, isOfHousekeeping } from './slices/runs.js';
import type { ReplyFigures } from './slices/slice.js';
import { SUMMARY_HEADING } from './summaryHeading.js';
import { type BranchState, answeredAttempts } from './timeline.js';
import { transcript } from './transcript.js';

type ExportState = BranchState & RunsState & AttemptsState & CompactionState & Extent;

/**
 * Returns the current branch as Markdown paragraphs, with unanswered user messages and unfinished replies. Summaries
 * appear at the same place as in the panel, and the messages that they replace are included. For a tool result stored
 * as a blob, only the preview is included.
 */
export function exportedConversation(state: ExportState, figures: ReplyFigures): string[] {
  const { unsent } = transcript(state);
  const summaryId = activeCompaction(state)?.summaryId ?? null;
  const said = answeredAttempts(state.timeline);
  const paragraphs: string[] = [];
  let open: string | null = null;
  const close = (): void => {
    const run = open === null ? undefined : state.runs.get(open);
    for (const attempt of run === undefined ? [] : unfinishedAttempts(run, state.attempts, said)) {
      const parts = attempt.reply.flatMap((part) => part ?? []);
      const status = run === undefined ? 'done' : attemptStatus(run, attempt);
      paragraphs.push(...replyText(status, figures(attempt.id), parts));
    }
    open = null;
  };
  for (const item of state.timeline) {
    if (item.kind === 'run' || item.message.role === 'user') {
      close();
    }
    if (item.kind === 'run') {
      // Replies to requests that Loupe made for itself (titles, topics, summaries) are not part of the conversation.
      open = isOfHousekeeping(item, state.runs) ? null : item.runId;
    } else {
      paragraphs.push(...messageText(item.message, { state, unsent, figures, summaryId }));
    }
  }
  close();
  return paragraphs;
}

interface ExportContext {
  readonly state: AttemptsState;
  readonly unsent: ReadonlySet<string>;
  readonly figures: ReplyFigures;
  /** Id of the summary that requests send. Null in a chat without a summary. */
  readonly summaryId: string | null;
}

function messageText(message: Message, { state, unsent, figures, summaryId }: ExportContext): string[] {
  switch (message.role) {
    case 'user':
      return [`## You${unsent.has(message.id) ? ' (not answered)' : ''}`, ...message.parts.map(exportedContent)];
    case 'assistant':
      return assistantText(message, state.attempts.get(message.attemptId), figures);
    case 'tool-results':
      return message.parts.flatMap(({ name, content }) => [`## Result of ${name}`, ...content.map(exportedContent)]);
    case 'summary':
      return [`## ${message.id === summaryId ? SUMMARY_HEADING : 'Summary (not in use)'}`, message.text];
    case 'system-title':
    case 'title':
    case 'system-summary':
    case 'accounting':
      return [];
    default:
      return assertNever(message);
  }
}

function assistantText(message: AssistantMessage, attempt: AttemptState | undefined, figures: ReplyFigures): string[] {
  const said = replyText(messageStatus(message, attempt), figures(message.attemptId), message.parts);
  return [...said, ...(attempt?.end?.extras ?? []).map(extraText)];
}

function extraText(extra: ReplyExtra): string {
  return extra.type === 'source'
    ? `Source: ${[extra.title, extra.url].filter((part) => part !== '').join(', ')}`
    : imageText(extra.mimeType, extra.bytes);
}

/** The Markdown has no images. The export as a zip file has them. */
function imageText(mimeType: string, bytes: number | null): string {
  return `(An image, ${mimeType}${bytes === null ? '' : `, of ${bytes.toLocaleString('en-US')} bytes`}.)`;
}

function replyText(status: ReplyStatus, figures: readonly string[], parts: readonly (AssistantPart | ReplyPart)[]): string[] {
  return [`## Assistant${status === 'done' ? '' : ` (${status})`}`, ...figures, ...joinedTexts(parts).map(partText)];
}

function partText(part: AssistantPart | ReplyPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
      return imageText(part.mimeType, part.bytes);
    case 'reasoning':
      return part.text.replace(/^/gm, '> ');
    case 'toolCall':
      return `Called ${part.name} with ${part.rawArgs}${part.isSplitOff === true ? ' (written in the arguments of the previous call)' : ''}`;
    default:
      return assertNever(part);
  }
}

function exportedContent(content: ToolResultContent): string {
  const text = contentText(content);
  return content.type === 'blob' ? `${text}\n\n(The begin of ${content.bytes.toLocaleString('en-US')} bytes.)` : text;
}
