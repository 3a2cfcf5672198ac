import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { LoupeError } from '../../../engine/errors.js';
import { guardedFetch } from './guardedFetch.js';
import type { McpLimits } from '../limits.js';
import type { ResolvedHttp } from '../resolveLaunch.js';

/** JSON-RPC leaves these numbers to implementations. */
const NO_ANSWER_CODE = -32_000;

/**
 * The SDK's transport, over the guarded `fetch`. It also ends what the SDK would wait for until the time is over: a request whose stream
 * of events ended without its answer. And it ends a server that sends more than the limit.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  /** It has no process of ours. */
  readonly ending = null;
  /** The requests without an answer. */
  readonly #open = new Set<RequestId>();
  #failure: LoupeError | null = null;

  constructor({ url, headers }: ResolvedHttp, name: string, limits: McpLimits) {
    const tooMuch = (error: LoupeError): void => {
      this.#failure ??= error;
      void this.close();
    };
    super(new URL(url), { fetch: guardedFetch(name, limits, tooMuch), requestInit: { headers: { ...headers } } });
    // The client calls this one before its own.
    this.onmessage = (message) => {
      if (!('method' in message) && message.id !== undefined) {
        this.#open.delete(message.id);
      }
    };
  }

  /** Why Loupe ended it; null where it did not. */
  get failure(): LoupeError | null {
    return this.#failure;
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: TransportSendOptions): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message)) {
      this.#forgetCancelled(message);
      return super.send(message, sendOptions(options, undefined));
    }
    const { id } = message;
    this.#open.add(id);
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      if (this.#open.delete(id)) {
        this.onmessage?.({ jsonrpc: '2.0', id, error: { code: NO_ANSWER_CODE, message: 'The answer ended before it was complete' } });
      }
    };
    return super.send(message, sendOptions(options, onRequestStreamEnd));
  }

  /** The answer of a cancelled request is not awaited. */
  #forgetCancelled(message: JSONRPCMessage | JSONRPCMessage[]): void {
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      this.#open.delete(message.params?.['requestId'] as RequestId);
    }
  }
}

type OwnOptions = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>;

/** The SDK's types of both do not allow `undefined` in the same places. */
function sendOptions(options: TransportSendOptions | undefined, onRequestStreamEnd: (() => void) | undefined): OwnOptions {
  const all = { ...options, ...(onRequestStreamEnd === undefined ? {} : { onRequestStreamEnd }) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
