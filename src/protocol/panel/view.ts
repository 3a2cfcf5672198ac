import type { OwnCost } from '../../engine/accounting/ownCosts.js';
import type { ReplyExtra } from '../../engine/model/model.js';
import type { ApiChatSummary } from '../api/api.js';
import type { SettingValue } from '../../engine/chat/settings/config.js';
import type { ChatSetting } from '../../engine/chat/settings/setting.js';
import type { TitleRun } from './entries.js';

export type { OwnCost, ReplyExtra };

/*
 * Types of the members of the panel's state, as plain JSON.
 */

/** Maximum number of entries whose context is expanded at the same time. */
export const MOST_OPEN = 500;

/** Steps of the introduction for new users: a page before the first message, then three hints at the first reply. */
export const INTRODUCTION_STEPS = ['welcome', 'usage', 'contextUsed', 'nextRequest'] as const;
export type IntroductionStep = (typeof INTRODUCTION_STEPS)[number];

export interface OpenFile {
  /** The file's path relative to the workspace. */
  readonly name: string;
  readonly uri: string;
}

/** A chat in the list. If the chat cannot be read, it has no time, and `preview` says why. */
export type ChatListItem = ApiChatSummary;

export interface ChatView {
  readonly id: string;
  readonly title: string;
  readonly running: boolean;
  /** Whether the chat uses the practice model, which accepts commands in messages. */
  readonly isPractice: boolean;
  /** Why the user cannot change the chat. Null if the chat can be changed. */
  readonly readOnly: string | null;
  /** The damage of the chat's log. Null if the log is not damaged. */
  readonly damage: DamageView | null;
  /** Number of messages before `entries`, or of notes if only notes come before. */
  readonly earlierMessages: number;
  /** Number of messages after `entries`, or of notes if only notes follow. 0 at the end of the conversation. */
  readonly laterMessages: number;
  readonly model: ModelView;
  readonly settings: readonly SettingRow[];
  /** The newest writing of a title. Null if no model wrote a title in the loaded part of the chat. */
  readonly titleRun: TitleRun | null;
  /** Usage of all requests of the chat, including discarded ones. Null without known tokens. */
  readonly spent: ChatUsageView | null;
}

export interface ChatUsageView {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether Loupe counted a part of the tokens, because the provider did not report it. */
  readonly inputEstimated: boolean;
  readonly outputEstimated: boolean;
  /** US dollars. Null if no request was billed at a known price. */
  readonly cost: number | null;
  /** Number of requests with unknown usage or price. If it is not 0, the sums are lower bounds. */
  readonly unknownRequests: number;
  /** Parts of `cost` for requests besides replies. Empty in a chat that is not loaded from its start. */
  readonly own: readonly OwnCost[];
}

/** The model that replies in the chat. */
export interface ModelView {
  readonly label: string;
  /** One line about the model: provider, context window, price and the error of its token counts. */
  readonly detail: string;
  /** Whether Loupe can store an API key for the model's provider. */
  readonly hasKey: boolean;
}

/** The draft in the host. `revision` grows with each change by the host. `edit`: last edit received from this panel. */
export interface DraftView {
  readonly text: string;
  readonly revision: number;
  readonly edit: number;
  /** Id of the user message that is being edited. Sending replaces this and all later messages. Null otherwise. */
  readonly editing: string | null;
  /** Whether the model has shortened the text, so that the user can restore the original. */
  readonly isShortened: boolean;
}

export interface Banner {
  readonly id: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly actions: readonly BannerAction[];
}

export const BANNER_ACTIONS = [
  'openChat',
  'undoDelete',
  'undoRemove',
  'importChats',
  'showLog',
  'showServerLog',
  'restartServer',
  'signInServer',
  'openSettings',
  'openSpendSettings',
  'selectModel',
  'useModel',
  'useAgent',
  'retryStorage',
  'exportChat',
  'copyChat',
  'stopReading',
  'cancelPage',
  'retryPage',
  'dismiss',
] as const;

export interface BannerAction {
  readonly label: string;
  readonly action: (typeof BANNER_ACTIONS)[number];
  /** The action's argument, such as a chat id. Empty for an action without an argument. */
  readonly argument: string;
}

/** The number of damaged lines in a badge. The details are sentences, grouped by log file if they belong to one. */
export interface DamageView {
  readonly label: string;
  readonly files: readonly { readonly file: string; readonly notes: readonly string[] }[];
  readonly others: readonly string[];
}

/** Returns the beginning of a chat's first message, without the words that are already in the chat's title. */
export function chatPreview({ title, preview }: Pick<ApiChatSummary, 'title' | 'preview'>): string {
  const said = title.replace(/…$/, '');
  if (!preview.startsWith(said)) {
    return preview;
  }
  // A title has no full stop at its end, but the first message may have one.
  const rest = preview.slice(said.length).replace(/^[.:]/, '').trim();
  return rest === '' ? '' : `…${rest}`;
}

/** A setting of the chat, as a row of the settings form. */
export interface SettingRow extends Pick<ChatSetting, 'group' | 'label' | 'help'> {
  readonly name: string;
  /** The value of the setting. The value for a model is its key, `provider/model`. */
  readonly value: SettingValue;
  /** Whether the value differs from the default of new chats. */
  readonly isChanged: boolean;
  readonly control: SettingControl;
}

type SettingOf<Kind extends ChatSetting['kind']> = Extract<ChatSetting, { readonly kind: Kind }>;

export type SettingControl =
  | Pick<SettingOf<'model' | 'agent'>, 'kind'>
  | Pick<SettingOf<'text'>, 'kind' | 'placeholder'>
  | Pick<SettingOf<'switch'>, 'kind' | 'on' | 'turnsOn' | 'off' | 'numbers'>
  | Pick<SettingOf<'choice'>, 'kind' | 'options'>
  | {
      readonly kind: 'integer';
      readonly least: number;
      /** The upper limit. Null without a limit. */
      readonly most: number | null;
      /** Label of an empty value. Null if the user must enter a number. */
      readonly empty: string | null;
      /** The allowed numbers in words. */
      readonly expected: string;
    };
