/** VS Code's API for a webview. VS Code returns this object only once. */
export interface VsCodeApi<Message> {
  postMessage(message: Message): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi<Message>(): VsCodeApi<Message>;
}

/** Returns VS Code's API with a `setState` that keeps other members, because several parts of a page store state. */
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
