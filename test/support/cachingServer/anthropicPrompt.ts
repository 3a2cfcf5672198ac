import { deferredTools, isDeferred, isReference } from './anthropicDeferred.js';
import { type Markable, readMarks } from './anthropicMarks.js';
import { checkToolPairs } from './anthropicToolPairs.js';
import type { Framing, ModelOptions } from './options.js';
import type { Level, Prompt, PromptBlock, Ttl } from './prompt.js';
import { invalid } from './refusal.js';
import { imageTokens, type TokenCounter } from './tokens.js';
import { items, member, stringMember, type WireNode, wireText } from './wireJson.js';

/** The documentation names no framing of messages. Tests can set one. */
const FRAMING: Framing = { perRequest: 0, perMessage: 0, perTool: 0 };

interface Placed extends Markable {
  readonly level: Level;
  /** Empty outside the messages. */
  readonly role: string;
  readonly startsMessage: boolean;
}

/** Reads a Messages API request as its cache does. Throws a `Refusal` for an invalid request. */
export function readAnthropicPrompt(request: WireNode, model: ModelOptions, counter: TokenCounter): Prompt {
  const placed = placedBlocks(request);
  const messages = placed.filter(({ level }) => level === 'messages');
  if (messages.length === 0) {
    throw invalid('messages: at least one message is required');
  }
  checkContents(messages);
  checkToolPairs(items(request, 'messages'));
  const deferred = deferredTools(request);
  const marks = readMarks(placed, request);
  const framing = model.framing ?? FRAMING;
  return {
    blocks: placed.map((block, at) => promptBlock(block, marks[at] ?? null, { framing, counter, deferred })),
    parameters: parameters(request, placed),
    tail: framing.perRequest,
  };
}

/** "Tools, system, and messages (in that order)." Plain text counts as one text block. */
function placedBlocks(request: WireNode): Placed[] {
  const outside = { role: '', startsMessage: false };
  const tools = items(request, 'tools')
    .map((node, index): Placed => ({ ...outside, node, path: `tools.${index}`, level: 'tools' }))
    .filter(({ node }) => !isDeferred(node));
  const system = contentOf(request, 'system').map(
    (node, index): Placed => ({ ...outside, node, path: `system.${index}`, level: 'system' }),
  );
  let lastRole = '';
  const messages = items(request, 'messages').flatMap((message, at) => {
    const role = stringMember(message, 'role') ?? '';
    if (!['user', 'assistant', 'system'].includes(role)) {
      throw invalid(`messages.${at}.role: Input should be 'user' or 'assistant'`);
    }
    // "Consecutive user or assistant turns in your request will be combined into a single turn."
    const isNew = role !== lastRole;
    lastRole = role;
    return contentOf(message, 'content').map(
      (node, index): Placed => ({
        node,
        path: `messages.${at}.content.${index}`,
        level: 'messages',
        role,
        startsMessage: isNew && index === 0,
      }),
    );
  });
  return [...tools, ...system, ...messages];
}

function contentOf(owner: WireNode, name: string): readonly WireNode[] {
  const content = member(owner, name);
  if (content?.kind !== 'string') {
    return items(owner, name);
  }
  const members: [string, WireNode][] = [
    ['type', { kind: 'string', value: 'text' }],
    ['text', content],
  ];
  return [{ kind: 'object', members: new Map(members) }];
}

function checkContents(messages: readonly Placed[]): void {
  for (const { node, path } of messages) {
    const type = stringMember(node, 'type');
    if (type === undefined) {
      throw invalid(`${path}.type: Field required`);
    }
    if (type === 'text' && stringMember(node, 'text') === '' && member(node, 'cache_control') === undefined) {
      throw invalid('messages: text content blocks must be non-empty');
    }
    if (type === 'thinking' && (stringMember(node, 'signature') ?? '') === '') {
      throw invalid(`${path}: Invalid \`signature\` in \`thinking\` block`);
    }
  }
}

interface Counting {
  readonly framing: Framing;
  readonly counter: TokenCounter;
  readonly deferred: ReadonlyMap<string, WireNode>;
}

function promptBlock(placed: Placed, mark: Ttl | null, { framing, counter, deferred }: Counting): PromptBlock {
  const { node, level, role, path } = placed;
  const { text, images } = content(node, level);
  // The definition of a loaded tool counts at the result that loads it.
  const loaded = items(node, 'content').flatMap((part) => (isReference(part) ? [deferred.get(stringMember(part, 'tool_name') ?? '')] : []));
  const definitions = loaded.flatMap((tool) => (tool === undefined ? [] : [wireText(tool, ['cache_control', 'defer_loading'])]));
  const added =
    framing.perTool * definitions.length + (level === 'tools' ? framing.perTool : placed.startsMessage ? framing.perMessage : 0);
  return {
    level,
    run: runOf(node, level),
    opening: `${role} ${wireText(node, ['cache_control', 'text'])}`,
    text: text + definitions.join(''),
    tokens: added + images + [text, ...definitions].reduce((sum, each) => sum + counter.count(each), 0),
    mark,
    path,
  };
}

function runOf(node: WireNode, level: Level): PromptBlock['run'] {
  const type = stringMember(node, 'type');
  if (level !== 'messages') {
    return null;
  }
  return type === 'tool_use' ? 'toolUse' : type === 'tool_result' ? 'toolResult' : null;
}

/** The text of a block, and the tokens of its images. */
function content(node: WireNode, level: Level): { text: string; images: number } {
  if (level === 'tools') {
    return { text: wireText(node, ['cache_control']), images: 0 };
  }
  switch (stringMember(node, 'type')) {
    case 'text':
      return { text: stringMember(node, 'text') ?? '', images: 0 };
    case 'thinking':
      return { text: stringMember(node, 'thinking') ?? '', images: 0 };
    case 'image':
      return { text: '', images: imageTokens(stringMember(member(node, 'source'), 'data') ?? '') };
    case 'tool_use':
      return { text: `${stringMember(node, 'name') ?? ''} ${textOf(member(node, 'input'))}`, images: 0 };
    case 'tool_result': {
      const nested = contentOf(node, 'content').flatMap((part) => (isReference(part) ? [] : [content(part, 'messages')]));
      return { text: nested.map(({ text }) => text).join(''), images: nested.reduce((sum, { images }) => sum + images, 0) };
    }
    default:
      return { text: wireText(node, ['cache_control']), images: 0 };
  }
}

function textOf(node: WireNode | undefined): string {
  return node === undefined ? '' : wireText(node, []);
}

/** The parameters in "What invalidates the cache". All of these invalidate the messages only. */
function parameters(request: WireNode, placed: readonly Placed[]): string {
  const effort = stringMember(member(request, 'output_config'), 'effort') ?? 'high';
  // Default: `auto` with tools, `none` without.
  const defaultChoice = `{"type":"${items(request, 'tools').length > 0 ? 'auto' : 'none'}"}`;
  const toolChoice = member(request, 'tool_choice') === undefined ? defaultChoice : textOf(member(request, 'tool_choice'));
  // "Changing whether there are images in a prompt": whether, not how many.
  const images = placed.some(({ node, level }) => level === 'messages' && content(node, level).images > 0);
  return JSON.stringify([toolChoice, images, textOf(member(request, 'thinking')), effort]);
}
