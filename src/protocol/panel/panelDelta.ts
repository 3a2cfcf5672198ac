import { ENTRIES } from './entryChanges.js';
import type { ExclusionPrices } from './exclusion.js';
import { keyed, replaced } from '../member.js';
import type { ContextRows } from './requestRows.js';
import type { PanelState } from './view.js';
import { type DeltaOf, type Members, type ViewState, viewState } from '../viewState.js';

const MEMBERS = {
  chats: replaced<PanelState['chats']>(),
  chat: replaced<PanelState['chat']>(),
  entries: ENTRIES,
  outputs: replaced<PanelState['outputs']>(),
  draft: replaced<PanelState['draft']>(),
  context: replaced<PanelState['context']>(),
  contextTotal: replaced<PanelState['contextTotal']>(),
  compaction: replaced<PanelState['compaction']>(),
  summaryPreview: replaced<PanelState['summaryPreview']>(),
  restoreOffer: replaced<PanelState['restoreOffer']>(),
  stepQuestion: replaced<PanelState['stepQuestion']>(),
  spendQuestion: replaced<PanelState['spendQuestion']>(),
  serverQuestion: replaced<PanelState['serverQuestion']>(),
  startingServers: replaced<PanelState['startingServers']>(),
  exclusionPrices: keyed<ExclusionPrices>(),
  nextRequest: replaced<PanelState['nextRequest']>(),
  nextRequestRows: replaced<PanelState['nextRequestRows']>(),
  contextRows: keyed<ContextRows>(),
  manager: replaced<PanelState['manager']>(),
  itemProof: replaced<PanelState['itemProof']>(),
  hasFolder: replaced<PanelState['hasFolder']>(),
  fontSize: replaced<PanelState['fontSize']>(),
  openFile: replaced<PanelState['openFile']>(),
  introduction: replaced<PanelState['introduction']>(),
  banners: replaced<PanelState['banners']>(),
} satisfies Members<PanelState>;

export type PanelDelta = DeltaOf<typeof MEMBERS>;

export const PANEL_STATE: ViewState<PanelState, PanelDelta> = viewState(MEMBERS);
