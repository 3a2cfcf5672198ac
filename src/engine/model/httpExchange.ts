/** Header names and values as they were sent. Secrets in them are masked. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** A request and its response over HTTP, without their bodies. Secrets in it are masked. */
export interface HttpExchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: HeaderPairs;
  /** The response; null when no response arrived. */
  readonly response: { readonly status: number; readonly headers: HeaderPairs } | null;
}

/** True when the server accepted a request. The provider may then bill the request, even if no reply arrives. */
export function isAccepted(exchange: HttpExchange | null): boolean {
  const status = exchange?.response?.status ?? 0;
  return status >= 200 && status < 300;
}

/** Called twice: when a request is sent, and when its response begins. */
export type ExchangeListener = (exchange: HttpExchange) => void;

/** Ignores the exchanges of requests that are in no chat log: token counts, lists of models and test messages. */
export const UNRECORDED: ExchangeListener = () => undefined;
