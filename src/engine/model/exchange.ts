/** Header names and values as they were sent. Secrets in them are masked. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** A request and its response over HTTP, without their bodies. Secrets in it are masked. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: HeaderPairs;
  /** Null when no response came. */
  readonly response: { readonly status: number; readonly headers: HeaderPairs } | null;
}

/** Whether a server took a request on: it may bill it then, whatever became of the answer. */
export function isAccepted(exchange: Exchange | null): boolean {
  const status = exchange?.response?.status ?? 0;
  return status >= 200 && status < 300;
}

/** Is told an exchange when its request is sent, and again when its response begins. */
export type ExchangeListener = (exchange: Exchange) => void;

/** For requests that no chat records: counts, lists of models and test messages. */
export const UNRECORDED: ExchangeListener = () => undefined;
