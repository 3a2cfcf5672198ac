import { readMarks } from './anthropicMarks.js';
import type { Framing, ModelOptions } from './options.js';
import type { Level, Prompt, PromptBlock, Ttl } from './prompt.js';
import { invalid, Refusal } from './refusal.js';
import { IMAGE_TOKENS, type TokenCounter } from './tokens.js';
import { items, member, stringMember, type WireNode, wireText } from './wireJson.js';

/** "How to count tokens" in the cookbook: 3 tokens around each message, 1 for its role, 3 for the reply. */
const FRAMING: Framing = { perRequest: 3, perMessage: 4, perTool: 0 };

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];

interface Placed {
  readonly node: WireNode;
  readonly path: string;
  readonly level: Level;
  readonly opening: string;
  readonly text: string;
  readonly images: number;
  readonly run: PromptBlock['run'];
  readonly startsMessage: boolean;
}

/** Reads a Chat Completions request as its cache does. Throws a `Refusal` for an invalid request. */
export function readOpenAIPrompt(request: WireNode, model: ModelOptions, counter: TokenCounter): Prompt {
  const messages = items(request, 'messages');
  if (messages.length === 0) {
    throw new Refusal(400, "Invalid 'messages': empty array. Expected an array with minimum length 1.", {
      code: 'empty_array',
      param: 'messages',
    });
  }
  checkToolPairs(messages);
  const placed = [...placedTools(request), ...messages.flatMap(placedMessage)];
  refuseMisplacedMarks(messages);
  const marks = model.chatCache === 'marks' ? readMarks(placed, request) : refuseMarks(placed, request);
  const framing = model.framing ?? FRAMING;
  return {
    blocks: placed.map((block, index) => promptBlock(block, marks[index] ?? null, framing, counter)),
    parameters: parameters(request, placed),
    tail: framing.perRequest,
  };
}

/** For endpoints with marks: the parameters that their cache depends on. See the Messages API. */
function parameters(request: WireNode, placed: readonly Placed[]): string {
  const names = ['tool_choice', 'reasoning', 'reasoning_effort'];
  const chosen = names.map((name) => member(request, name)).map((node) => (node === undefined ? '' : wireText(node, [])));
  return JSON.stringify([...chosen, placed.some(({ images }) => images > 0)]);
}

function placedTools(request: WireNode): Placed[] {
  return items(request, 'tools').map((node, index) => ({
    ...plain(node, wireText(node, ['cache_control'])),
    path: `tools[${index}]`,
    level: 'tools',
  }));
}

function plain(node: WireNode, text: string): Omit<Placed, 'path' | 'level'> {
  return { node, opening: wireText(node, ['cache_control']), text, images: 0, run: null, startsMessage: false };
}

function placedMessage(message: WireNode, at: number): Placed[] {
  const role = stringMember(message, 'role') ?? '';
  if (!ROLES.includes(role)) {
    throw new Refusal(400, `Invalid value: '${role}'.`, { code: 'invalid_value', param: `messages[${at}].role` });
  }
  // The members of the message belong to its first block.
  const head = `${role} ${wireText(message, ['role', 'content', 'tool_calls', 'cache_control'])}`;
  const run = role === 'tool' ? ('toolResult' as const) : null;
  const found = [
    ...contentParts(message).map((node, index) => ({ ...part(node), run, path: `messages[${at}].content[${index}]` })),
    ...items(message, 'tool_calls').map((node, index) => ({
      ...plain(node, toolCallText(node)),
      run: 'toolUse' as const,
      path: `messages[${at}].tool_calls[${index}]`,
    })),
  ];
  return found.map((block, index) => ({
    ...block,
    level: 'messages',
    opening: `${index === 0 ? head : role} ${block.opening}`,
    startsMessage: index === 0,
  }));
}

function contentParts(message: WireNode): readonly WireNode[] {
  const content = member(message, 'content');
  if (content?.kind !== 'string') {
    return items(message, 'content');
  }
  const members: [string, WireNode][] = [
    ['type', { kind: 'string', value: 'text' }],
    ['text', content],
  ];
  return [{ kind: 'object', members: new Map(members) }];
}

function part(node: WireNode): Omit<Placed, 'path' | 'level'> {
  const isImage = stringMember(node, 'type') === 'image_url';
  return { ...plain(node, stringMember(node, 'text') ?? ''), opening: wireText(node, ['cache_control', 'text']), images: isImage ? 1 : 0 };
}

function toolCallText(node: WireNode): string {
  const call = member(node, 'function');
  return `${stringMember(call, 'name') ?? ''} ${stringMember(call, 'arguments') ?? ''}`;
}

function promptBlock(placed: Placed, mark: Ttl | null, framing: Framing, counter: TokenCounter): PromptBlock {
  const { level, opening, text, images, run, path } = placed;
  const added = level === 'tools' ? framing.perTool : placed.startsMessage ? framing.perMessage : 0;
  return { level, run, opening, text, tokens: added + images * IMAGE_TOKENS + counter.count(text), mark, path };
}

/** Marks are allowed in tools and content parts, not on messages or calls. */
function refuseMisplacedMarks(messages: readonly WireNode[]): void {
  messages.forEach((message, at) => {
    const calls = items(message, 'tool_calls').map((node, index) => ({ node, path: `messages[${at}].tool_calls[${index}]` }));
    for (const { node, path } of [{ node: message, path: `messages[${at}]` }, ...calls]) {
      if (member(node, 'cache_control') !== undefined) {
        throw unknownParameter(`${path}.cache_control`);
      }
    }
  });
}

function unknownParameter(param: string): Refusal {
  return new Refusal(400, `Unknown parameter: '${param}'.`, { code: 'unknown_parameter', param });
}

/** An endpoint with an automatic cache does not know marks: "Unknown parameter". */
function refuseMarks(placed: readonly Placed[], request: WireNode): null[] {
  const top = member(request, 'cache_control') === undefined ? [] : ['cache_control'];
  const marked = placed.filter(({ node }) => member(node, 'cache_control') !== undefined);
  const [param] = [...top, ...marked.map(({ path }) => `${path}.cache_control`)];
  if (param !== undefined) {
    throw unknownParameter(param);
  }
  return placed.map(() => null);
}

/** Each call has its tool message after it at once, and each tool message has a call. */
function checkToolPairs(messages: readonly WireNode[]): void {
  let open: string[] = [];
  messages.forEach((message, at) => {
    if (stringMember(message, 'role') === 'tool') {
      const id = stringMember(message, 'tool_call_id') ?? '';
      if (!open.includes(id)) {
        throw new Refusal(
          400,
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          { code: null, param: `messages.[${at}].role` },
        );
      }
      open = open.filter((other) => other !== id);
      return;
    }
    refuseOpenCalls(open);
    open = items(message, 'tool_calls').map((call) => stringMember(call, 'id') ?? '');
  });
  refuseOpenCalls(open);
}

function refuseOpenCalls(open: readonly string[]): void {
  if (open.length > 0) {
    throw invalid(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
        `The following tool_call_ids did not have response messages: ${open.join(', ')}`,
    );
  }
}
