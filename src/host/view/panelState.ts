import type { ModelRef } from '../../engine/chat/config.js';
import type { Model } from '../../engine/run/model.js';
import type { Banner, ChatListItem, ChatView, ContextChip, DraftView, ModelOption, NextRequestView, PanelState } from '../../protocol/view.js';
import type { ChatSession } from '../chat/chatSession.js';
import { chatTitle } from '../chat/summary.js';
import { modelKey } from '../models.js';
import { configView } from './configView.js';
import type { EntryViews } from './entries.js';

/** Everything a panel's state is made from. */
export interface PanelInput {
  readonly chats: readonly ChatListItem[] | null;
  readonly session: ChatSession | null;
  /** How many entries of the conversation are shown. */
  readonly limit: number;
  readonly draft: DraftView;
  readonly next: { readonly request: NextRequestView | null; readonly chips: readonly ContextChip[] };
  readonly models: readonly Model[];
  readonly banners: readonly Banner[];
}

export function panelState(input: PanelInput, views: EntryViews): PanelState {
  const { session, chats, draft, next, banners } = input;
  const shown = session === null ? { entries: [], earlier: 0 } : views.derive(session.state, input.limit);
  return {
    chats,
    chat: session === null ? null : chatView(session, shown.earlier),
    entries: shown.entries,
    draft,
    context: next.chips,
    nextRequest: next.request,
    models: input.models.map(modelOption),
    banners,
  };
}

function chatView(session: ChatSession, earlier: number): ChatView {
  const { state } = session;
  return {
    id: state.chatId,
    title: chatTitle(state),
    running: session.isRunning,
    readOnly: session.readOnly,
    earlierMessages: earlier,
    settings: configView(state.config),
  };
}

function modelOption(model: Model): ModelOption {
  const window = model.maxInputTokens === null ? 'window unknown' : `${model.maxInputTokens.toLocaleString('en-US')} tokens`;
  const price = model.prices === null ? 'no prices' : `$${String(model.prices.input)} in, $${String(model.prices.output)} out per million`;
  return { key: modelKey(model.ref), label: model.label, detail: `${window} · ${price}` };
}

/** The label of a model in the list, or its key when it is not there any more. */
export function modelLabel(ref: ModelRef, models: readonly Model[]): string {
  return models.find((model) => modelKey(model.ref) === modelKey(ref))?.label ?? modelKey(ref);
}
