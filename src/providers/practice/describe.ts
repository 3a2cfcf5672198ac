import { loadedText } from '../../engine/chat/message/message.js';
import type { CacheUse } from '../../engine/model/providerCache.js';
import { COMMAND_HELP, newestText } from './commands.js';
import { bullets, inlineCode, scanMarkdown } from './markdown.js';
import { deferredTools } from './requestParts.js';
import type { PracticePart, PracticeRequest } from './wire.js';

/** A request as the practice model receives it, with the use of the cache. */
export interface SeenRequest {
  readonly request: PracticeRequest;
  readonly tokens: number;
  readonly use: CacheUse;
  readonly maxInputTokens: number;
}

const INTRODUCTION = "I'm the **practice model**, a built-in test model. I can't think; I show you what was sent:";

/** Describes the request in Markdown, as the reply to a message without commands. */
export function describeRequest({ request, tokens, use, maxInputTokens }: SeenRequest): string {
  const list = [
    `**Your message:** ${counted(words(newestText(request)), 'word')}`,
    `**Messages:** ${messageCounts(request)}`,
    `**Files:** ${names(filesOf(request))}`,
    ...editorState(request),
    `**Tools:** ${toolsOf(request)}`,
    `**Whole request:** ${counted(tokens, 'token')} (at most ${grouped(maxInputTokens)}, of which Loupe keeps some for the reply)`,
    `**Cache:** ${cacheCounts(use)}`,
  ];
  return [INTRODUCTION, bullets(list), ...(hasIntroducedItself(request) ? [] : [help()])].join('\n\n');
}

/** Describes the workspace message. Empty without one. */
function editorState({ messages }: PracticeRequest): readonly string[] {
  const parts = messages.flatMap(({ content }) => content.filter(({ isEditorState }) => isEditorState === true));
  return parts.length === 0 ? [] : [`**Editor state:** ${counted(parts.length, 'part')}`];
}

/** Describes the tools: a list of those in the prompt, and the number of tools on demand. */
function toolsOf(request: PracticeRequest): string {
  const deferred = deferredTools(request);
  const inPrompt = names(request.tools.flatMap(({ name }) => (deferred.has(name) ? [] : [name])));
  return deferred.size === 0 ? inPrompt : `${inPrompt}, and ${grouped(deferred.size)} on demand`;
}

/** Whether an earlier reply has already introduced the model with the help text. */
function hasIntroducedItself({ messages }: PracticeRequest): boolean {
  return messages.some(
    ({ role, content }) => role === 'assistant' && content.some((part) => part.type === 'text' && part.text.startsWith(INTRODUCTION)),
  );
}

export function help(): string {
  const list = COMMAND_HELP.map(([line, meaning]) => `${inlineCode(line)}: ${meaning}`);
  return `Try these commands:\n\n${bullets(list)}`;
}

/** Returns the reply after tool results: a sentence about each result in the last message. */
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
 * Returns the paths of the files in a request: lines that look like a path and directly precede a fenced block. Also
 * finds a file name that the user wrote above a pasted block.
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

function cacheCounts({ read, written5m, written1h, fresh }: CacheUse): string {
  const used = [
    ...(read === 0 ? [] : [`${counted(read, 'token')} read`]),
    ...(written5m === 0 ? [] : [`${counted(written5m, 'token')} written for 5 minutes`]),
    ...(written1h === 0 ? [] : [`${counted(written1h, 'token')} written for 1 hour`]),
  ];
  return `${used.length === 0 ? 'nothing read or written' : used.join(', ')} (${counted(fresh, 'token')} at full price)`;
}

function names(list: readonly string[]): string {
  return list.length === 0 ? 'none' : list.map(inlineCode).join(', ');
}

function words(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

function counted(count: number, singular: string): string {
  return `${grouped(count)} ${singular}${count === 1 ? '' : 's'}`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
