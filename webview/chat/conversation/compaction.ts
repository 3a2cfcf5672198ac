import type { nothing, TemplateResult } from 'lit';
import type { CompactionView } from '../../../src/protocol/panel/compaction.js';
import type { Disclosures } from '../../shared/controls/disclosures.js';
import { reactive } from '../../shared/lightElement.js';
import { TickingElement } from '../../shared/tickingElement.js';
import { compactionBlock } from './compactionBlock.js';

/** The note at the end of the conversation: a summary is in progress, is suggested, or ended without a result. */
export class CompactionElement extends TickingElement {
  static override properties = reactive(['compaction', 'chatId', 'isLocked', 'isPreview', 'disclosures'], []);
  declare compaction: CompactionView;
  declare chatId: string;
  declare isLocked: boolean;
  /** Whether the user reviews the summary before requests contain the summary. */
  declare isPreview: boolean;
  declare disclosures: Disclosures;

  protected override render(): TemplateResult | typeof nothing {
    const detail = `summary-failed:${this.chatId}`;
    return compactionBlock(this.compaction, Date.now(), {
      chatId: this.chatId,
      isLocked: this.isLocked,
      isPreview: this.isPreview,
      isDetailOpen: this.disclosures.isOpen(detail),
      onToggleDetail: () => {
        this.disclosures.toggle(detail);
        this.requestUpdate();
      },
    });
  }
}
