import type { TemplateResult } from 'lit';
import type { LeavingOutPrice, LeavingOutPrices } from '../../../src/protocol/leavingOut.js';
import type { ContextRows } from '../../../src/protocol/requestRows.js';
import type { EntryView, IntroductionStep, OutputSoFar } from '../../../src/protocol/view.js';
import { assertNever } from '../../shared/assertNever.js';
import type { Disclosures } from '../../shared/disclosures.js';
import { post } from '../../shared/events.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
import { entryPart } from '../rowsToShow.js';
import { accountingEntry } from './accountingEntry.js';
import { assistantEntry } from './assistantEntry.js';
import { failedAttemptEntry } from './failedAttemptEntry.js';
import { forkEntry } from './forkEntry.js';
import { retryEntry } from './retryEntry.js';
import { runNoteEntry } from './runNoteEntry.js';
import type { EntryScope } from './scope.js';
import { summaryEntry } from './summaryEntry.js';
import { titleEntry } from './titleEntry.js';
import { userEntry } from './userEntry.js';

/** One entry of the conversation. It is an element of its own, so that a streaming reply renders only its own entry again. */
export class EntryElement extends LightElement implements EntryScope {
  static override properties = reactive(
    [
      'entry',
      'output',
      'contextRows',
      'chatId',
      'isLocked',
      'isEdited',
      'isEndNoted',
      'userMessageId',
      'disclosures',
      'introduction',
      'leavingOut',
      'leavingTurnOut',
    ],
    [],
  );
  declare entry: EntryView;
  declare output: OutputSoFar | null;
  declare contextRows: ContextRows | null;
  declare leavingOut: LeavingOutPrices | null;
  declare leavingTurnOut: LeavingOutPrice | null;
  declare chatId: string;
  declare isLocked: boolean;
  declare isEdited: boolean;
  declare isEndNoted: boolean;
  declare userMessageId: string | null;
  declare disclosures: Disclosures;
  declare introduction: IntroductionStep | null;

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
        return assistantEntry(entry, this);
      case 'summary':
        return summaryEntry(entry, this);
      case 'accounting':
        return accountingEntry(entry, this);
      case 'fork':
        return forkEntry(entry);
      case 'title':
        return titleEntry(entry, this);
      case 'failedAttempt':
        return failedAttemptEntry(entry, this);
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
