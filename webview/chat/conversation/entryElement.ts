import { type TemplateResult, html, nothing } from 'lit';
import type { LostFactsView } from '../../../src/protocol/panel/compaction.js';
import type { ExclusionPrice, ExclusionPrices, ReplyUses, ContextRows, RepeatView } from '../../../src/protocol/panel/requestRows.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import type { IntroductionStep } from '../../../src/protocol/panel/view.js';
import { assertNever } from '../../shared/assertNever.js';
import type { Disclosures } from '../../shared/controls/disclosures.js';
import { post, posting } from '../../shared/events.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { entryPart } from '../entries/rowsToShow.js';
import { accountingEntry } from '../notes/accountingEntry.js';
import { assistantEntry } from '../entries/assistantEntry.js';
import { failuresEntry, retryEntry } from '../notes/failedAttempts.js';
import { runNoteEntry } from '../notes/runNoteEntry.js';
import type { EntryScope } from '../request/scope.js';
import { summaryEntry } from '../notes/summaryEntry.js';
import { userEntry } from '../entries/userEntry.js';
import type { ForkEntry, TitleEntry, EntryView, OutputProgress } from '../../../src/protocol/panel/entries.js';
import { linkButton } from '../../shared/controls/buttons.js';
import { visibleText } from '../../shared/visibleText.js';
import { isStep } from '../../../src/protocol/panel/turnSteps.js';
import { stepEntry } from '../entries/stepEntry.js';
import type { ShownTurn } from './shownTurns.js';
import { keepWarmEntry, ownRequests } from '../notes/ownRequests.js';

/** One entry of the conversation. While a reply streams, Loupe renders only the entry of this reply. */
export class EntryElement extends LightElement implements EntryScope {
  static override properties = reactive(
    [
      'entry',
      'output',
      'contextRows',
      'replyUses',
      'chatId',
      'isLocked',
      'isEdited',
      'isNewest',
      'isNewModel',
      'isEndNoted',
      'userMessageId',
      'disclosures',
      'introduction',
      'exclusion',
      'turnExclusion',
      'repeats',
      'neededAgain',
      'failedServers',
      ...['turn', 'onToggleTurn'],
    ],
    [],
  );
  declare entry: EntryView;
  declare output: OutputProgress | null;
  declare contextRows: ContextRows | null;
  declare replyUses: ReplyUses | null;
  declare exclusion: ExclusionPrices | null;
  declare turnExclusion: ExclusionPrice | null;
  declare repeats: Readonly<Record<string, RepeatView>>;
  declare neededAgain: LostFactsView | null;
  declare failedServers: PanelState['failedServers'];
  declare chatId: string;
  declare isLocked: boolean;
  declare isEdited: boolean;
  declare isNewest: boolean;
  declare isNewModel: boolean;
  declare isEndNoted: boolean;
  declare userMessageId: string | null;
  declare disclosures: Disclosures;
  declare introduction: IntroductionStep | null;
  declare turn: ShownTurn | null;
  declare onToggleTurn: (turn: ShownTurn) => void;

  constructor() {
    super();
    this.addEventListener('focusin', this.#focused);
  }

  protected override render(): TemplateResult {
    const { entry } = this;
    switch (entry.kind) {
      case 'user':
        return userEntry(entry, this);
      case 'assistant':
        return this.turn !== null && isStep(entry) ? stepEntry(entry, this.turn, this) : assistantEntry(entry, this);
      case 'summary':
        return summaryEntry(entry, this);
      case 'accounting':
        return accountingEntry(entry, this);
      case 'fork':
        return forkEntry(entry);
      case 'title':
        return titleEntry(entry, this);
      case 'keepWarm':
        return keepWarmEntry(entry, this);
      case 'failures':
        return failuresEntry(entry, this);
      case 'retry':
        return retryEntry(entry, this);
      case 'runNote':
        return runNoteEntry(entry, this);
      default:
        return assertNever(entry);
    }
  }

  readonly #focused = ({ relatedTarget }: FocusEvent): void => {
    const cameFromHere = relatedTarget instanceof Node && this.contains(relatedTarget);
    if (this.entry.kind === 'assistant' && !cameFromHere) {
      post(this, { type: 'selectReply', chatId: this.chatId, messageId: this.entry.id });
    }
  };

  get from(): EventTarget {
    return this;
  }

  isOpen(part: string): boolean {
    return this.disclosures.isOpen(entryPart(this.entry.id, part));
  }

  toggle(part: string): void {
    this.disclosures.toggle(entryPart(this.entry.id, part));
    this.requestUpdate();
  }
}

/**
 * Shows where a fork begins, with a link to the other chat. For a message that the user sent again with other options,
 * shows the changes, the cost of both replies, and a link to the earlier request.
 */
function forkEntry({ chatId, messageId, sentAgain }: ForkEntry): TemplateResult {
  if (sentAgain !== null) {
    return html`<div class="entry accounting">
      <div class="accounting-line"><span class="figures">${visibleText(sentAgain.text)}</span></div>
      <div class="accounting-more">
        ${linkButton('Show the earlier request', posting({ type: 'showRequest', chatId, messageId: sentAgain.attemptId }))}
      </div>
    </div>`;
  }
  return html`<div class="entry accounting">
    <div class="accounting-line">
      <span class="figures">Forked here from another chat</span>
      ${linkButton('Show that chat', posting({ type: 'openMessage', chatId, messageId, found: null }))}
    </div>
  </div>`;
}

/** Shows why a model wrote no title, with the request. The title itself and its request are in the header. */
export function titleEntry({ text, requests }: TitleEntry, scope: EntryScope): TemplateResult {
  const { chatId, isLocked } = scope;
  return html`<div class="entry title-entry" role="note" aria-label="Title" title="Later requests do not contain this line.">
    <span>No title. ${visibleText(text)}</span>
    ${isLocked ? nothing : linkButton('Try again', posting({ type: 'generateTitle', chatId }))}
    ${ownRequests(requests, scope)}
  </div>`;
}
