import type { CacheUse } from '../../engine/cache/providerCache.js';
import { loadedText } from '../../engine/chat/message.js';
import { COMMAND_HELP, newestText } from './commands.js';
import { counted, grouped } from './playedFailure.js';
import { bullets, inlineCode, scanMarkdown } from './markdown.js';
import { outlineRows } from './outline.js';
import { contentTokens, deferredTools, framingTokens, totalTokens, type RequestPart } from './requestParts.js';
import type { PracticePart, PracticeRequest } from './wire.js';

/** A request as the practice model sees it, with its token counts and its cache use. */
export interface SeenRequest {
  readonly request: PracticeRequest;
  readonly parts: readonly RequestPart[];
  readonly use: CacheUse;
  readonly maxInputTokens: number;
}

const INTRODUCTION = "I'm the **practice model**, a built-in test model. I can't think; I show you what was sent:";

/** The answer to a message without commands: a description of the request, in Markdown. */
export function describeRequest(seen: SeenRequest): string {
  const { request, parts } = seen;
  const system = contentTokens(parts.filter((part) => part.place === 'system' && part.item === null));
  const list = [
    `**Your message:** ${counted(words(newestText(request)), 'word')}`,
    `**Messages:** ${messageCounts(request)}`,
    `**Files:** ${names(filesOf(request))}`,
    `**Tools:** ${toolsOf(request)}`,
    `**Rules and references:** ${items(parts)}`,
    `**System prompt:** ${system === 0 ? 'none' : counted(system, 'token')}`,
    `**Message overhead:** ${counted(framingTokens(parts), 'token')}`,
    `**Whole request:** ${counted(totalTokens(parts), 'token')} (at most ${grouped(seen.maxInputTokens)}, of which Loupe keeps some for the reply)`,
    `**Cache breakpoints:** ${grouped(parts.filter((part) => part.mark !== null).length)}`,
    `**Cache:** ${cacheCounts(seen.use)}`,
  ];
  const outline = ['```text', ...outlineRows(parts), '```'].join('\n');
  return [INTRODUCTION, bullets(list), outline, ...(hasIntroducedItself(request) ? [] : [help()])].join('\n\n');
}

/** The tools in the prompt, and how many more can be loaded. */
function toolsOf(request: PracticeRequest): string {
  const deferred = deferredTools(request);
  const inPrompt = names(request.tools.flatMap(({ name }) => (deferred.has(name) ? [] : [name])));
  return deferred.size === 0 ? inPrompt : `${inPrompt}, and ${grouped(deferred.size)} on demand`;
}

/** Whether an earlier answer in the request is a description, which then already includes the help. */
function hasIntroducedItself({ messages }: PracticeRequest): boolean {
  return messages.some(
    ({ role, content }) => role === 'assistant' && content.some((part) => part.type === 'text' && part.text.startsWith(INTRODUCTION)),
  );
}

/** How to write commands, as Markdown. */
export function help(): string {
  const list = COMMAND_HELP.map(([line, meaning]) => `${inlineCode(line)}: ${meaning}`);
  return `Try these commands:\n\n${bullets(list)}`;
}

/** The answer after tool results: a sentence about each result of the last message. */
export function conclude(results: readonly PracticePart<'toolResult'>[]): string {
  return results.map(aboutResult).join(' ');
}

const EXCERPT_CHARACTERS = 60;

function aboutResult(result: PracticePart<'toolResult'>): string {
  const text = result.content
    .flatMap((part) => (part.type === 'image' ? [] : [part.type === 'text' ? part.text : loadedText(part)]))
    .join('\n');
  const images = result.content.filter((part) => part.type === 'image').length;
  const line = Array.from(text.trimStart().split(/[\r\n]/)[0] ?? '');
  const excerpt = line.slice(0, EXCERPT_CHARACTERS).join('') + (line.length > EXCERPT_CHARACTERS ? '…' : '');
  const verb = result.isError ? 'reported an error' : 'answered';
  const beginning = excerpt === '' ? '' : `, beginning with ${inlineCode(excerpt.replace(/\.$/, ''))}`;
  const pictures = images === 0 ? '' : ` and ${counted(images, 'image')}`;
  return `The tool ${inlineCode(result.name)} ${verb} with ${counted(text.length, 'character')}${pictures}${beginning}.`;
}

/**
 * The files in a request, found by the line before each fenced block. A path stands alone on it; prose has spaces and
 * ends with a colon. Text that the user pastes below a file name counts, too.
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
  const used = [
    ...(use.read === 0 ? [] : [`${counted(use.read, 'token')} read`]),
    ...(use.written5m === 0 ? [] : [`${counted(use.written5m, 'token')} written for 5 minutes`]),
    ...(use.written1h === 0 ? [] : [`${counted(use.written1h, 'token')} written for 1 hour`]),
  ];
  return `${used.length === 0 ? 'nothing read or written' : used.join(', ')} (${counted(use.fresh, 'token')} at full price)`;
}

/** What the panel lists as rules and references, with the same figures. */
function items(parts: readonly RequestPart[]): string {
  const named = parts.flatMap((part) =>
    part.item === null ? [] : [`${inlineCode(part.item.name)} (${counted(contentTokens([part]), 'token')})`],
  );
  return named.length === 0 ? 'none' : named.join(', ');
}

function names(list: readonly string[]): string {
  return list.length === 0 ? 'none' : list.map(inlineCode).join(', ');
}

function words(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
