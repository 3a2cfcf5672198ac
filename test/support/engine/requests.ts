import { ExpectedCaches } from '../../../src/engine/cacheMonitor/expectedCaches.js';
import type { AttemptState } from '../../../src/engine/chat/slices/attempts.js';
import type { Message, SentMessage } from '../../../src/engine/chat/message/message.js';
import type { FileContents } from '../../../src/engine/context/fileContents.js';
import type { Prompt } from '../../../src/engine/model/prompt.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { LAYOUTS } from '../../../src/engine/request/layout/layouts.js';
import { NOTHING_SENT, type SentBlock, type Situation } from '../../../src/engine/request/layout/situation.js';
import type { WirePart } from '../../../src/engine/model/block.js';
import type { ContextRecord, ForgottenTools, ManifestBlock } from '../../../src/engine/record/manifest.js';
import {
  contextRecordsOf,
  manifestContentOf,
  manifestBlocksOf,
  manifestChain,
  rebuildPrompt,
  type RebuildSources,
} from '../../../src/engine/request/rebuild.js';
import { record, type ManifestBase, type ManifestRecord } from '../../../src/engine/request/record.js';
import { unmeasuredRequest, measuredRequest, type Request, type RequestInput } from '../../../src/engine/request/request.js';
import type { Model, WireRequest } from '../../../src/engine/model/model.js';
import { TEXT_DIFFERENCES } from '../../../src/host/request/compose/textDifferences.js';
import { isCopy } from '../../../src/engine/diagnosis/layoutReplay.js';
import { UNCALIBRATED } from '../../../src/engine/tokens/calibration.js';
import { attemptStarted } from './events.js';
import { RESULT_TEXTS, WHOLE_RESULTS } from './largeResults.js';
import { user } from './messages.js';
import { OPEN_MODEL } from './models.js';
import { characters, sha256 } from './ports.js';
import type { RepositorySource } from '../../../src/engine/next/repository.js';
import { NO_LINKS } from '../../../src/engine/repository/fileLinks.js';
import { NO_REPOSITORY } from '../../../src/engine/repository/repositoryTexts.js';

/** Defaults are those of `PLAIN`, but all large results are readable and the last request is known. */
export type Content = Partial<RequestInput> & {
  readonly messages: readonly SentMessage[];
  readonly context?: readonly ContextRecord[];
};

export const PLAIN: RequestInput = {
  model: OPEN_MODEL,
  layout: LAYOUTS.plain,
  situation: NOTHING_SENT,
  toolMemory: { forgetAfterConclusions: null, pinned: new Set() },
  excluded: { messages: new Map(), calls: new Map() },
  layoutOptions: { fileChanges: 'differences', cacheTargetTokens: null, toolsLeave: 'later', repeatedContent: 'references' },
  differences: TEXT_DIFFERENCES,
  mustRebuild: false,
  cacheMode: 'all-off',
  cacheLifetime: 'automatic',
  cacheKey: 'chat',
  previousResponseId: () => null,
  tools: [],
  onDemand: new Set(),
  systemPrompt: '',
  fragments: [],
  standing: [],
  picked: [],
  workspace: [],
  repository: NO_REPOSITORY,
  fileLinks: NO_LINKS,
  files: new Map(),
  shownLines: new Map(),
  checkpoint: null,
  messages: [user('u', 'Hello')],
  instruction: null,
  frozenBreakpoints: null,
  missingImages: new Set(),
  resultTexts: new Map(),
  attempts: new Map(),
  authors: new Map(),
};

/** No chat gets a repository map from this source. */
export const NO_MAP: RepositorySource = { read: () => Promise.resolve({ ...NO_REPOSITORY, links: NO_LINKS }) };

export function requestOf(change: Partial<RequestInput>, factory: BlockFactory): Request {
  const config = { maxPromptTokens: null, reservedResponseTokens: 0 };
  return measuredRequest(unmeasuredRequest({ ...PLAIN, ...change }, factory), config, { calibration: UNCALIBRATED, byProvider: null });
}

export function withFiles(files: Readonly<Record<string, string>>): { readonly files: FileContents } {
  return { files: new Map(Object.entries(files)) };
}

export interface Sent {
  readonly attempt: AttemptState;
  readonly prompt: Prompt;
  readonly forgotten: readonly ForgottenTools[];
  readonly recorded: ManifestRecord;
}

