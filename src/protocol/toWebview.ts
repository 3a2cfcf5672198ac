import type { Delta } from './delta.js';
import type { PanelState } from './view.js';

/**
 * Host to webview. A new epoch starts with a snapshot (on ready, re-show, chat switch or gap); its deltas are
 * numbered from 1. A delta of another epoch is ignored; a number that is missing makes the webview send `resync`.
 */
export type ToWebview =
  | { readonly type: 'snapshot'; readonly epoch: number; readonly state: PanelState }
  | { readonly type: 'delta'; readonly epoch: number; readonly n: number; readonly delta: Delta }
  /** Puts the focus into the composer, after a command that leads there. */
  | { readonly type: 'focusComposer' }
  /** Brings an entry into sight and puts the focus on it: one that the state holds. */
  | { readonly type: 'reveal'; readonly entryId: string };
