import type { Usage } from '../../engine/model/usage.js';
import { failure, type LoupeError } from '../../engine/errors.js';
import { isObject, type Json, type JsonObject } from '../../engine/json.js';
import type { Model, StreamPart } from '../../engine/model/model.js';
import { CallArguments } from '../callArguments.js';
import { UniqueIds } from '../callIds.js';
import { REDACTED_PREFIX } from './convert.js';
import { Extras } from '../extras.js';
import { count, itemsOf, member, textMember } from '../json.js';
import { UsageReports } from '../laterUsage.js';
import { diagnosisOf } from './diagnostics.js';
import { refusalIn, stopReasonOf } from './stopReasons.js';
import { citedSource, sourcesOf } from './sources.js';
import { normalizedUsage } from './usage.js';

interface OpenCallBlock {
  readonly kind: 'toolCall';
  readonly index: number;
  readonly id: string;
  readonly hasOwnId: boolean;
  readonly name: string;
  readonly input: JsonObject;
  readonly args: CallArguments;
  /** Whether the reader has returned the call. A call without name and id waits for arguments, or else is dropped. */
  isAnnounced: boolean;
  hasArgs: boolean;
}

/** A content block of the reply that has not ended. `ignored` blocks have a type that Loupe does not support. */
type OpenBlock = { readonly kind: 'text' | 'reasoning'; readonly index: number } | OpenCallBlock | { readonly kind: 'ignored' };

/**
 * Converts the JSON events of a reply to stream parts, numbered by the order in which their blocks begin. Ignores
 * unknown kinds of events, blocks and deltas, because the API's documentation allows new ones. Throws `protocol` for an
 * event that contradicts earlier events.
 */
export class AnthropicReplyReader {
  readonly #blocks = new Map<number, OpenBlock>();
  /** The text block that has just ended, for a next text block to continue. Null after the start of another block. */
  #endedText: OpenBlock | null = null;
  readonly #callIds = new UniqueIds(Infinity);
  readonly #extras = new Extras();
  #parts = 0;
  #responseId: string | null = null;
  #stopReason: string | null = null;
  #refusal: string | null = null;
  readonly #usage = new UsageReports();
  readonly #takesBreakpoints: boolean;
  #isCounted = false;
  #hasEnded = false;
  #isOver = false;

  constructor({ capabilities: { cache } }: Pick<Model, 'capabilities'>) {
    this.#takesBreakpoints = cache.kind === 'marks';
  }

  /** Whether the stop reason and the output usage have arrived, so the reply is complete. */
  get isFinished(): boolean {
    return this.#hasEnded || (this.#stopReason !== null && this.#isCounted);
  }

  get hasStopReason(): boolean {
    return this.#stopReason !== null;
  }

  /** Whether the server has marked the end of the reply. */
  get isOver(): boolean {
    return this.#isOver;
  }

  read(event: unknown): StreamPart[] {
    switch (textMember(event, 'type')) {
      case 'message_start':
        return this.#messageStart(member(event, 'message'));
      case 'content_block_start':
        return this.#blockStart(indexOf(event), member(event, 'content_block'));
      case 'content_block_delta':
        return this.#blockDelta(indexOf(event), member(event, 'delta'));
      case 'content_block_stop':
        return this.#blockStop(indexOf(event));
      case 'message_delta':
        return this.#messageDelta(event);
      case 'message_stop':
        this.#isOver = true;
        return this.end();
      case 'message':
        return this.#wholeMessage(event);
      default:
        return [];
    }
  }

