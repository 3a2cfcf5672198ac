import type { ChatConfig } from '../../../engine/chat/settings/config.js';
import type { LoupeError } from '../../../engine/errors.js';
import type { PanelState } from '../../../protocol/panel/state.js';
import type { ToHost } from '../../../protocol/panel/toHost.js';
import type { Banner } from '../../../protocol/panel/view.js';
import type { Chats } from '../../chat/chats.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { CatalogSource } from '../../context/catalog/workspaceCatalog.js';
import type { Proofs } from '../../chat/proofs.js';
import type { Drafts } from '../../chat/drafts.js';
import type { ModelRegistry } from '../../models/registry.js';
import type { Banners } from '../../window/banners.js';
import type { OpenFileWatch } from '../../window/openFile.js';
import type { ViewSlice } from '../../window/viewChannel.js';
import type { EditPreviews } from '../composer/editPreviews.js';
import type { ShownEntries } from '../conversation/entries.js';
import type { Introduction } from './introduction.js';
import type { Preview, PreviewPorts } from '../nextRequest/preview.js';

/** The sections that are open in the webview. */
export type OpenSections = Omit<Extract<ToHost, { readonly type: 'showRows' }>, 'type'>;

/** The visible chat and its views, when the panel's state is derived. */
export interface ChatNow {
  readonly session: ChatSession;
  /** The visible part of the conversation, derived when it is first used. */
  readonly shown: ShownEntries;
  readonly next: Preview;
  readonly open: OpenSections;
}

/**
 * Sources of the panel's state. `chat`: the chat's log. `reply`: text of a streaming reply. `call`: a tool call that a
 * streaming reply begins. `summary`: text of a summary. `next`: the next request. `draft`: drafts. `window`: all else.
 * A change of chat sends a snapshot.
 */
export type PanelSource = 'chat' | 'reply' | 'call' | 'summary' | 'next' | 'draft' | 'window';

/** Null means the member's value in `EMPTY_PANEL`. */
type PanelSlice<Value> = ViewSlice<Value | null, ChatNow | null, PanelSource>;

export type PanelSlices<Name extends keyof PanelState> = { readonly [K in Name]: PanelSlice<PanelState[K]> };

export function ofChat<Value>(from: PanelSlice<Value>['from'], derive: (now: ChatNow) => Value): PanelSlice<Value> {
  return { from, derive: (now) => (now === null ? null : derive(now)) };
}

export interface PanelPorts extends PreviewPorts {
  readonly proofs: Pick<Proofs, 'read'>;
  readonly id: string;
  readonly chats: Pick<Chats, 'list' | 'open' | 'isUntouched' | 'isListed' | 'learned' | 'onChange'>;
  readonly models: Pick<ModelRegistry, 'list' | 'listed' | 'providers' | 'counter' | 'onChange'>;
  readonly catalog: Pick<CatalogSource, 'ofChat' | 'includesOf'>;
  readonly drafts: Pick<Drafts, 'get' | 'failure' | 'forgetEdits' | 'onChange'>;
  readonly banners: Pick<Banners, 'list' | 'show' | 'hide' | 'onChange'>;
  readonly openFile: OpenFileWatch;
  readonly restoreOffer: (chatId: string) => PanelState['restoreOffer'];
  readonly limits: () => PanelState['limits'];
  readonly edits: Pick<EditPreviews, 'derive'>;
  readonly introduction: Pick<Introduction, 'current' | 'messageSent' | 'onChange'>;
  readonly told: PanelCallbacks;
  /** Returns the URIs of the workspace folders, sorted. */
  readonly folders: () => readonly string[];
  /** Returns the text size in pixels, or null for the text size of VS Code. */
  readonly fontSize: () => number | null;
  readonly defaults: () => ChatConfig;
  readonly logError: (error: LoupeError) => void;
}

export interface PanelCallbacks {
  /** Called when the panel's webview has started, and when it is hidden or closed. */
  visibilityChanged(): void;
  /** Called when the panel shows another chat, or its chat has changed. */
  shows(session: ChatSession): void;
  focusChanged(isFocused: boolean): void;
}

/** Ports and data for the slices of a panel. */
export interface PanelRoom extends PanelPorts {
  readonly changed: (source: PanelSource | 'open') => void;
  /** Returns the banner of a slow reading. Empty without a slow reading. */
  readonly reading: () => readonly Banner[];
}
