import { scanMarkdown } from './markdown.js';
import type { PracticeMessage, PracticeRequest } from './wire.js';

/** A command to the practice model: a line of the user's message. */
export type PracticeCommand =
  /** Calls a tool. `rawArgs` can be invalid JSON, because real models also write invalid JSON. */
  | { readonly type: 'tool'; readonly name: string; readonly rawArgs: string }
  /**
   * Fails the request. `what` is a status, `overflow`, `cut` or an unknown word. `waitSeconds` is the wait before a
   * retry, or null without a wait. `times` is the number of failures before a success, or null for endless failures.
   */
  | {
      readonly type: 'error';
      readonly what: string;
      readonly waitSeconds: number | null;
      readonly times: number | null;
    }
  | { readonly type: 'slow' }
  | { readonly type: 'code' }
  | { readonly type: 'long'; readonly words: number }
  | { readonly type: 'unclear'; readonly line: string };

/** The form and meaning of each command, for the user. */
export const COMMAND_HELP: readonly (readonly [string, string])[] = [
  ['/tool name {"key": "value"}', 'I call this tool with these arguments.'],
  ['/error 429', 'I fail like a provider. Use 401, 429, 500, 503, overflow or cut.'],
  ['/error 503 times 2', 'I fail twice, then I reply.'],
  ['/error 429 wait 5', 'I fail and ask you to wait 5 seconds. "wait 5 times 2" does both.'],
  ['/slow', 'I reply over about 20 seconds.'],
  ['/long 500', 'I write about this many words.'],
  ['/code', 'I write a block of code, and one for a file.'],
];

/**
 * Returns the command of this step. Null without a command. Commands are lines in the user's newest text, outside
 * fenced code. Each assistant message after that text has used one command. Only the last text part of the message has
 * commands, because earlier parts are files or messages without a reply.
 */
export function currentCommand(request: PracticeRequest): PracticeCommand | null {
  const { messages } = request;
  const at = messages.findLastIndex((message) => message.role === 'user');
  const steps = messages.slice(at + 1).filter((message) => message.role === 'assistant').length;
  return parseCommands(newestText(request))[steps] ?? null;
}

/** Returns the user's text in the last user message. '' without text. */
export function newestText({ messages }: PracticeRequest): string {
  const message = messages.findLast(({ role }) => role === 'user');
  return message === undefined ? '' : (userText(message) ?? '');
}

/** Returns the user's own text in a message: the last text part. Earlier parts are files, later parts editor state. */
export function userText({ role, content }: PracticeMessage): string | undefined {
  const part = role === 'user' ? content.findLast((each) => each.type === 'text' && each.isEditorState !== true) : undefined;
  return part?.type === 'text' ? part.text : undefined;
}

const COMMAND_LINE = /^\/(tool|error|slow|long|code)(?:\s+(.*))?$/;

function parseCommands(text: string): PracticeCommand[] {
  return scanMarkdown(text).plain.flatMap((line) => {
    const match = COMMAND_LINE.exec(line.trimEnd());
    return match === null ? [] : [parse(match[1] ?? '', match[2] ?? '', line)];
  });
}

function parse(name: string, rest: string, line: string): PracticeCommand {
  const unclear = { type: 'unclear', line } as const;
  switch (name) {
    case 'tool':
      return parseTool(rest) ?? unclear;
    case 'error':
      return parseError(rest) ?? unclear;
    case 'long':
      return /^\d{1,9}$/.test(rest) ? { type: 'long', words: Number(rest) } : unclear;
    case 'code':
      return { type: 'code' };
    default:
      return { type: 'slow' };
  }
}

/** Matches the arguments of `/error`. Numbers have at most six digits: the longest wait is about eleven days. */
const ERROR_ARGUMENTS = /^(\S+)(?:\s+wait\s+(\d{1,6}))?(?:\s+times\s+(\d{1,6}))?$/;

function parseError(rest: string): PracticeCommand | null {
  const match = ERROR_ARGUMENTS.exec(rest);
  if (match === null) {
    return null;
  }
  const [, what = '', wait, times] = match;
  const number = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits));
  return { type: 'error', what, waitSeconds: number(wait), times: number(times) };
}

/** Parses `/tool`. Without arguments in the command, the tool gets an empty object. */
function parseTool(rest: string): PracticeCommand | null {
  const match = /^(\S+)\s*(.*)$/.exec(rest);
  if (match === null) {
    return null;
  }
  const [, name = '', rawArgs = ''] = match;
  return { type: 'tool', name, rawArgs: rawArgs === '' ? '{}' : rawArgs };
}
