/** The API that VS Code gives a webview, once. */
export interface VsCodeApi<Message> {
  postMessage(message: Message): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi<Message>(): VsCodeApi<Message>;
}
