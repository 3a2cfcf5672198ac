import { chatTitle } from '../../../engine/chat/message/opening.js';
import { ownCosts } from '../../../engine/accounting/ownCosts.js';
import { ledgerTotals } from '../../../engine/chat/ledger.js';
import type { ChatState } from '../../../engine/chat/state.js';
import {
  configChange,
  type Bounds,
  expectedNumber,
  hasEffect,
  plainConfig,
  settingBounds,
} from '../../../engine/chat/settings/configValues.js';
import { STOP } from '../../../engine/run/input.js';
import { countedAs } from '../../../protocol/numbers.js';
import type { DamageView, ChatUsageView, ChatView, SettingControl, SettingRow } from '../../../protocol/panel/view.js';
import { PRACTICE_STANDARD } from '../../../providers/practice/models.js';
import type { ChatFault } from '../../chat/sessionLog.js';
import { usedChats } from '../../chat/usedChats.js';
import { type HandlerRoom, inChat, type RoomHandlers } from './handles.js';
import { newestTitleRun } from '../conversation/summaryEntry.js';
import { findModel, inputLimit, modelName, modelView } from './modelView.js';
import { type ChatNow, ofChat, type PanelRoom, type PanelSlices } from './slice.js';
import { promptLimit } from '../../../engine/budget/budget.js';
import { type ChatConfig, SETTING_NAMES, type SettingName, settingOf } from '../../../engine/chat/settings/config.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import type { ChatSetting } from '../../../engine/chat/settings/setting.js';
import { limitsText } from '../../models/modelTexts.js';
import { chatModels, type Provider } from '../../models/registry.js';

/** Maximum number of damaged lines in the badge. The notes name all lines. */
const LINES_NAMED = 3;

/** Maximum number of notes. A log can have thousands of damaged lines; the log channel has all notes. */
const NOTES_SHOWN = 20;

/**
 * Returns the damage of a chat's log for its badge, or null. `problems` are events that refer to events on damaged
 * lines; only their number is shown. Lines of a newer Loupe are no damage: they make the chat read-only, and the panel
 * says so.
 */
export function damageView(faults: readonly ChatFault[], problems: readonly string[]): DamageView | null {
  const damage = faults.filter(({ kind }) => kind !== 'newer' && kind !== 'unknownType');
  if (damage.length === 0 && problems.length === 0) {
    return null;
  }
  const shown = damage.slice(0, NOTES_SHOWN);
  const more = damage.length - shown.length;
  const others = [
    ...(more > 0 ? [`${countedAs(more, 'more place is', 'more places are')} damaged.`] : []),
    ...(problems.length > 0 ? [dependants(problems.length)] : []),
  ];
  const files = [...new Set(shown.map(({ segment }) => segment))].map((file) => ({
    file,
    notes: shown.filter(({ segment }) => segment === file).map(note),
  }));
  return { label: label(damage), files, others };
}

function note({ line, kind, reason }: ChatFault): string {
  const where = line === null ? 'The whole file' : `Line ${String(line)}`;
  return `${where}: ${reason}.${kind === 'bom' ? ' No content is lost.' : ''}`;
}

function label(damage: readonly ChatFault[]): string {
  const lines = [...new Set(damage.flatMap(({ line, kind }) => (line === null || kind === 'bom' ? [] : [line])))].toSorted((a, b) => a - b);
  if (lines.length > 0) {
    return `Damaged log: ${lines.length === 1 ? 'line' : 'lines'} ${listed(lines)}`;
  }
  if (damage.some(({ kind }) => kind === 'unreadable')) {
    return 'Loupe cannot read a file of this chat';
  }
  return damage.length > 0 ? 'Another program changed line 1 of the log' : 'A part of this chat is missing';
}

function listed(lines: readonly number[]): string {
  const named = lines.slice(0, LINES_NAMED);
  const more = lines.length - named.length;
  const [last = ''] = more > 0 ? [`${String(more)} more`] : named.slice(-1).map(String);
  const before = more > 0 ? named : named.slice(0, -1);
  return before.length === 0 ? last : `${before.join(', ')} and ${last}`;
}

function dependants(count: number): string {
  return `Loupe does not show ${countedAs(count, 'line that depends', 'lines that depend')} on damaged lines.`;
}

/** Derives the list of chats and the header of the visible chat. */
export function headerSlices(room: PanelRoom): PanelSlices<'chats' | 'chat'> {
  return {
    chats: { from: ['chat', 'draft', 'window'], derive: (now) => (room.chats.isListed ? usedChats(room, now?.session ?? null) : null) },
    chat: ofChat(['chat', 'window'], (now) => chatView(now, room)),
  };
}

function chatView({ session, shown }: ChatNow, { models, chats: { learned }, defaults }: PanelRoom): ChatView {
  const { state, conversation, readOnly, faults } = session;
  const providers = models.providers();
  const modelLimit = inputLimit({ providers, learned })(state.config.model);
  return {
    id: state.chatId,
    title: chatTitle(state),
    running: conversation.isRunning,
    isPractice: state.config.model.provider === PRACTICE_STANDARD.ref.provider,
    readOnly,
    damage: damageView(faults, state.problems),
    earlierMessages: shown.earlier,
    laterMessages: shown.later,
    model: modelView(findModel(state.config.model, providers), learned),
    settings: settingRows(state.config, defaults(), { modelLimit, providers }),
    titleRun: newestTitleRun(state, ({ model }) => modelName(model, models.list())),
    spent: spentIn(state),
  };
}

