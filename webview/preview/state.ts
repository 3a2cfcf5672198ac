import type { PanelState } from '../../src/protocol/panel/state.js';

export interface PreviewState {
  readonly name: string;
  readonly state: PanelState;
  /** Names of the open parts, in the form that the panel stores. */
  readonly open: readonly string[];
  /** Clicks and input in the panel after the panel has received the state. */
  readonly steps: readonly PreviewStep[];
}

/** A click on a button, or text typed into a field. The label identifies the button or the field. */
export type PreviewStep = { readonly press: string } | { readonly into: string; readonly type: string };
