import { LimitsElement } from '../shared/controls/limits.js';
import { CountdownElement } from '../shared/countdown.js';
import { MarkdownElement } from '../shared/markdown/markdownElement.js';
import { ChatListElement } from './chatList/chatList.js';
import { ChipsElement } from './composer/chips.js';
import { ComposerElement } from './composer/composer.js';
import { IdleStripElement } from './composer/idleStrip.js';
import { MessageImageElement } from './composer/messageImage.js';
import { CompactionElement } from './conversation/compaction.js';
import { ConversationElement } from './conversation/conversation.js';
import { EntryElement } from './conversation/entryElement.js';
import { FindBarElement } from './find/findBar.js';
import { AllowedToolsElement } from './manager/allowedTools.js';
import { ChatTextsElement } from './manager/chatTexts.js';
import { ManagerElement } from './manager/manager.js';
import { HistoryCardElement } from './nextRequest/historyCard.js';
import { SpentElement } from './nextRequest/spent.js';
import { AnswersElement, MoreAnswersElement } from './questions/answers.js';
import { ServerQuestionElement } from './questions/serverQuestion.js';
import { CommandElement } from './questions/commandQuestion.js';
import { ListMenuElement } from './rows/offMenu.js';
import { ExpiryElement } from './rows/forecast.js';
import { SettingsElement } from './settings/settings.js';
import { PanelElement } from './shell/panel.js';
import { SummaryPaneElement } from './summary/summaryPane.js';

/** The elements of the chat panel by tag, without those of `registerControls`. */
export const ELEMENTS: Readonly<Record<`loupe-${string}`, CustomElementConstructor>> = {
  'loupe-limits': LimitsElement,
  'loupe-list-menu': ListMenuElement,
  'loupe-markdown': MarkdownElement,
  'loupe-entry': EntryElement,
  'loupe-compaction': CompactionElement,
  'loupe-conversation': ConversationElement,
  'loupe-image': MessageImageElement,
  'loupe-chips': ChipsElement,
  'loupe-composer': ComposerElement,
  'loupe-idle': IdleStripElement,
  'loupe-chat-list': ChatListElement,
  'loupe-find': FindBarElement,
  'loupe-manager': ManagerElement,
  'loupe-allowed-tools': AllowedToolsElement,
  'loupe-chat-texts': ChatTextsElement,
  'loupe-answers': AnswersElement,
  'loupe-more-answers': MoreAnswersElement,
  'loupe-command': CommandElement,
  'loupe-server-question': ServerQuestionElement,
  'loupe-settings': SettingsElement,
  'loupe-history-card': HistoryCardElement,
  'loupe-spent': SpentElement,
  'loupe-summary-pane': SummaryPaneElement,
  'loupe-countdown': CountdownElement,
  'loupe-expiry': ExpiryElement,
  'loupe-chat': PanelElement,
};

declare global {
  /** The elements that `querySelector` finds by their tag. */
  interface HTMLElementTagNameMap {
    'loupe-chat-list': ChatListElement;
    'loupe-composer': ComposerElement;
    'loupe-conversation': ConversationElement;
    'loupe-find': FindBarElement;
    'loupe-image': MessageImageElement;
    'loupe-list-menu': ListMenuElement;
    'loupe-spent': SpentElement;
  }
}
