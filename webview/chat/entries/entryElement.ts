import type { TemplateResult } from 'lit';
import type { ContextRows, EntryView, OutputSoFar } from '../../../src/protocol/view.js';
import { assertNever } from '../../shared/assertNever.js';
import type { Disclosures } from '../../shared/disclosures.js';
import { LightElement, reactive } from '../../shared/lightElement.js';
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
export class EntryElement extends LightElement implements EntryScope {
  static override properties = reactive(
    ['entry', 'output', 'contextRows', 'chatId', 'isLocked', 'isEdited', 'userMessageId', 'disclosures'],
    [],
  );
  declare entry: EntryView;
  declare output: OutputSoFar | null;
  declare contextRows: ContextRows | null;
  declare chatId: string;
  declare isLocked: boolean;
  declare isEdited: boolean;
  declare userMessageId: string | null;
  declare disclosures: Disclosures;

  protected override render(): TemplateResult {
    const { entry } = this;
    switch (entry.kind) {
      case 'user':
        return userEntry(entry, this);
      case 'assistant':
        return assistantEntry(entry, this);
      case 'toolResults':
        return toolResultsEntry(entry, this);
      case 'accounting':
        return accountingEntry(entry, this);
      case 'retry':
        return retryEntry(entry, this);
      case 'runNote':
        return runNoteEntry(entry, this);
      default:
        return assertNever(entry);
    }
  }

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
