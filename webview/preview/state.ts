import type { PanelState } from '../../src/protocol/panel/state.js';

/** A state of the panel for the preview. */
export interface PreviewState {
  readonly name: string;
  readonly state: PanelState;
  /** Names of the open parts, in the form that the panel stores. */
  readonly open: readonly string[];
  /** Actions in the panel after it has received the state. Needed when the host's state does not lead there alone. */
  readonly steps: readonly PreviewStep[];
}

/** An action in the panel. The label of a button or text field identifies it. */
export type PreviewStep = { readonly press: string } | { readonly into: string; readonly type: string };
