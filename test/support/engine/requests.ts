import type { AttemptState } from '../../../src/engine/chat/slices/attempts.js';
import type { Message, SentMessage } from '../../../src/engine/chat/message.js';
import { assemble, type Assembled } from '../../../src/engine/prompt/assemble.js';
import type { Prompt } from '../../../src/engine/prompt/block.js';
import { BlockFactory } from '../../../src/engine/prompt/blockFactory.js';
import type { ResultTexts } from '../../../src/engine/prompt/resultText.js';
import { rebuildPrompt, type RebuildSources } from '../../../src/engine/prompt/rebuild.js';
import { recordManifest, type ManifestBase, type Recorded } from '../../../src/engine/prompt/record.js';
import type { Model, WireRequest } from '../../../src/engine/run/model.js';
import type { RequestSize } from '../../../src/engine/tokens/requestSize.js';
import { attemptStarted } from './events.js';
import { RESULT_TEXTS, WHOLE_RESULTS } from './largeResults.js';
import { characters, sha256 } from './ports.js';

export interface Content {
  readonly model: Model;
  readonly systemPrompt: string;
  readonly files: ReadonlyMap<string, string>;
  readonly messages: readonly SentMessage[];
  /** The large results that could be read; all when it is left out. */
  readonly resultTexts?: ResultTexts;
}

/** A request that was recorded, with the prompt as it was sent. */
export interface Sent {
  readonly attempt: AttemptState;
  readonly prompt: Prompt;
  readonly recorded: Recorded;
}

/** The requests of one chat, each recorded against the one before, as a host does it. */
export class RecordedChat {
  readonly attempts = new Map<string, AttemptState>();
  readonly messages = new Map<string, Message>();
  readonly blobs = new Map<string, string>(WHOLE_RESULTS);
  readonly #factory = new BlockFactory(characters, sha256);
  #base: ManifestBase | null = null;

  send(content: Content): Sent {
    const { model, systemPrompt, files, messages } = content;
    const { attempts } = this;
    const rest = {
      cacheMode: 'cached',
      fragments: [],
      missingImages: new Set<string>(),
      resultTexts: content.resultTexts ?? RESULT_TEXTS,
      attempts,
    } as const;
    const input = { ...rest, model, systemPrompt, files: { contents: files }, messages };
    const assembled = assemble(input, this.#factory);
    const params = { maxOutputTokens: 1_000, extraBody: {} };
    const recorded = recordManifest(
      { assembled, size: exactSize(assembled), model, params, wire: wireOf(assembled.prompt), base: this.#base },
      sha256,
    );
    const attempt = this.#keep(recorded, messages);
    this.#base = { attemptId: attempt.id, blocks: recorded.blocks, depth: recorded.depth };
    return { attempt, prompt: assembled.prompt, recorded };
  }

  rebuild(attempt: AttemptState): Promise<Prompt> {
    return rebuildPrompt(attempt, this.sources(), sha256);
  }

  sources(): RebuildSources {
    return {
      attempt: (id) => this.attempts.get(id),
      message: (id) => this.messages.get(id),
      blob: async (name) => {
        const blob = this.blobs.get(name);
        if (blob === undefined) {
          throw new Error(`There is no blob ${name}.`);
        }
        return blob;
      },
    };
  }

  /** What a log would keep of it: everything through JSON. */
  #keep(recorded: Recorded, messages: readonly SentMessage[]): AttemptState {
    const { manifest } = throughLog(recorded);
    const id = `attempt-${this.attempts.size}`;
    const { runId, purpose, model, protocol, requestContext } = attemptStarted('run', id);
    const attempt = {
      id,
      runId,
      inheritedFrom: null,
      purpose,
      model,
      protocol,
      requestContext,
      manifest,
      startedAt: 0,
      reply: [],
      end: null,
    };
    this.attempts.set(id, attempt);
    for (const message of messages) {
      this.messages.set(message.id, throughLog(message));
    }
    for (const [name, json] of recorded.blobs) {
      this.blobs.set(name, json);
    }
    return attempt;
  }
}

/** The size by the model's own tokenizer. */
export function exactSize({ totalTokens }: Assembled): RequestSize {
  return { tokens: totalTokens, counted: totalTokens, basis: 'exact', error: null };
}

/** A body that differs whenever anything that reaches the provider does. */
export function wireOf(prompt: Prompt): WireRequest {
  const wire = (blocks: Prompt['system']): unknown => blocks.map(({ role, part, breakpoint }) => [role, part, breakpoint]);
  const messages = prompt.messages.map(({ role, blocks }) => [role, wire(blocks)]);
  return { body: JSON.stringify([wire(prompt.tools), wire(prompt.system), messages]), converterVersion: 'test/1' };
}

function throughLog<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
