import type { StateMessage, ViewState } from '../../protocol/viewState.js';

/** Minimum time in ms between two deltas: about two frames, too short to notice. */
const COALESCE_MS = 33;

/** The changed sources of a view's state. `open` means that the user opened or closed sections in the webview. */
export type Sources<Source extends string> = ReadonlySet<Source | 'open'>;

/** How one member of a view's state is derived. The member can change only when one of the sources has changed. */
export interface ViewSlice<Value, Now, Source extends string> {
  readonly from: readonly (Source | 'open')[];
  readonly derive: (now: Now) => Value;
}

export type ViewSlices<State, Now, Source extends string> = { readonly [Name in keyof State]: ViewSlice<State[Name], Now, Source> };

/** Derives the members that depend on the changed sources, or all members for null. */
export function derived<State, Now, Source extends string>(
  slices: ViewSlices<State, Now, Source>,
  now: Now,
  changed: Sources<Source> | null,
): Partial<State> {
  const names = (Object.keys(slices) as (keyof State & string)[]).filter(
    (name) => changed === null || slices[name].from.some((source) => changed.has(source)),
  );
  return Object.fromEntries(names.map((name) => [name, slices[name].derive(now)])) as Partial<State>;
}

export interface ViewChannelOptions<State, Delta, Open, Source extends string> {
  readonly travels: ViewState<State, Delta>;
  /** The open sections until the webview reports which sections are open. */
  readonly open: Open;
  /** Returns the members that depend on the changed sources, or all members for null. See `derived`. */
  readonly derive: (open: Open, changed: Sources<Source> | null) => Partial<State>;
}

/**
 * Keeps a webview up to date with snapshots and numbered deltas. A snapshot starts a new epoch: when the webview is
 * ready, requests a resync, or shows other content. A `Note` is a message outside the state.
 */
export class ViewChannel<State, Delta, Open, Note, Source extends string> {
  readonly #options: ViewChannelOptions<State, Delta, Open, Source>;
  #changed = new Set<Source | 'open'>();
  #open: Open;
  #post: ((message: StateMessage<State, Delta> | Note) => void) | null = null;
  #isReady = false;
  #epoch = 0;
  #n = 0;
  #posted: State | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ViewChannelOptions<State, Delta, Open, Source>) {
    this.#options = options;
    this.#open = options.open;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get state(): State {
    return this.#options.derive(this.#open, null) as State;
  }

  /** Connects a webview. Posts nothing before `ready`. */
  connect(post: (message: StateMessage<State, Delta> | Note) => void): void {
    this.#post = post;
  }

  /** Call this when the webview has started or restarted. */
  ready(): void {
    this.#isReady = true;
    this.snapshot();
  }

  /** Call this when the webview is hidden or closed. Posts nothing until the next `ready`. */
  hidden(): void {
    this.#isReady = false;
    this.#posted = null;
  }

  /** Sets the sections that are open in the webview. Only open sections get rows. */
  showRows(open: Open): void {
    this.#open = open;
    this.changed('open');
  }

  /** Posts a message outside the state, if a webview is ready. */
  tell(note: Note): void {
    if (this.#isReady) {
      this.#post?.(note);
    }
  }

  /** Posts a snapshot, which starts a new epoch, if a webview is ready. */
  snapshot(): void {
    if (this.#isReady) {
      this.#epoch += 1;
      this.#n = 0;
      this.#changed.clear();
      this.#posted = this.state;
      this.#post?.({ type: 'snapshot', epoch: this.#epoch, state: this.#posted });
    }
  }

  /** Call this when a source may have changed. Posts a delta within 33 ms. */
  changed(...sources: readonly (Source | 'open')[]): void {
    for (const source of sources) {
      this.#changed.add(source);
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.delta();
    }, COALESCE_MS);
  }

  /** Posts a delta immediately if the state has changed. */
  delta(): void {
    if (this.#posted === null) {
      return;
    }
    const changed = new Set(this.#changed);
    this.#changed.clear();
    let changes: Partial<State>;
    try {
      changes = this.#options.derive(this.#open, changed);
    } catch (thrown) {
      // Keeps these changes for the next delta.
      this.#changed = new Set([...this.#changed, ...changed]);
      throw thrown;
    }
    const delta = this.#options.travels.diff(this.#posted, changes);
    if (delta !== null) {
      this.#n += 1;
      this.#posted = { ...this.#posted, ...changes };
      this.#post?.({ type: 'delta', epoch: this.#epoch, n: this.#n, delta });
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
