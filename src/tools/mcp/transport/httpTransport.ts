import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { LoupeError } from '../../../engine/errors.js';
import type { HttpLaunch } from '../mcpLaunch.js';
import { type GuardOptions, transportOptions } from './transportOptions.js';

/** Error code for a missing response, from the range of codes that JSON-RPC reserves for implementations. */
const NO_ANSWER_CODE = -32_000;

/**
 * The SDK's transport with the guarded `fetch`. A request fails as soon as its event stream ends without a response.
 * The SDK alone would wait until the time limit. Closes when a server exceeds the size limit.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  /** Always null, because Loupe starts no process. */
  readonly ending = null;
  readonly #open = new Set<RequestId>();
  #failure: LoupeError | null = null;

  constructor(launch: HttpLaunch, options: Omit<GuardOptions, 'tooMuch'>) {
    const tooMuch = (error: LoupeError): void => {
      this.#failure ??= error;
      void this.close();
    };
    super(new URL(launch.url), transportOptions(launch, { ...options, tooMuch }));
    // The SDK's client keeps this handler, and calls it before its own handler.
    this.onmessage = (message) => {
      if (!('method' in message) && message.id !== undefined) {
        this.#open.delete(message.id);
      }
    };
  }

  /** The reason why Loupe ended the transport. Null when Loupe did not end the transport. */
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

  /** Forgets a cancelled request, because the server sends no response to it. */
  #forgetCancelled(message: JSONRPCMessage | JSONRPCMessage[]): void {
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      this.#open.delete(message.params?.['requestId'] as RequestId);
    }
  }
}

type OwnOptions = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>;

/** Removes undefined members, which some types of the SDK do not allow. */
function sendOptions(options: TransportSendOptions | undefined, onRequestStreamEnd: (() => void) | undefined): OwnOptions {
  const all = { ...options, ...(onRequestStreamEnd === undefined ? {} : { onRequestStreamEnd }) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