/** The requests of one chat. Each is recorded against the one before, as in the host. */
export class RecordedChat {
  readonly attempts = new Map<string, AttemptState>();
  readonly messages = new Map<string, Message>();
  readonly blobs = new Map<string, string>(WHOLE_RESULTS);
  protected readonly factory = new BlockFactory(characters, sha256);
  #base: ManifestBase | null = null;
  /** The model of the last composed request. */
  #model: Pick<Model, 'ref' | 'capabilities'> = OPEN_MODEL;

  send({ context, ...content }: Content): Sent {
    const request = this.compose(content, this.factory);
    const { prompt, forgotten } = request;
    const wire = wireOf(prompt);
    const bodyHash = sha256(wire.body);
    const recorded = record({ request, context: context ?? [], picks: null, wire, bodyHash, forecast: {}, base: this.#base }, sha256);
    const attempt = this.#keep(recorded, content.messages);
    this.#base = this.#baseOf(attempt);
    return { attempt, prompt, forgotten, recorded };
  }

  loaded(): RecordedChat {
    const chat = new RecordedChat();
    for (const [id, attempt] of throughLog([...this.attempts])) {
      chat.attempts.set(id, attempt);
    }
    const last = this.#base === null ? undefined : chat.attempts.get(this.#base.attemptId);
    chat.#base = last === undefined ? null : chat.#baseOf(last);
    return chat;
  }

  #baseOf(attempt: AttemptState): ManifestBase {
    const { ordinal } = attempt.manifest;
    const blocks = manifestBlocksOf(attempt, this.attempts) ?? [];
    const records = contextRecordsOf(attempt, this.attempts) ?? [];
    const depth = manifestChain(attempt, this.attempts)?.length ?? 0;
    const forgotten = manifestContentOf(attempt, this.attempts)?.forgotten ?? [];
    return { attemptId: attempt.id, ordinal, depth, content: { blocks, context: records, forgotten } };
  }

  compose({ context: _context, ...content }: Content, factory: BlockFactory): Request {
    const known = { resultTexts: content.resultTexts ?? RESULT_TEXTS, attempts: this.attempts };
    const request = requestOf({ cacheMode: 'cached', situation: this.situation(0), ...content, ...known }, factory);
    this.#model = request.model;
    return request;
  }

  /** What layouts know about the last request, from its record, `idleMs` after it was sent. */
  situation(idleMs: number): Situation {
    const last = this.#base === null ? undefined : this.attempts.get(this.#base.attemptId);
    if (last === undefined) {
      return NOTHING_SENT;
    }
    const { marks, ordinal } = last.manifest;
    const blocks = (manifestBlocksOf(last, this.attempts) ?? []).map((block): SentBlock => ({ ...block, part: this.#copyIn(block) }));
    const model = { ...this.#model, ref: last.model };
    const inCache = new ExpectedCaches().cachedBlocks({ attempt: last, blocks }, model, { chatId: '', attempts: this.attempts }, idleMs);
    return { ...NOTHING_SENT, last: { blocks, marks, ordinal, isSameModel: true, ...inCache } };
  }

  /** Returns the part of a block that a layout can send again, or null for other blocks. */
  #copyIn({ content, ...block }: ManifestBlock): WirePart | null {
    if (!isCopy(block) || content === null) {
      return null;
    }
    return 'inline' in content ? content.inline : (JSON.parse(this.blobs.get(content.blob) ?? 'null') as WirePart | null);
  }

  rebuild(attempt: AttemptState): Promise<Prompt> {
    return rebuildPrompt(attempt, this.sources(), sha256);
  }

  sources(): RebuildSources {
    return {
      attempts: this.attempts,
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

  /** Converts the record to JSON and back, as the log does. */
  #keep(recorded: ManifestRecord, messages: readonly SentMessage[]): AttemptState {
    const { manifest } = throughLog(recorded);
    const id = `attempt-${this.attempts.size}`;
    const { runId, purpose, model, protocol } = attemptStarted('run', id);
    const attempt = { id, runId, inheritedFrom: null, purpose, model, protocol, manifest, startedAt: 0, reply: [], end: null };
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

/** A body that differs whenever the provider's input differs. */
export function wireOf(prompt: Prompt): WireRequest {
  const wire = (blocks: Prompt['system']): unknown => blocks.map(({ role, part, breakpoint }) => [role, part, breakpoint]);
  const messages = prompt.messages.map(({ role, blocks }) => [role, wire(blocks)]);
  return { body: JSON.stringify([wire(prompt.tools), wire(prompt.system), messages]), converterVersion: 'test/1' };
}

export function throughLog<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
