import type { ShownImage } from '../images.js';
import type { Mentions } from './mentions.js';
import type { PanelDelta } from './panelDelta.js';
import type { SearchResults } from './search.js';
import type { PanelState } from './view.js';
import type { StateMessage } from '../viewState.js';

/** Messages to the panel that are not part of its state. */
export type PanelNote =
  /** Focuses the composer, after a command that leads there. */
  | { readonly type: 'focusComposer' }
  /** Scrolls to an entry of the state and focuses it. `text` is what was searched for in it; null without a search. */
  | { readonly type: 'reveal'; readonly entryId: string; readonly text: string | null }
  | SearchResults
  | Mentions
  | ShownImage
  /** Opens the search in the chat on show. */
  | { readonly type: 'find' }
  /** Opens the pane with the context of the chat on show. */
  | { readonly type: 'manage' };

/** Host to webview. */
export type ToWebview = StateMessage<PanelState, PanelDelta> | PanelNote;

/** But for what the message box or an image alone takes. */
export type ToPanel = Exclude<ToWebview, Mentions | ShownImage>;
