import type { CacheUse } from './cacheSimulation.js';
import { COMMAND_HELP, newestText } from './commands.js';
import { grouped } from './failures.js';
import { bullets, inlineCode, scanMarkdown } from './markdown.js';
import { outlineRows } from './outline.js';
import { totalTokens, type RequestPart } from './requestParts.js';
import type { PracticePart, PracticeRequest } from './wire.js';

/** A request as the practice model sees it: counted, and with the use it makes of the cache. */
export interface SeenRequest {
  readonly request: PracticeRequest;
  readonly parts: readonly RequestPart[];
  readonly use: CacheUse;
  readonly maxInputTokens: number;
}

const INTRODUCTION =
  'I am the **practice model** built into Loupe: a small program that works offline and understands nothing. ' +
  'I describe the request that reached me:';

/** The answer to everything that is no command: the request, in Markdown. */
export function describeRequest(seen: SeenRequest): string {
  const { request, parts } = seen;
  const system = totalTokens(parts.filter((part) => part.place === 'system'));
  const list = [
    `**Your message:** ${grouped(words(newestText(request)))} words`,
    `**Messages:** ${messageCounts(request)}`,
    `**Files:** ${names(filesOf(request))}`,
    `**Tools:** ${names(request.tools.map((tool) => tool.name))}`,
    `**System prompt:** ${system === 0 ? 'none' : `${grouped(system)} tokens`}`,
    `**Whole request:** ${grouped(totalTokens(parts))} of at most ${grouped(seen.maxInputTokens)} tokens`,
    `**Cache breakpoints:** ${grouped(parts.filter((part) => part.mark !== null).length)}`,
    `**Cache:** ${cacheCounts(seen.use)}`,
  ];
  const outline = ['```text', ...outlineRows(parts), '```'].join('\n');
  return [INTRODUCTION, bullets(list), outline, ...(hasIntroducedItself(request) ? [] : [help()])].join('\n\n');
}

/** Whether an earlier answer in the request is a description: then the help stands there already. */
function hasIntroducedItself({ messages }: PracticeRequest): boolean {
  return messages.some(
    ({ role, content }) => role === 'assistant' && content.some((part) => part.type === 'text' && part.text.startsWith(INTRODUCTION)),
  );
}

/** How to write commands, as Markdown. */
export function help(): string {
  const list = COMMAND_HELP.map(([line, meaning]) => `${inlineCode(line)}: ${meaning}`);
  return `Lines of your message that start with one of these make me do something:\n\n${bullets(list)}`;
}

/** The sentence after the last tool result, about each result of the last message. */
export function conclude(results: readonly PracticePart<'toolResult'>[]): string {
  return [...results.map(aboutResult), 'No command line is left, so this ends my turn.'].join(' ');
}

const EXCERPT_CHARACTERS = 60;

function aboutResult(result: PracticePart<'toolResult'>): string {
  const text = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const images = result.content.filter((part) => part.type === 'image').length;
  const line = Array.from(text.trimStart().split(/[\r\n]/)[0] ?? '');
  const excerpt = line.slice(0, EXCERPT_CHARACTERS).join('') + (line.length > EXCERPT_CHARACTERS ? '…' : '');
  const verb = result.isError ? 'reported an error' : 'answered';
  const beginning = excerpt === '' ? '' : `, beginning with ${inlineCode(excerpt)}`;
  const pictures = images === 0 ? '' : ` and ${grouped(images)} images`;
  return `The tool ${inlineCode(result.name)} ${verb} with ${grouped(text.length)} characters${pictures}${beginning}.`;
}

/**
 * The files in a request, by the line before each fenced block: a path stands there alone, prose has spaces and
 * ends with a colon. What the user pastes below a lone file name counts too.
 */
function filesOf(request: PracticeRequest): string[] {
  const texts = request.messages.flatMap((message) =>
    message.role === 'user' ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  );
  const captions = [...request.system.map((part) => part.text), ...texts].flatMap((text) => scanMarkdown(text).captions);
  return [...new Set(captions.filter((line) => /^\S+$|\.\w+"?$/.test(line) && !line.endsWith(':')))];
}

function messageCounts({ messages }: PracticeRequest): string {
  const count = (role: string): string => grouped(messages.filter((message) => message.role === role).length);
  return `${grouped(messages.length)} (user ${count('user')}, assistant ${count('assistant')}, tool ${count('tool')})`;
}

function cacheCounts(use: CacheUse): string {
  return (
    `${grouped(use.read)} tokens read, ${grouped(use.written5m)} written for 5 minutes, ` +
    `${grouped(use.written1h)} written for an hour, ${grouped(use.fresh)} neither`
  );
}

function names(list: readonly string[]): string {
  return list.length === 0 ? 'none' : list.map(inlineCode).join(', ');
}

function words(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
