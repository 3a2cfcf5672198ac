import { assertNever } from '../../assertNever.js';
import type { AuthorNames } from '../../chat/authors.js';
import { toolCallsOf } from '../../chat/message/message.js';
import type { ToolCallPart } from '../../model/part.js';
import type { ImageLimits } from '../../model/imageRules.js';
import type { Capabilities, Model } from '../../model/model.js';
import type { Adaptations } from '../../record/adaptations.js';
import { AdaptedParts, type OutsideContents, carried } from './adaptedParts.js';
import type { Block, Tier, ToolDefinition } from '../../model/block.js';
import type { BlockFactory } from '../blockFactory.js';
import type { ExclusionState } from '../gather.js';
import { isCallHeld } from '../layout/turns.js';
import type { LayoutUnit, OrderedContents } from '../layout/layout.js';
import type { Manifest } from '../../record/manifest.js';
import { type OnDemandTools, deferredIn } from '../onDemandTools.js';
import type { Prompt, WireMessage } from '../../model/prompt.js';
import { type ToolNames, sentToolNames, withSentName } from '../../record/toolNames.js';
import { PrefixHash } from '../prefixHash.js';
import { acceptedTools, sentTool } from './acceptedTools.js';
import { sentImageLimits } from './sentImages.js';
import type { Repeats } from './repeats.js';

/** Texts that providers need between the messages of a conversation. */
const NOTES = {
  /** Separates tool results from the next user message, for providers that allow no user content after results. */
  interrupted: { role: 'assistant', text: '(The reply was stopped here.)' },
  /** Begins a conversation whose first message is on a damaged log line, because the user must speak first. */
  missing: { role: 'user', text: '(An earlier message is missing here.)' },
} as const;

/** Collects wire messages. Merges messages of the same role, so that the roles alternate. */
class AlternatingMessages {
  readonly #all: WireMessage[] = [];
  readonly #capabilities: Capabilities;
  readonly #factory: BlockFactory;
  readonly #prefix: PrefixHash;
  #blockCount: number;

  constructor(capabilities: Capabilities, factory: BlockFactory, before: readonly Block[]) {
    this.#capabilities = capabilities;
    this.#factory = factory;
    this.#prefix = new PrefixHash(before, factory.sha256);
    this.#blockCount = before.length;
  }

  get all(): readonly WireMessage[] {
    return this.#all;
  }

  get prefix(): string {
    return this.#prefix.value;
  }

  /** Number of all blocks so far, including those before the messages. */
  get blockCount(): number {
    return this.#blockCount;
  }

  get endsWithUser(): boolean {
    return this.#all.at(-1)?.role === 'user';
  }

  add(role: WireMessage['role'], blocks: readonly Block[]): void {
    const [first] = blocks;
    if (first === undefined) {
      return;
    }
    const last = this.#all.at(-1);
    if (last === undefined && role === 'assistant') {
      this.#push('user', [this.#note('missing', first)]);
    }
    if (last?.role === role && this.#isBarred(last)) {
      this.#push('assistant', [this.#note('interrupted', first)]);
    }
    this.#push(role, blocks);
  }

  #push(role: WireMessage['role'], blocks: readonly Block[]): void {
    const last = this.#all.at(-1);
    if (last?.role === role) {
      this.#all[this.#all.length - 1] = { role, blocks: [...last.blocks, ...blocks] };
    } else {
      this.#all.push({ role, blocks });
    }
    this.#prefix.add(blocks);
    this.#blockCount += blocks.length;
  }

  #isBarred(last: WireMessage): boolean {
    return last.blocks.at(-1)?.role === 'tool-results' && !this.#capabilities.userContentAfterToolResults;
  }

  /** Makes a note to place in front of `block`, in the same tier. */
  #note(kind: keyof typeof NOTES, block: Block): Block {
    const { role, text } = NOTES[kind];
    const origin = { key: `${kind}:${block.key}`, role, category: 'conversation', item: null } as const;
    return { ...this.#factory.snapshotBlock(origin, { type: 'text', text }), tier: block.tier };
  }
}

/** The attempts of the replies, by id. The hashes of their prompts decide whether reasoning may be sent again. */
export type SentAttempts = ReadonlyMap<string, { readonly manifest: Pick<Manifest, 'promptHash'> }>;

export interface AdaptInput extends OutsideContents {
  readonly model: Model;
  readonly attempts: SentAttempts;
  /** The names for user messages. Empty while the chat has one author. */
  readonly authors: AuthorNames;
  /** Finds tool results that repeat earlier content. A new object for each request. */
  readonly repeats: Repeats;
}

export interface AdaptedRequest {
  readonly prompt: Prompt;
  readonly adaptations: Adaptations;
  readonly toolNames: ToolNames;
  /** For each unit of `messages`, the number of blocks of the prompt up to the end of the unit. */
  readonly ends: readonly number[];
  /** The largest image that the provider accepts in this request. Null when unknown. */
  readonly imageLimits: ImageLimits | null;
  readonly onDemand: OnDemandTools;
}

const RETIRED_TOOL = 'This tool is no longer available.';

