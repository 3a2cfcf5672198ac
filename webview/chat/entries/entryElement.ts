import type { TemplateResult } from 'lit';
import type { ContextRows, EntryView, OutputSoFar } from '../../../src/protocol/view.js';
import { assertNever } from '../../shared/assertNever.js';
import type { Disclosures } from '../../shared/disclosures.js';
import { LightElement } from '../../shared/lightElement.js';
import { entryPart } from '../openRows.js';
import { accountingEntry } from './accountingEntry.js';
import { assistantEntry } from './assistantEntry.js';
import { retryEntry } from './retryEntry.js';
import { runNoteEntry } from './runNoteEntry.js';
import type { EntryScope } from './scope.js';
import { toolResultsEntry } from './toolResultsEntry.js';
import { userEntry } from './userEntry.js';

/**
 * One entry of the conversation. An element of its own, so that only the entry that changed is rendered again while
 * a reply streams.
 */
export class EntryElement extends LightElement {
  static override properties = {
    entry: { attribute: false },
    output: { attribute: false },
    contextRows: { attribute: false },
    chatId: { attribute: false },
    isLocked: { attribute: false },
    isEdited: { attribute: false },
    userMessageId: { attribute: false },
    disclosures: { attribute: false },
  };
  declare entry: EntryView;
  declare output: OutputSoFar | null;
  declare contextRows: ContextRows | null;
  declare chatId: string;
  declare isLocked: boolean;
  declare isEdited: boolean;
  declare userMessageId: string | null;
  declare disclosures: Disclosures;

  protected override render(): TemplateResult {
    const scope = this.#scope();
    const { entry } = this;
    switch (entry.kind) {
      case 'user':
        return userEntry(entry, scope);
      case 'assistant':
        return assistantEntry(entry, scope);
      case 'toolResults':
        return toolResultsEntry(entry, scope);
      case 'accounting':
        return accountingEntry(entry, scope);
      case 'retry':
        return retryEntry(entry, scope);
      case 'runNote':
        return runNoteEntry(entry, scope);
      default:
        return assertNever(entry);
    }
  }

  #scope(): EntryScope {
    const name = (part: string): string => entryPart(this.entry.id, part);
    return {
      output: this.output,
      contextRows: this.contextRows,
      chatId: this.chatId,
      isLocked: this.isLocked,
      isEdited: this.isEdited,
      userMessageId: this.userMessageId,
      from: this,
      isOpen: (part) => this.disclosures.isOpen(name(part)),
      toggle: (part) => {
        this.disclosures.toggle(name(part));
        this.requestUpdate();
      },
    };
  }
}
