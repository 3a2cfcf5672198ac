import { outputLimit, promptBudget } from '../../engine/budget/budget.js';
import type { AttemptState, ChatState } from '../../engine/chat/fold.js';
import type { Message, SentMessage } from '../../engine/chat/message.js';
import { transcript } from '../../engine/chat/transcript.js';
import type { FileReader } from '../../engine/context/fileContext.js';
import { LoupeError } from '../../engine/errors.js';
import type { Clock, Sha256 } from '../../engine/ports.js';
import { assemble, type Assembled } from '../../engine/prompt/assemble.js';
import { promptBlocks, type Prompt } from '../../engine/prompt/block.js';
import { BlockFactory } from '../../engine/prompt/blockFactory.js';
import type { SystemPiece } from '../../engine/prompt/fragments.js';
import { manifestBlocksOf, manifestDepth, rebuildPrompt } from '../../engine/prompt/rebuild.js';
import { recordManifest, type ManifestBase } from '../../engine/prompt/record.js';
import type { PreparedRequest } from '../../engine/run/input.js';
import type { Model, ModelClient, RequestParams, WireRequest } from '../../engine/run/model.js';
import type { Blobs } from '../../storage/blobs.js';
import type { ModelRegistry } from '../models.js';
import { resolveContext, type ResolvedContext } from './resolveContext.js';

/** A request as it would be sent now: the same value feeds preview, meter, record and wire. */
export interface Composed {
  readonly model: Model;
  readonly client: ModelClient;
  readonly assembled: Assembled;
  readonly context: ResolvedContext;
  /** Tokens the whole request may have. */
  readonly budget: number;
  readonly params: RequestParams;
  /** Made when it is asked for: a preview shows figures, and seldom the bytes. */
  wire(): WireRequest;
}

export interface RequestPorts {
  readonly models: ModelRegistry;
  readonly files: FileReader;
  readonly clock: Clock;
  readonly sha256: Sha256;
}

/** Composes the requests of one chat, and keeps what makes the next one cheap: measured blocks, by counter. */
export class Requests {
  readonly #ports: RequestPorts;
  readonly #blobs: Blobs;
  readonly #factories = new Map<string, BlockFactory>();

  constructor(ports: RequestPorts, blobs: Blobs) {
    this.#ports = ports;
    this.#blobs = blobs;
  }