/**
 * Makes a request obey the wire rules of all providers and the capabilities of its model:
 * - The user speaks first, and roles alternate.
 * - Tool results follow their reply directly, in the order of the calls. A call without a logged result gets one.
 * - Tools get names and schemas that the provider accepts. Tools that it does not accept are not offered.
 * - A tool that only earlier messages name is defined if the model needs it.
 * - Results without calls, empty text, unsigned reasoning and reasoning of another protocol or model are not sent.
 * - Reasoning bound to a changed prefix is not sent either, so this step comes after the layout.
 * - A user message begins with the images of the replies before it.
 * - Removed tool calls and their results are not sent. Parts that the next rebuild removes are marked as `carried`.
 * - A pointer replaces a tool result that repeats earlier content (`Repeats`).
 * - `AdaptedParts` adapts everything else that the model does not accept.
 */
export function adapt(
  { tools: laidOut, system, messages: placed }: OrderedContents,
  input: AdaptInput,
  factory: BlockFactory,
): AdaptedRequest {
  const { model, attempts, authors, repeats } = input;
  const { offered, schemas, adaptations } = acceptedTools(laidOut, model);
  repeats.addItems(system);
  const called = model.capabilities.tools ? calledTools(placed) : [];
  const retired = model.capabilities.callsNeedDefinitions && offered.length === 0 ? called : [];
  const names = new Set([...offered.flatMap(({ part }) => ('name' in part ? [part.name] : [])), ...called]);
  const toolNames = sentToolNames(names, model.capabilities.toolNames, factory.sha256);
  const tools = [
    ...offered.map((block) => sentTool(block, schemas, { toolNames, factory })),
    ...retired.map((name) => retiredTool(name, toolNames, factory)),
  ];
  const messages = new AlternatingMessages(model.capabilities, factory, [...tools, ...system]);
  const definitions = deferredIn(offered);
  const loadable = new Map(definitions.map((each) => [each.name, factory.definitionTokens(each)]));
  const imageLimits = sentImageLimits(placed, input);
  const parts = new AdaptedParts({ ...input, toolNames, loadable, hasRetiredTools: retired.length > 0, imageLimits }, factory);
  const ends: number[] = [];
  for (const [at, each] of placed.entries()) {
    switch (each.kind) {
      case 'blocks':
        repeats.addItems(each.blocks);
        messages.add(each.role, each.blocks);
        break;
      case 'user':
        messages.add('user', inTier(asHeld(parts.user(each.message, authors), each), each.tier));
        break;
      case 'reply': {
        const { message, results, excludedCalls } = each;
        // When the model wrote the reply, the prefix ended with a user message. Another end means a changed prefix.
        const isBound = (): boolean => messages.endsWithUser && attempts.get(message.attemptId)?.manifest.promptHash === messages.prefix;
        messages.add('assistant', inTier(asHeld(parts.assistant(message, excludedCalls, isBound), each), each.tier));
        const calls = callsOf(each);
        repeats.beginReply(message, calls, nextItems(each, placed[at + 1]));
        const answers = calls.flatMap((call) => {
          const located = results.get(call.id);
          const answer = repeats.result(call, located, parts.result(message, call, located));
          return excludedCalls.get(call.id) === 'carried' ? carried(answer) : answer;
        });
        messages.add('user', inTier(asHeld(answers, each), each.tier));
        break;
      }
      default:
        assertNever(each);
    }
    ends.push(messages.blockCount);
  }
  const onDemand = { definitions, loaded: parts.loaded };
  const adapted = { ...parts.adaptations, ...adaptations };
  return { prompt: { tools, system, messages: messages.all }, adaptations: adapted, toolNames, ends, imageLimits, onDemand };
}

/** Marks the blocks of an excluded message as `carried`, because this request still contains them. */
function asHeld(blocks: readonly Block[], { excludedWith }: ExclusionState): readonly Block[] {
  return excludedWith === null ? blocks : carried(blocks);
}

function inTier(blocks: readonly Block[], tier: Tier | undefined): readonly Block[] {
  return tier === undefined ? blocks : blocks.map((block) => ({ ...block, tier }));
}

function callsOf(placed: LayoutUnit): readonly ToolCallPart[] {
  return placed.kind === 'reply' ? toolCallsOf(placed.message).filter(({ id }) => isCallHeld(placed, id)) : [];
}

/** Returns the blocks directly after a reply. Empty in a cached tier, because the files after it can change tiers. */
function nextItems(
  { tier }: Pick<Extract<LayoutUnit, { readonly kind: 'reply' }>, 'tier'>,
  next: LayoutUnit | undefined,
): readonly Block[] {
  return tier === undefined && next?.kind === 'blocks' ? next.blocks : [];
}

function calledTools(placed: readonly LayoutUnit[]): string[] {
  const names = placed.flatMap((each) =>
    callsOf(each).flatMap(({ id, name }) => [name, (each.kind === 'reply' ? each.results.get(id)?.part.name : undefined) ?? name]),
  );
  return [...new Set(names)];
}

function retiredTool(name: string, names: ToolNames, factory: BlockFactory): Block {
  const definition: ToolDefinition = { type: 'toolDefinition', name, description: RETIRED_TOOL, schema: {}, isRetired: true };
  const origin = { key: `retiredTool:${name}`, role: 'tools', category: 'tools', item: null } as const;
  return factory.snapshotBlock(origin, withSentName(definition, names));
}
