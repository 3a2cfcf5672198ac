import { lastRun } from '../../engine/chat/branch.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import { type ModelRef, modelKey } from '../../engine/model/modelRef.js';
import type { WholeChat } from '../../engine/chat/state.js';
import { failure, toLoupeError } from '../../engine/errors.js';
import type { Prices } from '../../engine/model/price.js';
import { isAlone, requestBefore } from '../../engine/diagnosis/requestBefore.js';
import { manifestBlocksOf } from '../../engine/request/rebuild.js';
import { type InspectedRequest, NEXT_REQUEST, type Verdict } from '../../protocol/inspector/inspector.js';
import type { ObservationView } from '../../protocol/forecast.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { Drafts } from '../chat/drafts.js';
import type { RebuildPorts } from '../request/rebuildRequest.js';
import type { Hint } from '../request/verdict/attemptDiagnosis.js';
import { withNewTools } from '../../engine/next/withNewTools.js';
import { requestPrice } from '../request/forecast/requestPrice.js';
import { AWAITS_REPLY, verdictOfNext } from '../request/verdict/verdict.js';
import { type HeldBlock, heldByNext, heldBySent } from './heldRequest.js';
import { type PreviousRequest, inspectedNext, inspectedSent } from './inspectedRequest.js';
import type { ComparedBlocks, Payload } from './inspectorDetail.js';
import { PayloadLines } from './payloadLines.js';
import type { WirePart } from '../../engine/model/block.js';

/*
 * Finds the place of each block in the body of a request. Each protocol has its own format, but all formats contain
 * texts, calls and definitions as JSON, in the order of the blocks. Tools, system prompt and messages are searched
 * separately, because their order differs between protocols.
 */

/** Maximum number of blocks that are not found, before the search ends. Each such search reads the rest of the body. */
const MOST_MISSES = 20;

const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Returns the offset in characters at which each block starts in the body. Null for a block that was not found. */
export function payloadPlaces(body: string, blocks: readonly HeldBlock[]): readonly (number | null)[] {
  const from = new Map<string, number>();
  let misses = 0;
  return blocks.map(({ part, role }) => {
    const region = role === 'tools' || role === 'system' ? role : 'messages';
    const found = part === null || misses === MOST_MISSES ? null : placeOf(body, part, from.get(region) ?? 0);
    if (found === null) {
      misses += part === null || misses === MOST_MISSES ? 0 : 1;
      return null;
    }
    from.set(region, found.to);
    return found.at;
  });
}

function placeOf(body: string, part: WirePart, from: number): { readonly at: number; readonly to: number } | null {
  for (const forms of formsOf(part)) {
    const places = forms.flatMap((form) => {
      const at = body.indexOf(form, from);
      return at === -1 ? [] : [{ at, to: at + form.length }];
    });
    const [first, ...others] = places;
    if (first !== undefined) {
      return others.reduce((least, each) => (each.at < least.at ? each : least), first);
    }
  }
  return null;
}

/** Returns groups of texts to search for, the most reliable group first. The earliest match of a group counts. */
function formsOf(part: WirePart): readonly (readonly string[])[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return textForms(part.text);
    case 'image':
      return [[`"${part.mimeType}"`, `"data:${part.mimeType}`]];
    case 'toolCall':
      return [[JSON.stringify(part.id)], [`"name":${JSON.stringify(part.name)}`]];
    case 'toolResult':
      return [
        [JSON.stringify(part.callId)],
        ...part.content.flatMap((content) => (content.type === 'text' ? textForms(content.text) : [])),
      ];
    case 'toolDefinition':
      return [[`"name":${JSON.stringify(part.name)}`]];
  }
}

/** Returns the forms that a text can have in a body. Some protocols replace lone surrogates or add a prefix. */
function textForms(text: string): readonly (readonly string[])[] {
  const written = [...new Set([JSON.stringify(text), JSON.stringify(text.replace(LONE_SURROGATES, '\uFFFD'))])];
  const inner = text === '' ? [] : [written.map((json) => json.slice(1, -1))];
  return [written.flatMap((json) => [`"text":${json}`, `"content":${json}`]), written, ...inner];
}

