import type { StateMessage, ViewState } from '../../src/protocol/viewState.js';
import { LightElement, reactive } from './lightElement.js';
import { reportFailures, type WebviewError } from './reportFailures.js';
import { type Outcome, ViewStore } from './viewStore.js';
import type { VsCodeApi } from './vscodeApi.js';

type ViewToHost<Query> =
  | { readonly type: 'ready' }
  | { readonly type: 'resync'; readonly reason: string }
  | { readonly type: 'ask'; readonly query: Query }
  | WebviewError;

/** A state with what the user asked for. `asked`: the number of the user's queries so far. */
interface AskedState {
  readonly query: { readonly asked: number };
}

/** A view that fills its page. Shows one state that the host sends, for the user's query. */
export abstract class ViewElement<State extends AskedState, Delta, ToHost> extends LightElement {
  static override properties = reactive([], ['view', 'text', 'failure']);
  declare protected view: State | null;
  /** The text in the search field. The visible results may belong to an earlier text. */
  declare protected text: string;
  declare protected failure: string | null;
  protected post: (message: ToHost | ViewToHost<State['query']>) => void = () => undefined;
  readonly #store: ViewStore<State, Delta>;
  #latest: State['query'] | null = null;

  constructor(travels: ViewState<State, Delta>) {
    super();
    this.#store = new ViewStore(travels);
    this.view = null;
    this.text = '';
    this.failure = null;
  }

  start(api: VsCodeApi<ToHost | ViewToHost<State['query']>>): void {
    this.post = (message) => {
      api.postMessage(message);
    };
    this.post({ type: 'ready' });
  }

  accept(message: StateMessage<State, Delta>): void {
    const before = this.view;
    const outcome = this.#store.accept(message);
    if (typeof outcome === 'object') {
      this.post({ type: 'resync', reason: outcome.resync });
    }
    const [state, latest] = [this.#store.state, this.#latest];
    // Keeps the user's latest query until the host has read it. The next change must not begin at an earlier query.
    this.view = state !== null && latest !== null && state.query.asked < latest.asked ? { ...state, query: latest } : state;
    this.accepted(outcome, before);
  }

  /** Changes the query. The change is visible at once, because the user's next action needs the new query. */
  protected ask(change: Partial<State['query']>): void {
    const { view } = this;
    if (view !== null) {
      const query: State['query'] = { ...view.query, ...change, asked: view.query.asked + 1 };
      this.#latest = query;
      this.view = { ...view, query };
      this.post({ type: 'ask', query });
    }
  }

  showFailure(message: string): void {
    this.failure = message;
  }

  /** Returns the state that VS Code stores and uses to restore the page after a reload. Null to store nothing. */
  keptState(): object | null {
    return null;
  }

  /** Called after each message of the host. `before` is the state before the message. */
  protected abstract accepted(outcome: Outcome, before: State | null): void;

  protected posting(message: ToHost): () => void {
    return () => {
      this.post(message);
    };
  }
}

/** Defines the element of the view on this page and connects it to the host. */
export function startView<State extends AskedState, Delta, ToHost>(name: string, kind: new () => ViewElement<State, Delta, ToHost>): void {
  customElements.define(name, kind);
  const view = document.querySelector(name);
  if (!(view instanceof kind)) {
    throw new Error(`The page has no <${name}>`);
  }
  const api = acquireVsCodeApi<ToHost | ViewToHost<State['query']>>();
  reportFailures(
    (message) => {
      api.postMessage(message);
    },
    (message) => {
      view.showFailure(message);
    },
  );
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isStateMessage<State, Delta>(data)) {
      view.accept(data);
      const kept = view.keptState();
      if (kept !== null) {
        api.setState(kept);
      }
    }
  });
  view.start(api);
}

/** Whether the host sent a message. Checks the type, because the browser's developer tools also send messages. */
function isStateMessage<State, Delta>(data: unknown): data is StateMessage<State, Delta> {
  return typeof data === 'object' && data !== null && 'type' in data && (data.type === 'snapshot' || data.type === 'delta');
}