  /**
   * Returns the end part, once. Needs only a stop reason, because some proxies send no `message_stop`. Without a stop
   * reason the reply is incomplete, even after `message_stop`.
   */
  end(): StreamPart[] {
    if (this.#stopReason === null || this.#hasEnded) {
      return [];
    }
    this.#hasEnded = true;
    const calls = [...this.#blocks.keys()].flatMap((at) => this.#blockStop(at));
    const { raw: rawUsage, shrunk } = this.#usage;
    const usage = rawUsage === null ? null : this.#normalized(rawUsage);
    const stopReason = stopReasonOf(this.#stopReason);
    const extras = this.#extras.all;
    const told = extras.length === 0 ? {} : { extras };
    const end = { type: 'end', stopReason, usage, rawUsage, responseId: this.#responseId, ...shrunk, ...told } as const;
    const word = stopReason === 'other' ? this.#stopReason : stopReason === 'refused' ? this.#refusal : null;
    return [...calls, word === null ? end : { ...end, finishReason: word }];
  }

  /** Reads a whole reply in one event, as some proxies send it. */
  #wholeMessage(message: unknown): StreamPart[] {
    this.#isOver = true;
    return [
      ...this.#messageStart(message),
      ...itemsOf(member(message, 'content')).flatMap((block, at) => [...this.#blockStart(at, block), ...this.#blockStop(at)]),
      ...this.#messageDelta({ delta: message as Json, usage: member(message, 'usage') ?? null }),
      ...this.end(),
    ];
  }

  #messageStart(message: unknown): StreamPart[] {
    const responseId = textMember(message, 'id');
    this.#responseId = responseId;
    const diagnostics = member(message, 'diagnostics');
    const begin = diagnostics === undefined ? [] : [{ type: 'begin', responseId, diagnosis: diagnosisOf(diagnostics) } as const];
    return [...begin, ...this.#report(member(message, 'usage'))];
  }

  #messageDelta(event: unknown): StreamPart[] {
    this.#stopReason = textMember(member(event, 'delta'), 'stop_reason') ?? this.#stopReason;
    this.#refusal = refusalIn(member(member(event, 'delta'), 'stop_details')) ?? this.#refusal;
    const usage = member(event, 'usage');
    // The first event has only a start value of the output tokens, so the output counts as known from here on.
    this.#isCounted ||= typeof (member(usage, 'output_tokens') ?? null) === 'number';
    return this.#report(usage);
  }

  #normalized(rawUsage: JsonObject): Usage {
    return normalizedUsage(rawUsage, { isComplete: this.#isCounted, takesBreakpoints: this.#takesBreakpoints });
  }

  #report(reported: unknown): StreamPart[] {
    if (!isObject(reported)) {
      return [];
    }
    const rawUsage = this.#usage.take(reported);
    return [{ type: 'usage', usage: this.#normalized(rawUsage), rawUsage, ...this.#usage.shrunk }];
  }

  #blockStart(at: number, block: unknown): StreamPart[] {
    const parts = this.#begin(at, block);
    this.#endedText = null;
    return parts;
  }

  #begin(at: number, block: unknown): StreamPart[] {
    this.#extras.take(sourcesOf(block));
    switch (textMember(block, 'type')) {
      case 'text':
        return this.#text(at, textMember(block, 'text'));
      case 'thinking':
        return this.#open(at, 'reasoning', [
          ...textPieces('reasoning', this.#parts, textMember(block, 'thinking')),
          ...signature(this.#parts, textMember(block, 'signature')),
        ]);
      case 'redacted_thinking': {
        const opaque = REDACTED_PREFIX + requirePresent(textMember(block, 'data'), 'redacted reasoning without its data');
        return this.#open(at, 'reasoning', [{ type: 'reasoningSigned', index: this.#parts, opaque }]);
      }
      case 'tool_use':
        return this.#toolCall(at, block);
      default:
        this.#blocks.set(at, { kind: 'ignored' });
        return [];
    }
  }

  /** Adds text to the previous text block: the API starts a new block at each citation. */
  #text(at: number, text: string | null): StreamPart[] {
    const before = this.#endedText;
    if (before?.kind !== 'text') {
      return this.#open(at, 'text', textPieces('text', this.#parts, text));
    }
    this.#blocks.set(at, before);
    return textPieces('text', before.index, text);
  }

  #open(at: number, kind: 'text' | 'reasoning', parts: StreamPart[]): StreamPart[] {
    this.#blocks.set(at, { kind, index: this.#parts });
    this.#parts += 1;
    return parts;
  }

  #toolCall(at: number, block: unknown): StreamPart[] {
    const index = this.#parts;
    const ownId = textMember(block, 'id') ?? '';
    const name = ownId === '' ? (textMember(block, 'name') ?? '') : requirePresent(textMember(block, 'name'), 'a tool call without a name');
    // Replaces a missing or repeated id, because tool results refer to the ids of calls.
    const id = this.#callIds.take(ownId);
    const input = member(block, 'input');
    const started = {
      kind: 'toolCall',
      index,
      id,
      name,
      hasOwnId: ownId !== '',
      input: isObject(input) ? input : {},
      args: new CallArguments(),
    } as const;
    const call: OpenCallBlock = { ...started, isAnnounced: false, hasArgs: false };
    this.#blocks.set(at, call);
    this.#parts += 1;
    return isUnnamed(call) ? [] : announced(call);
  }

