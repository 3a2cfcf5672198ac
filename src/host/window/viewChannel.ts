import type { StateMessage, ViewState } from '../../protocol/viewState.js';

/** Shortest time between deltas, in ms: about two frames, too short to be seen as a delay. */
const COALESCE_MS = 33;

export interface ViewChannelOptions<State, Delta, Open> {
  readonly travels: ViewState<State, Delta>;
  /** The sections that are open before the webview reports its own. */
  readonly open: Open;
  /** The state to show, with the rows of the open sections. */
  readonly state: (open: Open) => State;
}

/**
 * Keeps the webview of a view up to date with snapshots and numbered deltas. A new epoch begins with a snapshot: when
 * the webview is ready, asks to resync, or is shown something else. A `Note` is a message beside the state.
 */
export class ViewChannel<State, Delta, Open, Note> {
  readonly #options: ViewChannelOptions<State, Delta, Open>;
  #open: Open;
  #post: ((message: StateMessage<State, Delta> | Note) => void) | null = null;
  #isReady = false;
  #epoch = 0;
  #n = 0;
  #posted: State | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ViewChannelOptions<State, Delta, Open>) {
    this.#options = options;
    this.#open = options.open;
  }

  /** Whether a webview receives posts. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Connects a webview, which `post` posts to. It receives nothing before it is ready. */
  connect(post: (message: StateMessage<State, Delta> | Note) => void): void {
    this.#post = post;
  }

  /** The webview has (re)started. */
  ready(): void {
    this.#isReady = true;
    this.snapshot();
  }

  /** To be called when the webview is gone, until it is ready again. */
  hidden(): void {
    this.#isReady = false;
    this.#posted = null;
  }

  /** Opens these sections in the webview, and closes all others: only rows of open sections are sent. */
  showRows(open: Open): void {
    this.#open = open;
    this.changed();
  }

  /** Posts a message that is not part of the state, if there is a webview. */
  tell(note: Note): void {
    if (this.#isReady) {
      this.#post?.(note);
    }
  }

  /** Begins a new epoch. */
  snapshot(): void {
    if (this.#isReady) {
      this.#epoch += 1;
      this.#n = 0;
      this.#posted = this.#options.state(this.#open);
      this.#post?.({ type: 'snapshot', epoch: this.#epoch, state: this.#posted });
    }
  }

  /** To be called when the state may have changed: posts a delta within 33 ms. */
  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.delta();
    }, COALESCE_MS);
  }

  /** Posts a delta at once, if the state has changed. */
  delta(): void {
    if (this.#posted === null) {
      return;
    }
    const state = this.#options.state(this.#open);
    const delta = this.#options.travels.diff(this.#posted, state);
    if (delta !== null) {
      this.#n += 1;
      this.#posted = state;
      this.#post?.({ type: 'delta', epoch: this.#epoch, n: this.#n, delta });
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
