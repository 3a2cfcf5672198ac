import type { PanelState } from '../../src/protocol/panel/state.js';

/** A state of the panel for the preview. */
export interface PreviewState {
  readonly name: string;
  readonly state: PanelState;
  /** Names of the open details, as the panel keeps them. */
  readonly open: readonly string[];
  /** Actions in the panel that lead to the state, when the host's state alone does not. */
  readonly steps: readonly PreviewStep[];
}

/** Buttons and text fields are found by their label. */
export type PreviewStep = { readonly press: string } | { readonly into: string; readonly type: string };