  /** The request made of the conversation and `more`. Rejects with `modelGone`; what cannot be read is left out. */
  async compose(state: ChatState, fragments: readonly SystemPiece[], more: readonly SentMessage[]): Promise<Composed> {
    const { config } = state;
    const { model, client } = await this.#ports.models.find(config.model);
    const context = await resolveContext(state.context, this.#ports.files, this.#ports.sha256);
    const factory = await this.#factory(model.capabilities.counter);
    const messages = [...transcript(state).messages, ...more];
    const input = { model, cacheMode: config.cacheMode, systemPrompt: config.systemPrompt, fragments, messages };
    const assembled = assemble({ ...input, files: context.files }, factory);
    const params = { maxOutputTokens: outputLimit(model, assembled.totalTokens) };
    const wire = (): WireRequest => client.convert(model, assembled.prompt, params);
    return { model, client, assembled, context, budget: promptBudget(config, model), params, wire };
  }

  /**
   * Records a composed request. Throws `contextOverflow` when it is over the budget: then nothing is sent. Blobs
   * are stored before the manifest that names them is logged.
   */
  async prepare(composed: Composed, state: ChatState, attemptId: string): Promise<PreparedRequest> {
    const problem = overBudget(composed);
    if (problem !== null) {
      throw new LoupeError('contextOverflow', problem);
    }
    const { assembled, context, model, client, params } = composed;
    const wire = composed.wire();
    const recorded = recordManifest({ assembled, model, params, wire, base: lastManifest(state) }, this.#ports.sha256);
    for (const json of recorded.blobs.values()) {
      await this.#blobs.put(Buffer.from(json, 'utf8'));
    }
    const marked = promptBlocks(assembled.prompt).findLastIndex((block) => block.breakpoint !== null);
    return {
      attemptId,
      model,
      client,
      manifest: recorded.manifest,
      wire,
      requestContext: { items: context.items, leftOut: context.leftOut, timestamp: this.#ports.clock.now() },
      cacheControlIndex: marked === -1 ? null : marked,
    };
  }

  /** The request behind an attempt, rebuilt from the log. Rejects with `storage` when something of it is missing. */
  async rebuild(state: ChatState, attempt: AttemptState): Promise<Rebuilt> {
    const { sha256, models } = this.#ports;
    const logged = loggedMessages(state);
    const sources = {
      attempt: (id: string) => state.attempts.get(id),
      message: (id: string) => logged.get(id),
      blob: async (sha: string) => Buffer.from(await this.#blobs.get(sha)).toString('utf8'),
    };
    const prompt = await rebuildPrompt(attempt, sources, sha256);
    const { model, client } = await models.find(attempt.model);
    const wire = client.convert(model, prompt, attempt.manifest.params);
    return { prompt, body: wire.body, note: rebuildNote(attempt, wire, sha256(wire.body)) };
  }

  async #factory(counterId: string): Promise<BlockFactory> {
    const counter = await this.#ports.models.counter(counterId);
    const factory = this.#factories.get(counterId) ?? new BlockFactory(counter, this.#ports.sha256);
    this.#factories.set(counterId, factory);
    return factory;
  }
}

export interface Rebuilt {
  readonly prompt: Prompt;
  readonly body: string;
  /** Why the body is not what was sent, byte for byte; null when it is. */
  readonly note: string | null;
}

function rebuildNote({ manifest }: AttemptState, wire: WireRequest, hash: string): string | null {
  if (hash === manifest.bodyHash) {
    return null;
  }
  return wire.converterVersion === manifest.converterVersion
    ? 'The rebuilt request differs from the one that was sent: the settings of its model have changed since.'
    : `Rebuilt by a newer converter (${wire.converterVersion}) than the one that sent it (${manifest.converterVersion}).`;
}

/** The messages of the log by id, also those of branches that were left. */
function loggedMessages(state: ChatState): ReadonlyMap<string, Message> {
  const timelines = [state.timeline, ...state.rewinds.values()];
  const items = timelines.flatMap((timeline) => timeline.filter((item) => item.kind === 'message'));
  return new Map(items.map(({ message }) => [message.id, message]));
}

/** Why a request cannot be sent, naming its largest parts; null when it fits. */
export function overBudget({ assembled, budget }: Composed): string | null {
  if (assembled.totalTokens <= budget) {
    return null;
  }
  const largest = promptBlocks(assembled.prompt)
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, LARGEST_NAMED)
    .map((block) => `${blockName(block.key)} (${block.tokens.toLocaleString('en-US')})`);
  const total = assembled.totalTokens.toLocaleString('en-US');
  return (
    `The request has ${total} tokens, more than the ${budget.toLocaleString('en-US')} this chat may send. ` +
    `Its largest parts: ${largest.join(', ')}. Remove a file, start a new chat, or raise the limits in the chat settings.`
  );
}

/** Enough to see what to remove, few enough for one line. */
const LARGEST_NAMED = 3;

/** A block's source in words for the user. */
export function blockName(key: string): string {
  const [kind, ...rest] = key.split(':');
  switch (kind) {
    case 'file':
      return rest.join(':');
    case 'message':
      return 'a message';
    case 'system':
      return 'the system prompt';
    default:
      return key;
  }
}

/**
 * What the next manifest is written against. Null before the first request, and after one whose own chain is
 * broken by a damaged log line: the next record then is a full one and starts a new chain.
 */
function lastManifest(state: ChatState): ManifestBase | null {
  const last = [...state.attempts.values()].at(-1);
  if (last === undefined) {
    return null;
  }
  const sources = { attempt: (id: string) => state.attempts.get(id) };
  const depth = manifestDepth(last, sources);
  return depth === null ? null : { attemptId: last.id, blocks: manifestBlocksOf(last, sources), depth };
}
