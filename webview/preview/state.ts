import type { PanelState } from '../../src/protocol/panel/state.js';

export interface PreviewState {
  readonly name: string;
  readonly state: PanelState;
  /** Names of the open parts, in the form that the panel stores. */
  readonly open: readonly string[];
  /** Clicks and input in the panel after the panel has received the state. */
  readonly steps: readonly PreviewStep[];
}

/**
 * A click on the button with the label `press`, text typed into the field with the placeholder `into`, or text written
 * into the message box.
 */
export type PreviewStep = { readonly press: string } | { readonly into: string; readonly type: string } | { readonly write: string };
