import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import { diffState } from '../../protocol/delta.js';
import type { ToHost } from '../../protocol/toHost.js';
import type { ToWebview } from '../../protocol/toWebview.js';
import type { PanelState } from '../../protocol/view.js';

/** Deltas are posted at most this often: about two frames, below what anyone sees as a delay. */
const COALESCE_MS = 33;

export interface ViewChannelPorts {
  /** What is to be shown now. */
  state(): PanelState;
  /** Posts to the webview; only called between its `ready` and `hidden`. */
  post(message: ToWebview): void;
  /** Handles a message once it is valid. */
  handle(message: ToHost): Promise<void>;
  /** Shows why a message could not be handled, and logs it. */
  fail(error: LoupeError): void;
  logError(error: LoupeError): void;
}

/**
 * The way between the host and a webview: a stream of snapshots and numbered deltas keeps the webview up to date, and
 * what it posts is checked. A new epoch begins with a snapshot: when the webview is ready, asks to resync, or is shown
 * something else.
 */
export class ViewChannel {
  readonly #ports: ViewChannelPorts;
  #isReady = false;
  #epoch = 0;
  #n = 0;
  #posted: PanelState | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: ViewChannelPorts) {
    this.#ports = ports;
  }

  /** Whether there is a webview that hears what is posted. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Takes whatever the webview posted: what is not valid is logged and dropped. */
  async receive(value: unknown): Promise<void> {
    // The validator is loaded with the first message: activation does without it.
    const { parseToHost } = await import('../../protocol/toHost.js');
    const parsed = parseToHost(value);
    if (!parsed.ok) {
      this.#ports.logError(failure('internal.panelMessage', { reason: parsed.reason }));
      return;
    }
    try {
      await this.#ports.handle(parsed.message);
    } catch (thrown) {
      this.#ports.fail(toLoupeError(thrown));
    }
  }

  /** The webview has (re)started. */
  ready(): void {
    this.#isReady = true;
    this.snapshot();
  }

  /** The webview is gone until it is ready again. */
  hidden(): void {
    this.#isReady = false;
    this.#posted = null;
  }

  /** Posts a message that is no part of the state, if there is a webview. */
  tell(message: ToWebview): void {
    if (this.#isReady) {
      this.#ports.post(message);
    }
  }

  /** Begins a new epoch. */
  snapshot(): void {
    if (this.#isReady) {
      this.#epoch += 1;
      this.#n = 0;
      this.#posted = this.#ports.state();
      this.#ports.post({ type: 'snapshot', epoch: this.#epoch, state: this.#posted });
    }
  }

  /** The state may have changed: the webview hears of it within 33 ms. */
  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.delta();
    }, COALESCE_MS);
  }

  /** The webview hears at once of what has changed. */
  delta(): void {
    if (this.#posted === null) {
      return;
    }
    const state = this.#ports.state();
    const delta = diffState(this.#posted, state);
    if (delta !== null) {
      this.#n += 1;
      this.#posted = state;
      this.#ports.post({ type: 'delta', epoch: this.#epoch, n: this.#n, delta });
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
