import type { ImageResponse } from '../images.js';
import type { Mentions } from './mentions.js';
import type { PanelDelta, PanelState } from './state.js';
import type { SearchResults } from './search.js';
import type { StateMessage } from '../viewState.js';

/** Messages to the panel that are not part of its state. */
export type PanelNote =
  /** Focuses the message box after a command. */
  | { readonly type: 'focusComposer' }
  /** Scrolls to an entry and focuses it. `text` is the search text that led to it. Null without a search. */
  | { readonly type: 'reveal'; readonly entryId: string; readonly text: string | null }
  | SearchResults
  | Mentions
  | ImageResponse
  /** Opens the search in the visible chat. */
  | { readonly type: 'find' }
  /** Opens the context pane of the visible chat. */
  | { readonly type: 'manage' };

export type ToWebview = StateMessage<PanelState, PanelDelta> | PanelNote;

/** Messages for the panel. Mentions go to the message box, images to the image that requested them. */
export type ToPanel = Exclude<ToWebview, Mentions | ImageResponse>;