export interface InspectPorts {
  readonly drafts: Pick<Drafts, 'load' | 'get'>;
  readonly sha256: RebuildPorts['sha256'];
  readonly blobs: (chatId: string) => RebuildPorts['blobs'];
  /** Returns the label and the prices of a model. Null for a model that Loupe no longer lists. */
  readonly listed: (ref: ModelRef) => { readonly label: string; readonly prices: Prices | null } | null;
  /** Returns the cost of an attempt and its reason. */
  readonly verdict: (state: WholeChat, attempt: AttemptState) => Verdict;
  /** Returns a hint how the attempt could have cost less. Null when nothing would have cost less. */
  readonly hint: (state: WholeChat, attempt: AttemptState) => Promise<Hint | null>;
  /** Whether the next request of a chat will contain tools of servers that have not started yet. */
  readonly hasUnknownTools: (chat: Pick<WholeChat, 'config'>) => Promise<boolean>;
  /** Returns what the cache monitor observed for a model. Null without an observation. */
  readonly observation: (ref: ModelRef) => ObservationView | null;
}

/** A request with all data of the inspector. Reads rarely needed data at first use, and only once. */
export class RequestDetails {
  readonly request: InspectedRequest;
  readonly blocks: readonly HeldBlock[];
  /** Whether the request can still change, because its reply is streaming or it is the next request. */
  readonly isOpen: boolean;
  readonly verdict: (now: number) => Verdict;
  /** Returns a hint how the request could have cost less. Takes longer than all other details. */
  readonly hint: () => Promise<Hint | null>;
  readonly body: () => Promise<RequestBody>;
  readonly #before: (() => Promise<ComparedBlocks>) | null;
  #payload: Promise<Payload> | null = null;
  #compared: Promise<ComparedBlocks> | null = null;

  constructor(parts: Parts) {
    this.request = parts.request;
    this.blocks = parts.blocks;
    this.isOpen = parts.isOpen;
    this.verdict = parts.verdict;
    this.hint = parts.hint;
    this.body = parts.body;
    this.#before = parts.before;
  }

  /** Returns the body of the request. Never rejects: without a body, the result contains the problem. */
  payload(): Promise<Payload> {
    this.#payload ??= this.body().then(
      ({ body, note }) => ({ lines: new PayloadLines(body), places: payloadPlaces(body, this.blocks), note }),
      (thrown: unknown) => ({ problem: toLoupeError(thrown).message }),
    );
    return this.#payload;
  }

  /** Returns the previous request for a comparison. Null without a comparable request. */
  compared(): Promise<ComparedBlocks> | null {
    this.#compared ??= this.#before?.() ?? null;
    return this.#compared;
  }
}

/** The body of a request. `note`: why the body differs from the sent bytes. Null for equal bytes. */
export interface RequestBody {
  readonly body: string;
  readonly note: string | null;
}

interface Parts extends Pick<RequestDetails, 'request' | 'blocks' | 'isOpen' | 'verdict' | 'hint' | 'body'> {
  readonly before: (() => Promise<ComparedBlocks>) | null;
}

/** Reads the details of a request. Rejects for a missing or damaged record. */
export function inspect(session: ChatSession, state: WholeChat, id: string, ports: InspectPorts): Promise<RequestDetails> {
  return id === NEXT_REQUEST ? inspectNext(session, state, ports) : inspectSent(session, state, id, ports);
}

