import { webAddress } from '../../../tools/web/webAddress.js';

/** Asks whether Loupe may connect to these IP addresses of a host, which are not public. `host` contains the port. */
export type PrivateHostQuestion = (host: string, addresses: readonly string[]) => Promise<boolean>;

/** Remembers until the window closes which private hosts the user allowed for the pages that the user adds. */
export class PrivateHosts {
  readonly #ask: PrivateHostQuestion;
  /** The allowed hosts, each with its port and IP addresses. */
  readonly #allowed = new Set<string>();

  constructor(ask: PrivateHostQuestion) {
    this.#ask = ask;
  }

  /**
   * Asks once for the host of the address that the user gave. Always asks for the target of a redirect, because the
   * server chose it.
   */
  async mayOpen(address: string, host: string, addresses: readonly string[]): Promise<boolean> {
    const key = [host, ...addresses].join(' ');
    if (webAddress(address).host !== host) {
      return this.#ask(host, addresses);
    }
    if (!this.#allowed.has(key) && (await this.#ask(host, addresses))) {
      this.#allowed.add(key);
    }
    return this.#allowed.has(key);
  }
}
