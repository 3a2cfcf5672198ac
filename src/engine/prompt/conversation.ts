import { assertNever } from '../assertNever.js';
import type { SentMessage, ToolCallPart } from '../chat/message.js';
import type { Model } from '../run/model.js';
import type { Adaptations } from './adaptations.js';
import { AdaptedParts, type LocatedResult, type OutsideContents } from './adaptedParts.js';
import type { Block, BlockRole, WireMessage } from './block.js';
import type { BlockFactory } from './blockFactory.js';
import type { Manifest } from './manifest.js';
import type { PrefixHash } from './prefixHash.js';

/** Stands between tool results and the user's next message where a provider takes no user content after results. */
const INTERRUPTED_TURN = '(The reply was stopped here.)';

/** Stands in front of a conversation whose first message is on a damaged log line: the wire wants a user first. */
const MISSING_START = '(An earlier message is missing here.)';

/** The attempts that brought the replies, by id: what they sent tells whether reasoning may go back. */
export type SentAttempts = ReadonlyMap<string, { readonly manifest: Pick<Manifest, 'promptHash'> }>;

export interface ConversationInput extends OutsideContents {
  /** What stands in front of the conversation. */
  readonly before: readonly Block[];
  readonly messages: readonly SentMessage[];
  readonly model: Model;
  readonly attempts: SentAttempts;
}

export interface Conversation {
  readonly messages: readonly WireMessage[];
  readonly adaptations: Adaptations;
}

/**
 * The conversation as the wire wants it, for every provider: the user speaks first and roles alternate; each
 * tool call is directly followed by all results of its message, in the order of the calls and with nothing
 * between, a synthetic one where none was logged. Left out are orphan results, empty text, unsigned reasoning,
 * reasoning of another protocol or model and, where the model binds reasoning to what stood before it, what was
 * written after something else; what else the model cannot take is adapted (`AdaptedParts`).
 */
export function composeConversation(input: ConversationInput, factory: BlockFactory): Conversation {
  const { messages, model, attempts } = input;
  const turns = new Turns(model, factory, factory.prefixHash(input.before));
  const parts = new AdaptedParts(model, input, factory);
  for (const [index, message] of messages.entries()) {
    switch (message.role) {
      case 'user':
        turns.add('user', parts.user(message));
        break;
      case 'assistant': {
        // Without the user's words before it a reply begins behind a note, or in the message of another reply.
        const isBound = (): boolean =>
          turns.messages.at(-1)?.role === 'user' && attempts.get(message.attemptId)?.manifest.promptHash === turns.prefix;
        turns.add('assistant', parts.assistant(message, isBound));
        const results = resultsAfter(messages, index);
        const calls = message.parts.filter((part): part is ToolCallPart => part.type === 'toolCall');
        turns.add(
          'user',
          calls.flatMap((call) => parts.result(message, call, results.get(call.id))),
        );
        break;
      }
      case 'tool-results':
        // Taken with the calls they answer; results that answer no call directly before them are orphans.
        break;
      default:
        assertNever(message);
    }
  }
  return { messages: turns.messages, adaptations: parts.adaptations };
}

/** Collects wire messages and keeps their roles alternating. */
class Turns {
  readonly messages: WireMessage[] = [];
  readonly #model: Model;
  readonly #factory: BlockFactory;
  readonly #prefix: PrefixHash;

  constructor(model: Model, factory: BlockFactory, before: PrefixHash) {
    this.#model = model;
    this.#factory = factory;
    this.#prefix = before;
  }

  /** The hash of all that stands before what is added next. */
  get prefix(): string {
    return this.#prefix.value;
  }

  add(role: WireMessage['role'], blocks: readonly Block[]): void {
    const [first] = blocks;
    if (first === undefined) {
      return;
    }
    const last = this.messages.at(-1);
    if (last === undefined && role === 'assistant') {
      this.#push('user', [this.#note(`missing:${first.key}`, 'user', MISSING_START)]);
    }
    if (last?.role === role && this.#isBarred(last)) {
      this.#push('assistant', [this.#note(`interrupted:${first.key}`, 'assistant', INTERRUPTED_TURN)]);
    }
    this.#push(role, blocks);
  }

  /** To the last message when the role is the same, else as a new one. */
  #push(role: WireMessage['role'], blocks: readonly Block[]): void {
    const last = this.messages.at(-1);
    if (last?.role === role) {
      this.messages[this.messages.length - 1] = { role, blocks: [...last.blocks, ...blocks] };
    } else {
      this.messages.push({ role, blocks });
    }
    this.#prefix.add(blocks);
  }

  #isBarred(last: WireMessage): boolean {
    return last.blocks.at(-1)?.role === 'tool-results' && !this.#model.capabilities.userContentAfterToolResults;
  }

  #note(key: string, role: BlockRole, text: string): Block {
    return this.#factory.snapshotBlock(key, role, 'conversation', { type: 'text', text });
  }
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