async function inspectSent(session: ChatSession, state: WholeChat, id: string, ports: InspectPorts): Promise<RequestDetails> {
  const attempts = [...state.attempts.values()];
  const at = attempts.findIndex((attempt) => attempt.id === id);
  const attempt = attempts[at];
  if (attempt === undefined) {
    throw failure('chat.noRequestRecord');
  }
  const model = ports.listed(attempt.model);
  const facts = { attempt, number: at + 1, prices: model?.prices ?? null, label: model?.label ?? modelKey(attempt.model) };
  const blobs = ports.blobs(state.chatId);
  const held = await heldBySent(state, attempt, { sha256: ports.sha256, blobs });
  const before = beforeSent(state, attempts, at);
  const verdict = ports.verdict(state, attempt);
  return new RequestDetails({
    request: {
      ...inspectedSent(facts, held, comparable(before, state, attempts)),
      observation: ports.observation(attempt.model),
    },
    blocks: held.blocks,
    isOpen: attempt.end === null,
    verdict: () => verdict,
    hint: () => ports.hint(state, attempt),
    body: async () => {
      const { rebuilt } = await session.records.request(id);
      return { body: rebuilt.body, note: rebuilt.note };
    },
    before: before === null ? null : comparing(before, state, attempts, ports),
  });
}

async function inspectNext(session: ChatSession, state: WholeChat, ports: InspectPorts): Promise<RequestDetails> {
  await ports.drafts.load(state.chatId);
  const composed = await session.next.current(ports.drafts.get(state.chatId));
  const attempts = [...state.attempts.values()];
  const before = requestBefore(attempts, composed.model.ref, readableIn(state));
  const run = lastRun(state);
  const awaitsReply = run?.status === 'running';
  const held = heldByNext(composed, awaitsReply ? run : null);
  const request = {
    ...inspectedNext(composed, held, { before: comparable(before, state, attempts), awaitsReply }),
    observation: ports.observation(composed.model.ref),
  };
  const { model, isPartial } = composed;
  const hasUnknownTools = composed.offersTools && (await ports.hasUnknownTools(state));
  const isEstimate = composed.size.basis === 'estimate';
  const priced = hasUnknownTools ? withNewTools(composed) : composed;
  const uncached = priced === composed ? {} : { uncached: null };
  const expected = { ...requestPrice(priced, state), ...uncached, model, isPartial, hasUnknownTools, isEstimate };
  return new RequestDetails({
    request,
    blocks: held.blocks,
    isOpen: true,
    verdict: (now) => (awaitsReply ? AWAITS_REPLY : verdictOfNext(expected, now)),
    hint: () => Promise.resolve(null),
    body: () => Promise.resolve({ body: composed.wire().body, note: awaitsReply ? 'The reply in progress is still missing.' : null }),
    before: before === null ? null : comparing(before, state, attempts, ports),
  });
}

/** Returns the previous request for a comparison. The diagnosis of the cost uses the same request. */
function beforeSent({ attempts }: WholeChat, all: readonly AttemptState[], at: number): AttemptState | null {
  const attempt = all[at];
  const blocks = attempt === undefined ? null : manifestBlocksOf(attempt, attempts);
  return attempt === undefined || blocks === null || isAlone(attempt.purpose, blocks)
    ? null
    : requestBefore(all.slice(0, at), attempt.model, readableIn({ attempts }));
}

function readableIn({ attempts }: Pick<WholeChat, 'attempts'>): (attempt: AttemptState) => boolean {
  return (attempt) => manifestBlocksOf(attempt, attempts) !== null;
}

/** Returns the previous request with its blocks. Null without a previous request, and for a damaged record. */
function comparable(before: AttemptState | null, state: WholeChat, attempts: readonly AttemptState[]): PreviousRequest | null {
  const blocks = before === null ? null : manifestBlocksOf(before, state.attempts);
  return before === null || blocks === null ? null : { id: before.id, number: attempts.indexOf(before) + 1, blocks };
}

function comparing(
  before: AttemptState,
  state: WholeChat,
  attempts: readonly AttemptState[],
  { sha256, blobs }: InspectPorts,
): () => Promise<ComparedBlocks> {
  return async () => {
    const { blocks } = await heldBySent(state, before, { sha256, blobs: blobs(state.chatId) });
    return { number: attempts.indexOf(before) + 1, blocks };
  };
}
