/** The API that VS Code gives a webview, once. */
export interface VsCodeApi<Message> {
  postMessage(message: Message): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi<Message>(): VsCodeApi<Message>;
}

/** VS Code's API, whose `setState` keeps what it is not given: several parts of a page remember something each. */
export function keepingState<Message>(api: VsCodeApi<Message>): VsCodeApi<Message> {
  return {
    postMessage: (message) => {
      api.postMessage(message);
    },
    getState: () => api.getState(),
    setState: (state) => {
      api.setState({ ...membersOf(api.getState()), ...membersOf(state) });
    },
  };
}

function membersOf(state: unknown): object {
  return typeof state === 'object' && state !== null ? state : {};
}
