import { type TemplateResult, html, nothing } from 'lit';
import { button, linkButton } from '../../shared/controls/buttons.js';
import { post, posting } from '../../shared/events.js';
import { skeletonRows } from '../../shared/controls/skeleton.js';
import { icon } from '../../shared/controls/icon.js';
import type { ChatView } from '../../../src/protocol/panel/view.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import type { Disclosures } from '../../shared/controls/disclosures.js';
import { isAnsweredElsewhere } from '../notices/answeredElsewhere.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';

interface Suggestion {
  readonly icon: string;
  readonly label: string;
  readonly about: string;
  /** The text that a click writes into the message box, for the user to send. Null for a suggestion without text. */
  readonly text: string | null;
  /** The message that a click sends to the host. Null for a suggestion that only writes a text. */
  readonly message: ToHost | null;
}

/** A command that only the practice model understands. For other models it would be text, which costs money. */
const COMMAND = typed('tools', '/tool echo {"text":"hi"}', 'Watch a tool call and its exact arguments');

export function suggestions(
  { openFile, hasFolder }: Pick<PanelState, 'openFile' | 'hasFolder'>,
  { id, isPractice }: Pick<ChatView, 'id' | 'isPractice'>,
): Suggestion[] {
  const showRequest: Suggestion = {
    icon: 'inspect',
    label: 'Show the request before I send it',
    about: 'See each part with its tokens, and the exact request text',
    text: null,
    message: { type: 'previewNextRequest', chatId: id },
  };
  return [
    openFile === null ? withoutFile(id, hasFolder && !isPractice) : explain(openFile, id),
    ...(isPractice ? [COMMAND] : []),
    showRequest,
  ];
}

function explain({ name, uri }: NonNullable<PanelState['openFile']>, chatId: string): Suggestion {
  return {
    icon: 'file-code',
    label: 'Explain the open file',
    about: `Adds ${name} to the chat`,
    text: `Explain ${name}.`,
    message: { type: 'dropFiles', chatId, uris: [uri] },
  };
}

function withoutFile(chatId: string, asksAboutFiles: boolean): Suggestion {
  return asksAboutFiles
    ? {
        icon: 'add',
        label: 'Ask about files',
        about: 'Choose files, and see what they cost',
        text: 'What do these files do?',
        message: { type: 'addFiles', chatId },
      }
    : typed('comment', 'Hello, what did I just send you?', 'See the content and the price of a request');
}

function typed(icon: string, text: string, about: string): Suggestion {
  return { icon, label: text, about, text, message: null };
}

const PROMISES = [
  { icon: 'eye', when: 'Before', text: 'You see each request and its price before you send it.' },
  { icon: 'inspect', when: 'After', text: 'For each reply, you can see the exact request.' },
  { icon: 'discard', when: 'Always', text: 'You can undo each edit, retry and summary.' },
] as const;

/** The text that *Try it now* writes into the message box. */
const FIRST_MESSAGE = 'Hello, what did I just send you?';

interface EmptyState {
  /** Whether the user has not sent a message with this installation yet. */
  readonly isFirst: boolean;
  /** Whether the message box has the text of *Try it now*. */
  readonly isTrying: boolean;
  readonly model: string;
  readonly suggestions: readonly Suggestion[];
  readonly onSuggest: (text: string) => void;
  readonly onSettings: () => void;
}

function emptyState({ isFirst, isTrying, model, suggestions, onSuggest, onSettings }: EmptyState): TemplateResult {
  if (isFirst) {
    return welcome(isTrying, onSuggest);
  }
  return html`<div class="empty-state">
    <h2>See everything that Loupe sends</h2>
    <p>Loupe shows what goes to the model and what it costs, before and after you send.</p>
    <ul class="suggestions" aria-label="Things to try">
      ${suggestions.map((each) => html`<li>${suggestion(each, onSuggest)}</li>`)}
    </ul>
    <p class="empty-model">
      Model: ${model}. Change it below or in the ${linkButton('chat’s settings', onSettings)}, or
      ${linkButton('add your own provider', posting({ type: 'addProvider' }))} or local server.
    </p>
  </div>`;
}

function suggestion({ icon: name, label, about, text, message }: Suggestion, onSuggest: EmptyState['onSuggest']): TemplateResult {
  const choose = ({ currentTarget }: Event): void => {
    if (message !== null && currentTarget !== null) {
      post(currentTarget, message);
    }
    if (text !== null) {
      onSuggest(text);
    }
  };
  return html`<button type="button" @click=${choose}>${icon(name)}<span>${label}<small>${about}</small></span></button>`;
}

/** The welcome page of a new installation, until the first message. `onTry` gets the text for the message box. */
function welcome(isTrying: boolean, onTry: (text: string) => void): TemplateResult {
  return html`<div class="empty-state welcome">
    <h2>A chat that hides nothing</h2>
    <ul class="promises">
      ${PROMISES.map((promise) => html`<li>${icon(promise.icon)}<span><strong>${promise.when}</strong><br />${promise.text}</span></li>`)}
    </ul>
    <div class="welcome-actions">
      ${button('Try it now', 'primary', () => {
        onTry(FIRST_MESSAGE);
      })}
      ${button('Use your own model', 'secondary', posting({ type: 'addProvider' }))}
    </div>
    <p class="welcome-next" role="status">
      ${isTrying ? html`Press <kbd>Enter</kbd> to send the message below.` : nothing}
    </p>
    <p>
      Trying needs no key and no network: the practice model is a free test model inside Loupe.
    </p>
  </div>`;
}

interface StageScope {
  readonly disclosures: Disclosures;
  readonly onSuggest: (text: string) => void;
  readonly onSettings: () => void;
}

/** Shows the conversation, or suggestions while the chat is empty. Until a chat is loaded, shows a placeholder. */
export function stage(view: PanelState, { disclosures, onSuggest, onSettings }: StageScope): TemplateResult {
  const { chat } = view;
  if (chat === null) {
    return skeletonRows();
  }
  if (view.entries.length === 0 && chat.earlierMessages === 0) {
    return emptyState({
      isFirst: view.introduction === 'welcome',
      isTrying: view.draft.text === FIRST_MESSAGE,
      model: chat.model.label,
      suggestions: suggestions(view, chat),
      onSuggest,
      onSettings,
    });
  }
  return html`<loupe-conversation
    .chat=${chat}
    .entries=${view.entries}
    .turns=${view.turns}
    .outputs=${view.outputs}
    .contextRows=${view.contextRows}
    .replyUses=${view.replyUses}
    .exclusionPrices=${view.exclusionPrices}
    .repeats=${view.repeats}
    .neededAgain=${view.neededAgain}
    .failedServers=${view.failedServers}
    .compaction=${view.compaction}
    .editing=${view.draft.editing}
    .isLocked=${chat.running || chat.readOnly !== null || isAnsweredElsewhere(chat, view.chats)}
    .disclosures=${disclosures}
    .introduction=${view.introduction}
  ></loupe-conversation>`;
}
