import { assertNever } from '../assertNever.js';
import { exportedFigures } from './exportedFigures.js';
import { contentText, type AssistantMessage, type AssistantPart, type Message, type ToolResultContent } from './message.js';
import type { ReplyPart } from './reply.js';
import { attemptStatus, messageStatus, unfinishedAttempts, type ReplyStatus } from './replyStatus.js';
import type { AttemptsState, AttemptState } from './slices/attempts.js';
import type { RunsState } from './slices/runs.js';
import { answeredAttempts, type BranchState } from './timeline.js';
import { transcript } from './transcript.js';

/** The parts of the state that the text needs. */
type Exported = BranchState & RunsState & AttemptsState;

/**
 * The current branch as paragraphs of Markdown, with unanswered user messages and unfinished replies. A tool's text that
 * is stored as a blob appears as its preview.
 */
export function exportedConversation(state: Exported): string[] {
  const { unsent } = transcript(state);
  const said = answeredAttempts(state.timeline);
  const paragraphs: string[] = [];
  let open: string | null = null;
  const close = (): void => {
    const run = open === null ? undefined : state.runs.get(open);
    for (const attempt of run === undefined ? [] : unfinishedAttempts(run, state.attempts, said)) {
      const parts = attempt.reply.flatMap((part) => part ?? []);
      paragraphs.push(...replyText(run === undefined ? 'done' : attemptStatus(run, attempt), attempt, parts));
    }
    open = null;
  };
  for (const item of state.timeline) {
    if (item.kind === 'run' || item.message.role === 'user') {
      close();
    }
    if (item.kind === 'run') {
      open = item.runId;
    } else {
      paragraphs.push(...messageText(item.message, state, unsent));
    }
  }
  close();
  return paragraphs;
}

function messageText(message: Message, { attempts }: AttemptsState, unsent: ReadonlySet<string>): string[] {
  switch (message.role) {
    case 'user':
      return [`## You${unsent.has(message.id) ? ' (not answered)' : ''}`, ...message.parts.map(exportedContent)];
    case 'assistant':
      return assistantText(message, attempts.get(message.attemptId));
    case 'tool-results':
      return message.parts.flatMap(({ name, content }) => [`## Result of ${name}`, ...content.map(exportedContent)]);
    case 'summary':
      return ['## Summary', message.text];
    case 'system-title':
    case 'title':
    case 'system-summary':
    case 'accounting':
      return [];
    default:
      return assertNever(message);
  }
}

function assistantText(message: AssistantMessage, attempt: AttemptState | undefined): string[] {
  return replyText(messageStatus(message, attempt), attempt, message.parts);
}

function replyText(status: ReplyStatus, attempt: AttemptState | undefined, parts: readonly (AssistantPart | ReplyPart)[]): string[] {
  return [`## Assistant${status === 'done' ? '' : ` (${status})`}`, ...exportedFigures(attempt), ...parts.map(partText)];
}

function partText(part: AssistantPart | ReplyPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'reasoning':
      return part.text.replace(/^/gm, '> ');
    case 'toolCall':
      return `Called ${part.name} with ${part.rawArgs}`;
    default:
      return assertNever(part);
  }
}

function exportedContent(content: ToolResultContent): string {
  const text = contentText(content);
  return content.type === 'blob' ? `${text}\n\n(The begin of ${content.bytes.toLocaleString('en-US')} bytes.)` : text;
}