function spentIn(state: ChatState): ChatUsageView | null {
  const totals = ledgerTotals(state);
  const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens, cost, unknownAttempts } = totals;
  const inputTokens = promptTokens + cacheReadInputTokens + cacheCreationInputTokens;
  if (inputTokens + completionTokens === 0) {
    return null;
  }
  // The unloaded part of a long chat has only sums, which do not say whether they are estimates.
  const usages = [...state.attempts.values()].flatMap(({ inheritedFrom, end }) => (inheritedFrom === null ? (end?.usage ?? []) : []));
  return {
    inputTokens,
    outputTokens: completionTokens,
    inputEstimated: usages.some(({ promptTokens }) => promptTokens?.source === 'estimated'),
    outputEstimated: usages.some((usage) => usage.completionTokens?.source === 'estimated'),
    cost,
    unknownRequests: unknownAttempts,
    own: ownCosts(state),
  };
}

/** Returns the handlers of messages about the list of chats, and about the title, model and settings of a chat. */
export function headerHandlers(room: HandlerRoom) {
  const { chats, shown, panel } = room;
  const { editors, exportChat, importChat, openInEditor, providers, questions, search, usage } = room.features;
  return {
    ...inChat(room, {
      generateTitle: ({ titler }) => titler.generate(),
      stopTitle: ({ titler }) => titler.stop(STOP),
      renameChat: (session, { title }) => session.titler.rename(title),
      changeSetting: (session, { name, value }) => session.changeConfig(configChange(session.state.config, { [name]: value })),
      askTitle: (session) => questions.title(session, undefined),
      selectAgent: (session) => questions.agent(session, undefined),
      selectModel: (session) => questions.model(session, undefined),
      resetSettings: (session) => questions.reset(session),
      useForNewChats: (session) => questions.useForNewChats(session),
      askExport: (session) => exportChat(session),
      openInEditor: ({ id }) => openInEditor(id),
      setApiKey: ({ state }) => providers.setKey(state.config.model.provider),
    }),
    newChat: () => shown.newChat(),
    openChat: ({ chatId }) => shown.show(chatId),
    async openMessage({ chatId, messageId, found }) {
      await shown.show(chatId);
      await panel.reveal(messageId, found);
    },
    searchChats: ({ text, role }) => search.query(text, role),
    deleteChat: ({ chatId }) => shown.delete(chatId),
    showDefaults: () => editors.showDefaults(),
    askImport: () => importChat(undefined),
    showUsage({ chatId }) {
      usage.show(chatId);
    },
    async sumSpending() {
      const { day, week } = await chats.spentSums();
      panel.channel.tell({ type: 'spentSums', day, week });
    },
    addProvider: () => providers.add(),
  } satisfies RoomHandlers;
}

type ChoiceOptions = Extract<SettingControl, { readonly kind: 'choice' }>['options'];
type IntegerSetting = Extract<ChatSetting, { readonly kind: 'integer' }>;

/**
 * Returns the chat settings that have an effect, as rows of a form. `defaults` are those of a new chat. `modelLimit` is
 * the input limit of the model in tokens, or null. `providers` have the models to choose from.
 */
export function settingRows(
  config: ChatConfig,
  defaults: ChatConfig,
  { modelLimit, providers }: { readonly modelLimit: number | null; readonly providers: readonly Provider[] },
): SettingRow[] {
  const [values, usual] = [plainConfig(config), plainConfig(defaults)];
  const limited = { ...config, maxPromptTokens: promptLimit(config, { maxInputTokens: modelLimit }) };
  const shown = SETTING_NAMES.filter((name) => hasEffect(name, config));
  return shown.map((name) => {
    const { group, label, help } = settingOf(name);
    const isChanged = values[name] !== usual[name];
    const models = (): ChoiceOptions => otherModels(String(values[name]), providers);
    return { name, group, label, help, value: values[name], isChanged, control: control(name, limited, models) };
  });
}

function control(name: SettingName, config: ChatConfig, models: () => ChoiceOptions): SettingControl {
  const setting = settingOf(name);
  switch (setting.kind) {
    case 'otherModel':
      return { kind: 'choice', options: models() };
    case 'choice':
      return { kind: 'choice', options: setting.options };
    case 'integer': {
      const bounds = settingBounds(name, config);
      return { kind: 'integer', ...bounds, empty: setting.empty, expected: `${expectedNumber(bounds)}${limitOf(setting, bounds)}` };
    }
    case 'model':
    case 'agent':
      return { kind: setting.kind };
    case 'text':
    case 'switch':
      return setting;
  }
}

/** Returns the choices: the chat's model, then all models, even the model `chosen` if it no longer exists. */
function otherModels(chosen: string, providers: readonly Provider[]): ChoiceOptions {
  const own = { value: '', label: "The chat's model", detail: 'The model that replies in this chat' };
  const models = providers.flatMap((provider) =>
    chatModels(provider).map((model) => ({
      value: modelKey(model.ref),
      label: `${provider.label}: ${model.label}`,
      detail: limitsText(model),
    })),
  );
  const isListed = chosen === '' || models.some(({ value }) => value === chosen);
  return [own, ...models, ...(isListed ? [] : [{ value: chosen, label: chosen, detail: 'Model no longer available' }])];
}

/** Returns the other setting that limits a number, with its value; empty when no other setting does. */
function limitOf({ most: limit }: IntegerSetting, { most }: Bounds): string {
  const label = SETTING_NAMES.find((name) => name === limit?.setting);
  return limit === null || most === null || label === undefined
    ? ''
    : ` (${settingOf(label).label}: ${(most + limit.less).toLocaleString('en-US')})`;
}
