import { failure, type LoupeError } from '../../engine/errors.js';
import { isObject, type JsonObject } from '../../engine/json.js';
import type { StopReason, StreamPart } from '../../engine/run/model.js';
import { UniqueIds } from '../callIds.js';
import { REDACTED_PREFIX } from './convert.js';
import { count, member, textMember } from '../json.js';
import { mergeUsage, normalizedUsage } from './usage.js';

/** A content block of the reply while it is open. `ignored` is of a kind that Loupe has no place for. */
type OpenBlock =
  | { readonly kind: 'text' | 'reasoning'; readonly index: number }
  | { readonly kind: 'toolCall'; readonly index: number; readonly input: JsonObject; hasArgs: boolean }
  | { readonly kind: 'ignored' };

/**
 * Reads the events of a reply, as the SDK has parsed them, into stream parts. The parts are numbered in the order in
 * which their blocks begin; blocks that are ignored take no number. Kinds of events, blocks and deltas that are not
 * known are ignored on purpose: the API says that new ones will come. What contradicts the events before it is an
 * error (`protocol`), for a reply put together wrongly would look like a right one.
 */
export class ReplyReader {
  /** By the API's own index. */
  readonly #blocks = new Map<number, OpenBlock>();
  readonly #callIds = new UniqueIds(Infinity);
  #parts = 0;
  #responseId: string | null = null;
  #stopReason: string | null = null;
  #usage: JsonObject | null = null;
  #isCounted = false;

  /** The parts that an event brings; usually one. */
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
        return this.#messageStop();
      default:
        return [];
    }
  }

  #messageStart(message: unknown): StreamPart[] {
    this.#responseId = textMember(message, 'id');
    return this.#report(member(message, 'usage'));
  }

  #messageDelta(event: unknown): StreamPart[] {
    this.#stopReason = textMember(member(event, 'delta'), 'stop_reason') ?? this.#stopReason;
    const usage = member(event, 'usage');
    // The figure of the first report is only where the count began.
    this.#isCounted ||= typeof (member(usage, 'output_tokens') ?? null) === 'number';
    return this.#report(usage);
  }

  #report(reported: unknown): StreamPart[] {
    if (!isObject(reported)) {
      return [];
    }
    const raw = mergeUsage(this.#usage ?? {}, reported);
    this.#usage = raw;
    return [{ type: 'usage', usage: normalizedUsage(raw, this.#isCounted), rawUsage: raw }];
  }

  /** Without a reason to stop the reply is incomplete, whatever the server calls it: then there is no end. */
  #messageStop(): StreamPart[] {
    if (this.#stopReason === null) {
      return [];
    }
    const usage = this.#usage === null ? null : normalizedUsage(this.#usage, this.#isCounted);
    const stopReason = stopReasonOf(this.#stopReason);
    return [{ type: 'end', stopReason, usage, rawUsage: this.#usage, responseId: this.#responseId }];
  }

  #blockStart(at: number, block: unknown): StreamPart[] {
    switch (textMember(block, 'type')) {
      case 'text':
        return this.#open(at, 'text', textPieces('text', this.#parts, textMember(block, 'text')));
      case 'thinking':
        return this.#open(at, 'reasoning', [
          ...textPieces('reasoning', this.#parts, textMember(block, 'thinking')),
          ...signature(this.#parts, textMember(block, 'signature')),
        ]);
      case 'redacted_thinking': {
        const opaque = REDACTED_PREFIX + needed(textMember(block, 'data'), 'redacted reasoning without its data');
        return this.#open(at, 'reasoning', [{ type: 'reasoningSigned', index: this.#parts, opaque }]);
      }
      case 'tool_use':
        return this.#toolCall(at, block);
      default:
        this.#blocks.set(at, { kind: 'ignored' });
        return [];
    }
  }

  #open(at: number, kind: 'text' | 'reasoning', parts: StreamPart[]): StreamPart[] {
    this.#blocks.set(at, { kind, index: this.#parts });
    this.#parts += 1;
    return parts;
  }

  #toolCall(at: number, block: unknown): StreamPart[] {
    const index = this.#parts;
    const name = needed(textMember(block, 'name'), 'a tool call without a name');
    // Results are told apart by the ids of their calls: one that is missing or there already gets another.
    const id = this.#callIds.take(textMember(block, 'id') ?? '');
    const input = member(block, 'input');
    this.#blocks.set(at, { kind: 'toolCall', index, input: isObject(input) ? input : {}, hasArgs: false });
    this.#parts += 1;
    return [{ type: 'toolCall', index, id, name }];
  }

  #blockDelta(at: number, delta: unknown): StreamPart[] {
    const block = this.#blocks.get(at);
    if (block === undefined) {
      throw broken('a piece of a part that never began');
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
      case 'input_json_delta':
        return argsPiece(block, pieceOf(delta, 'partial_json'));
      default:
        return [];
    }
  }

  /**
   * Arguments that did not come in pieces stand in the beginning of the call. An empty object there says nothing: it
   * may as well be a call that was cut off before its first piece.
   */
  #blockStop(at: number): StreamPart[] {
    const block = this.#blocks.get(at);
    if (block?.kind !== 'toolCall' || block.hasArgs || Object.keys(block.input).length === 0) {
      return [];
    }
    return argsPiece(block, JSON.stringify(block.input));
  }
}

function indexOf(event: unknown): number {
  const index = count(member(event, 'index'));
  if (index === null) {
    throw broken('a part without its number');
  }
  return index;
}

function indexOfKind(block: OpenBlock, kind: OpenBlock['kind']): number {
  if (block.kind !== kind || block.kind === 'ignored') {
    throw broken(`a piece of another kind in a part of the kind ${block.kind}`);
  }
  return block.index;
}

function pieceOf(delta: unknown, name: string): string {
  return needed(textMember(delta, name), 'a piece without its content');
}

function argsPiece(block: OpenBlock, text: string): StreamPart[] {
  const index = indexOfKind(block, 'toolCall');
  if (text === '' || block.kind !== 'toolCall') {
    return [];
  }
  block.hasArgs = true;
  return [{ type: 'toolCallArgs', index, text }];
}

function textPieces(type: 'text' | 'reasoning', index: number, text: string | null): StreamPart[] {
  return text === null || text === '' ? [] : [{ type, index, text }];
}

/** An empty signature signs nothing: such reasoning counts as partial. */
function signature(index: number, opaque: string | null): StreamPart[] {
  return opaque === null || opaque === '' ? [] : [{ type: 'reasoningSigned', index, opaque }];
}

/**
 * `pause_turn` is the end of a round of the provider's own tools, which wait to be continued: Loupe offers none. It and
 * reasons that are not known end the reply as something else.
 */
function stopReasonOf(reason: string): StopReason {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'end';
    case 'tool_use':
      return 'toolCalls';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'refused';
    default:
      return 'other';
  }
}

function needed(value: string | null, what: string): string {
  if (value === null) {
    throw broken(what);
  }
  return value;
}

function broken(what: string): LoupeError {
  return failure('provider.badStream', { what });
}
