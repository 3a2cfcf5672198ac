import type { ToHost } from '../../src/protocol/toHost.js';

/** What VS Code gives a webview, once. */
export interface VsCodeApi {
  postMessage(message: ToHost): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi(): VsCodeApi;
}
