import { assertNever } from '../assertNever.js';
import type {
  AssistantMessage,
  ImagePart,
  SentMessage,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  UserMessage,
} from '../chat/message.js';
import type { Model } from '../run/model.js';
import type { Block, BlockRole, WireMessage } from './block.js';
import type { BlockFactory } from './blockFactory.js';
import { wirePart } from './wirePart.js';

/** What the model is told when a call has no result: it was stopped, or its host died while it ran. */
export const LOST_RESULT = 'The tool call was interrupted; it has no result. It may or may not have had effects.';

/** Stands between tool results and the user's next message where a provider takes no user content after results. */
const INTERRUPTED_TURN = '(The reply was stopped here.)';

/** Stands in front of a conversation whose first message is on a damaged log line: the wire wants a user first. */
const MISSING_START = '(An earlier message is missing here.)';

/**
 * The conversation as the wire wants it, for every provider: the user speaks first and roles alternate; each
 * tool call is directly followed by all results of its message, in the order of the calls and with nothing
 * between, a synthetic one where none was logged. Left out are orphan results, empty text, unsigned reasoning
 * and reasoning of another protocol or model.
 */
export function conversationMessages(
  messages: readonly SentMessage[],
  model: Model,
  factory: BlockFactory,
): WireMessage[] {
  const turns = new Turns(model, factory);
  for (const [index, message] of messages.entries()) {
    switch (message.role) {
      case 'user':
        turns.add('user', userBlocks(message, model, factory));
        break;
      case 'assistant':
        turns.add('assistant', assistantBlocks(message, model, factory));
        turns.add('user', resultBlocks(message, resultsAfter(messages, index), model, factory));
        break;
      case 'tool-results':
        // Taken with the calls they answer; results that answer no call directly before them are orphans.
        break;
      default:
        assertNever(message);
    }
  }
  return turns.messages;
}

/** Collects wire messages and keeps their roles alternating. */
class Turns {
  readonly messages: WireMessage[] = [];
  readonly #model: Model;
  readonly #factory: BlockFactory;

  constructor(model: Model, factory: BlockFactory) {
    this.#model = model;
    this.#factory = factory;
  }

  add(role: WireMessage['role'], blocks: readonly Block[]): void {
    const [first] = blocks;
    if (first === undefined) {
      return;
    }
    const last = this.messages.at(-1);
    if (last === undefined && role === 'assistant') {
      this.messages.push({ role: 'user', blocks: [this.#note(`missing:${first.key}`, 'user', MISSING_START)] });
    }
    if (last?.role !== role) {
      this.messages.push({ role, blocks });
    } else if (this.#isBarred(last)) {
      const note = this.#note(`interrupted:${first.key}`, 'assistant', INTERRUPTED_TURN);
      this.messages.push({ role: 'assistant', blocks: [note] }, { role, blocks });
    } else {
      this.messages[this.messages.length - 1] = { role, blocks: [...last.blocks, ...blocks] };
    }
  }

  #isBarred(last: WireMessage): boolean {
    return last.blocks.at(-1)?.role === 'tool-results' && !this.#model.capabilities.userContentAfterToolResults;
  }

  #note(key: string, role: BlockRole, text: string): Block {
    return this.#factory.snapshotBlock(key, role, 'conversation', { type: 'text', text });
  }
}

function userBlocks(message: UserMessage, model: Model, factory: BlockFactory): Block[] {
  return message.parts.flatMap((part, index) => {
    const block =
      part.type === 'image' && !model.capabilities.images
        ? imageNote(message, index, part, factory)
        : factory.messageBlock(message.id, index, 'user', part);
    return block === null ? [] : [block];
  });
}

function imageNote(message: UserMessage, index: number, part: ImagePart, factory: BlockFactory): Block {
  return factory.snapshotBlock(`noImage:${message.id}/${String(index)}`, 'user', 'conversation', noteOf(part));
}

function noteOf(image: ImagePart): TextPart {
  return { type: 'text', text: `(An image, ${image.mimeType}, is left out: the model takes no images.)` };
}

function assistantBlocks(message: AssistantMessage, model: Model, factory: BlockFactory): Block[] {
  return message.parts.flatMap((part, index) => {
    const foreign = part.type === 'reasoning' && (part.protocol !== model.protocol || part.model !== model.ref.model);
    const block = foreign ? null : factory.messageBlock(message.id, index, 'assistant', part);
    return block === null ? [] : [block];
  });
}

interface LocatedResult {
  readonly messageId: string;
  readonly index: number;
  readonly part: ToolResultPart;
}

/** The parts of the tool-results messages that directly follow message `at`, by call id; the first one counts. */
function resultsAfter(messages: readonly SentMessage[], at: number): Map<string, LocatedResult> {
  const found = new Map<string, LocatedResult>();
  for (let next = at + 1; next < messages.length; next += 1) {
    const message = messages[next];
    if (message?.role !== 'tool-results') {
      break;
    }
    for (const [index, part] of message.parts.entries()) {
      if (!found.has(part.callId)) {
        found.set(part.callId, { messageId: message.id, index, part });
      }
    }
  }
  return found;
}

function resultBlocks(
  message: AssistantMessage,
  results: ReadonlyMap<string, LocatedResult>,
  model: Model,
  factory: BlockFactory,
): Block[] {
  const calls = message.parts.filter((part): part is ToolCallPart => part.type === 'toolCall');
  return calls.flatMap((call) => {
    const located = results.get(call.id);
    const block = located === undefined ? lostResult(message, call, factory) : foundResult(located, model, factory);
    return block === null ? [] : [block];
  });
}

function foundResult({ messageId, index, part }: LocatedResult, model: Model, factory: BlockFactory): Block | null {
  if (model.capabilities.images || part.content.every(({ type }) => type !== 'image')) {
    return factory.messageBlock(messageId, index, 'tool-results', part);
  }
  const content = part.content.map((item) => (item.type === 'image' ? noteOf(item) : item));
  const wire = wirePart({ ...part, content });
  const key = `noImage:${messageId}/${String(index)}`;
  return wire === null ? null : factory.snapshotBlock(key, 'tool-results', 'conversation', wire);
}

function lostResult(message: AssistantMessage, call: ToolCallPart, factory: BlockFactory): Block {
  const content = [{ type: 'text', text: LOST_RESULT }] as const;
  const part = { type: 'toolResult', callId: call.id, name: call.name, content, isError: true } as const;
  return factory.snapshotBlock(`lostResult:${message.id}/${call.id}`, 'tool-results', 'conversation', part);
}
