import type { ImageResponse, ImageToScale } from '../images.js';
import type { Mentions } from './mentions.js';
import type { PanelDelta, PanelState } from './state.js';
import type { SearchResults } from './search.js';
import type { StateMessage } from '../viewState.js';

/** Messages to the panel that do not change its state. */
export type PanelNote =
  /** Moves the focus to the message box after a command. */
  | { readonly type: 'focusComposer' }
  /** Scrolls to an entry and focuses the entry. `text` is the search text that found it. Null without a search. */
  | { readonly type: 'reveal'; readonly entryId: string; readonly text: string | null }
  | SearchResults
  | Mentions
  | ImageResponse
  | ImageToScale
  /** Opens the search in the visible chat. */
  | { readonly type: 'find' }
  /** Opens the context pane of the visible chat. */
  | { readonly type: 'manage' };

export type ToWebview = StateMessage<PanelState, PanelDelta> | PanelNote;

/** Messages for the panel: without mentions (for the message box) and images (for the rows and entries with images). */
export type ToPanel = Exclude<ToWebview, Mentions | ImageResponse | ImageToScale>;
