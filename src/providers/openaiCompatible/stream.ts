import type { Usage } from '../../engine/accounting/usage.js';
import { isObject, type Json } from '../../engine/json.js';
import type { Model, ReplyStreamPart, StopReason, StreamPart } from '../../engine/run/model.js';
import { itemsOf, member, wordsMember } from '../json.js';
import { REASONING_FIELDS, type ReasoningField } from './reasoningFields.js';
import { ToolCallDeltas } from './toolCallDeltas.js';
import { normalizeUsage } from './usage.js';

/** The open text or reasoning part, which further pieces of its kind continue. */
type OpenPart =
  | { readonly type: 'text'; readonly index: number }
  | { readonly type: 'reasoning'; readonly index: number; readonly field: ReasoningField };

/** Finish reasons of a cut reply: OpenAI's, Mistral's for a full context window, and some gateways'. */
const CUT_OFF: ReadonlySet<string> = new Set(['length', 'model_length', 'max_tokens']);

/**
 * Turns the chunks of one streamed reply into stream parts. It has state, but does no I/O. Only the first choice
 * counts, because Loupe asks for one. It ignores errors in the stream, see `errorIn`.
 */
export class ReplyReader {
  readonly #signsReasoning: boolean;
  readonly #explicitCache: boolean;
  readonly #calls = new ToolCallDeltas(() => this.#nextPart());
  #parts = 0;
  #open: OpenPart | null = null;
  #refused = false;
  #finishReason: string | null = null;
  #responseId: string | null = null;
  #usage: { readonly usage: Usage | null; readonly rawUsage: Json } = { usage: null, rawUsage: null };

  constructor({ capabilities }: Model) {
    this.#signsReasoning = capabilities.reasoningReplay !== 'never';
    this.#explicitCache = capabilities.cache.kind === 'marks';
  }

  /** Whether the server gave a finish reason: without one the reply is incomplete. Usage may still follow. */
  get isFinished(): boolean {
    return this.#finishReason !== null;
  }

  take(chunk: unknown): StreamPart[] {
    this.#responseId ??= wordsMember(chunk, 'id');
    const choice = itemsOf(member(chunk, 'choices')).find((item) => (member(item, 'index') ?? 0) === 0);
    const delta = member(choice, 'delta');
    const parts: StreamPart[] = [...this.#reasoning(delta), ...this.#text(delta), ...this.#toolCalls(delta)];
    this.#finishReason = wordsMember(choice, 'finish_reason') ?? this.#finishReason;
    // Moonshot sends usage in the choice.
    return [...parts, ...this.#takeUsage(member(chunk, 'usage') ?? member(choice, 'usage'))];
  }

  /** The last parts after the end of the stream: none when it ended without a finish reason. */
  end(): StreamPart[] {
    if (!this.isFinished) {
      return [];
    }
    const stopReason = this.#stopReason();
    // Reasoning that ends at the output limit was cut: it is not replayed.
    const closing = stopReason === 'length' ? [] : this.#close();
    return [...closing, ...this.#calls.end(), { type: 'end', stopReason, ...this.#usage, responseId: this.#responseId }];
  }

  #nextPart(): number {
    this.#parts += 1;
    return this.#parts - 1;
  }

  #reasoning(delta: unknown): ReplyStreamPart[] {
    const field = REASONING_FIELDS.find((name) => wordsMember(delta, name) !== null);
    const text = field === undefined ? null : wordsMember(delta, field);
    if (field === undefined || text === null) {
      return [];
    }
    if (this.#open?.type === 'reasoning' && this.#open.field === field) {
      return [{ type: 'reasoning', index: this.#open.index, text }];
    }
    const closing = this.#close();
    const index = this.#nextPart();
    this.#open = { type: 'reasoning', index, field };
    return [...closing, { type: 'reasoning', index, text }];
  }

  #text(delta: unknown): ReplyStreamPart[] {
    const refusal = wordsMember(delta, 'refusal') ?? '';
    this.#refused ||= refusal !== '';
    const text = contentText(member(delta, 'content')) + refusal;
    if (text === '') {
      return [];
    }
    if (this.#open?.type === 'text') {
      return [{ type: 'text', index: this.#open.index, text }];
    }
    const closing = this.#close();
    const index = this.#nextPart();
    this.#open = { type: 'text', index };
    return [...closing, { type: 'text', index, text }];
  }

  #toolCalls(delta: unknown): ReplyStreamPart[] {
    const legacy = member(delta, 'function_call');
    // The protocol's older form of a single call, which some servers still use.
    const older = isObject(legacy) ? [{ function: legacy }] : [];
    const pieces = [...itemsOf(member(delta, 'tool_calls')), ...older];
    if (pieces.length === 0) {
      return [];
    }
    const before = this.#parts;
    const parts = pieces.flatMap((piece) => this.#calls.take(piece));
    // Further pieces of an earlier call do not end the open text; a new call does.
    return this.#parts === before ? parts : [...this.#close(), ...parts];
  }

  /** Ends the open text or reasoning part. */
  #close(): ReplyStreamPart[] {
    const open = this.#open;
    this.#open = null;
    return open?.type === 'reasoning' && this.#signsReasoning ? [{ type: 'reasoningSigned', index: open.index, opaque: open.field }] : [];
  }

  #takeUsage(raw: unknown): StreamPart[] {
    if (!isObject(raw)) {
      return [];
    }
    const usage = normalizeUsage(raw, this.#explicitCache);
    this.#usage = { usage, rawUsage: raw };
    return usage === null ? [] : [{ type: 'usage', usage, rawUsage: raw }];
  }

  #stopReason(): StopReason {
    const isRefused = this.#refused || this.#finishReason === 'content_filter';
    if (CUT_OFF.has(this.#finishReason ?? '')) {
      return 'length';
    }
    if (isRefused) {
      return 'refused';
    }
    switch (this.#finishReason) {
      case 'stop':
      case 'tool_calls':
      case 'function_call':
        // Some servers say `stop` for calls too.
        return this.#calls.isEmpty ? 'end' : 'toolCalls';
      default:
        return 'other';
    }
  }
}

/** The text of a content; some servers send a list of parts. */
function contentText(content: unknown): string {
  if (typeof content === 'string') {
    return content;
  }
  return itemsOf(content)
    .map((part) => wordsMember(part, 'text') ?? '')
    .join('');
}