  #blockDelta(at: number, delta: unknown): StreamPart[] {
    const block = this.#blocks.get(at);
    if (block === undefined) {
      throw broken('a delta of a content block that never started');
    }
    if (block.kind === 'ignored') {
      return [];
    }
    switch (textMember(delta, 'type')) {
      case 'text_delta':
        return textPieces('text', indexOfKind(block, 'text'), pieceOf(delta, 'text'));
      case 'thinking_delta':
        return textPieces('reasoning', indexOfKind(block, 'reasoning'), pieceOf(delta, 'thinking'));
      case 'signature_delta':
        return signature(indexOfKind(block, 'reasoning'), pieceOf(delta, 'signature'));
      case 'citations_delta':
        this.#extras.take(citedSource(member(delta, 'citation')));
        return [];
      case 'input_json_delta':
        return takenArgs(callIn(block), pieceOf(delta, 'partial_json'));
      default:
        return [];
    }
  }

  #blockStop(at: number): StreamPart[] {
    const block = this.#blocks.get(at);
    this.#endedText = block?.kind === 'text' ? block : null;
    return block?.kind === 'toolCall' ? endOfCall(block) : [];
  }
}

/**
 * Ends a call. Uses the arguments in the first event if the later events had none or only an empty object. Ignores an
 * empty object in the first event, because a reply that was cut off there has no arguments yet.
 */
function endOfCall(call: OpenCallBlock): StreamPart[] {
  const { input, args } = call;
  const usesInput = (!call.hasArgs || args.isEmptyObject) && Object.keys(input).length > 0;
  const given = usesInput ? takenArgs(call, JSON.stringify(input)) : [];
  return args.isEmptyObject && isUnnamed(call) ? [] : [...given, ...passedArgs(call, args.end())];
}

function isUnnamed({ name, hasOwnId }: OpenCallBlock): boolean {
  return name === '' && !hasOwnId;
}

function announced(call: OpenCallBlock): StreamPart[] {
  const { index, id, name } = call;
  const isKnown = call.isAnnounced;
  call.isAnnounced = true;
  return isKnown ? [] : [{ type: 'toolCall', index, id, name }];
}

function indexOf(event: unknown): number {
  const index = count(member(event, 'index'));
  if (index === null) {
    throw broken('a content block without its index');
  }
  return index;
}

function indexOfKind(block: OpenBlock, kind: OpenBlock['kind']): number {
  if (block.kind !== kind || block.kind === 'ignored') {
    throw broken(`a delta that does not fit a content block of the kind ${block.kind}`);
  }
  return block.index;
}

function callIn(block: OpenBlock): OpenCallBlock {
  if (block.kind !== 'toolCall') {
    throw broken(`a delta that does not fit a content block of the kind ${block.kind}`);
  }
  return block;
}

function pieceOf(delta: unknown, name: string): string {
  return requirePresent(textMember(delta, name), 'a delta without its content');
}

function takenArgs(call: OpenCallBlock, piece: string): StreamPart[] {
  call.hasArgs ||= piece !== '';
  // A second object makes the arguments invalid, because a block contains one call. The model then gets an error.
  const { text, next } = call.args.take(piece);
  return passedArgs(call, text + next);
}

function passedArgs(call: OpenCallBlock, text: string): StreamPart[] {
  return text === '' ? [] : [...announced(call), { type: 'toolCallArgs', index: call.index, text }];
}

function textPieces(type: 'text' | 'reasoning', index: number, text: string | null): StreamPart[] {
  return text === null || text === '' ? [] : [{ type, index, text }];
}

/** Adds the signature of reasoning. Reasoning with an empty signature stays incomplete. */
function signature(index: number, opaque: string | null): StreamPart[] {
  return opaque === null || opaque === '' ? [] : [{ type: 'reasoningSigned', index, opaque }];
}

function requirePresent(value: string | null, what: string): string {
  if (value === null) {
    throw broken(what);
  }
  return value;
}

function broken(what: string): LoupeError {
  return failure('provider.badStream', { what });
}
