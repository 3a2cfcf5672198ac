import type { JsonObject } from '../../../src/engine/json.js';
import type { ProtocolId } from '../../../src/host/models/providers/providerConfig.js';

export interface Said {
  readonly texts: readonly string[];
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: readonly string[] }[];
  /** Null for a stream that ends without a reason. */
  readonly stop: 'end' | 'length' | 'toolCalls' | null;
  /** In the protocol's own format. Null when the server reports none. */
  readonly usage: JsonObject | null;
}

/** A wire protocol as its servers use it, written without code of the clients. */
export interface Dialect {
  readonly protocol: ProtocolId;
  /** After the origin, as a user enters it. */
  readonly basePath: string;
  /** The request header of the key, and the text before the key in it. */
  readonly keyHeader: readonly [name: string, before: string];
  /** A usage without cached tokens: 40 input, 5 output. */
  readonly usage: JsonObject;
  events(said: Said): string[];
  errorEvent(type: string, message: string): string;
  errorBody(type: string, message: string): JsonObject;
}

export function says(change: Partial<Said>): Said {
  return { texts: [], calls: [], stop: 'end', usage: null, ...change };
}

const ANTHROPIC: Dialect = {
  protocol: 'anthropic',
  basePath: '',
  keyHeader: ['x-api-key', ''],
  usage: { input_tokens: 40, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 5 },
  events({ texts, calls, stop, usage }) {
    const start = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'large', stop_reason: null };
    const reported = usage === null ? {} : { usage };
    const blocks = [
      ...(texts.length === 0 ? [] : [{ block: { type: 'text', text: '' }, deltas: texts.map((text) => ({ type: 'text_delta', text })) }]),
      ...calls.map(({ id, name, args }) => ({
        block: { type: 'tool_use', id, name, input: {} },
        deltas: args.map((text) => ({ type: 'input_json_delta', partial_json: text })),
      })),
    ];
    return [
      named('message_start', { message: { ...start, ...reported } }),
      ...blocks.flatMap(({ block, deltas }, index) => [
        named('content_block_start', { index, content_block: block }),
        ...deltas.map((delta) => named('content_block_delta', { index, delta })),
        ...(stop === null ? [] : [named('content_block_stop', { index })]),
      ]),
      ...(stop === null
        ? []
        : [named('message_delta', { delta: { stop_reason: ANTHROPIC_STOPS[stop] }, ...reported }), named('message_stop', {})]),
    ];
  },
  errorEvent: (type, message) => named('error', { error: { type, message } }),
  errorBody: (type, message) => ({ type: 'error', error: { type, message }, request_id: 'req_1' }),
};

const ANTHROPIC_STOPS = { end: 'end_turn', length: 'max_tokens', toolCalls: 'tool_use' };

function named(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

const OPENAI_COMPATIBLE: Dialect = {
  protocol: 'openai-compatible',
  basePath: '/v1',
  keyHeader: ['authorization', 'Bearer '],
  usage: { prompt_tokens: 40, completion_tokens: 5, total_tokens: 45, prompt_tokens_details: { cached_tokens: 0 } },
  events({ texts, calls, stop, usage }) {
    const choice = (delta: object, reason: string | null): string =>
      data({ id: 'reply-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] });
    const call = (index: number, more: object): string => choice({ tool_calls: [{ index, ...more }] }, null);
    return [
      choice({ role: 'assistant', content: '' }, null),
      ...texts.map((content) => choice({ content }, null)),
      ...calls.flatMap(({ id, name, args }, index) => [
        call(index, { id, type: 'function', function: { name, arguments: '' } }),
        ...args.map((text) => call(index, { function: { arguments: text } })),
      ]),
      ...(stop === null ? [] : [choice({}, OPENAI_STOPS[stop])]),
      ...(stop === null || usage === null ? [] : [data({ id: 'reply-1', choices: [], usage })]),
      ...(stop === null ? [] : ['data: [DONE]\n\n']),
    ];
  },
  errorEvent: (type, message) => data({ error: { message, type, code: type, param: null } }),
  errorBody: (type, message) => ({ error: { message, type, code: type, param: null } }),
};

const OPENAI_STOPS = { end: 'stop', length: 'length', toolCalls: 'tool_calls' };

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export const DIALECTS: readonly Dialect[] = [ANTHROPIC, OPENAI_COMPATIBLE];
