import type { UserMessage } from '../chat/message/message.js';
import type { FileCut, ForgottenTools } from '../record/manifest.js';
import type { Model } from '../model/model.js';
import { type AdaptInput, type AdaptedRequest, adapt } from './adapt/adapt.js';
import { Repeats, type RepeatedResult, type RepeatRules } from './adapt/repeats.js';
import { sentContents } from './adapt/sentContents.js';
import type { BlockFactory } from './blockFactory.js';
import { forgottenTools } from './forgottenTools.js';
import { type ConversationUnit, type RequestSources, gather } from './gather.js';
import type { Layout, LayoutContext, LayoutOptions, LayoutUnit } from './layout/layout.js';
import type { Situation } from './layout/situation.js';
import type { Wish } from './placeBreakpoints.js';
import { type OptimizeInput, type OptimizedRequest, optimize } from './optimize.js';
import { promptBlocks, withBlocks, type Prompt } from '../model/prompt.js';
import { cutFiles } from './shownFiles.js';
import type { ResultTexts } from './resultText.js';

export interface ArrangeInput
  extends RequestSources,
    Omit<AdaptInput, 'repeats'>,
    Pick<OptimizeInput, 'toolMemory' | 'excluded'>,
    Pick<LayoutContext, 'differences'> {
  readonly layout: Layout;
  readonly situation: Situation;
  readonly layoutOptions: LayoutOptions;
  readonly fileLinks: LayoutContext['fileLinks'];
  /** Whether to remove everything that the request does not need, even if later blocks must be cached again. */
  readonly mustRebuild: boolean;
}

export interface ArrangedContents extends AdaptedRequest, Pick<OptimizedRequest, 'offersTools'> {
  readonly model: Model;
  readonly layout: string;
  /** The files that are sent only in part, by item key. */
  readonly cuts: ReadonlyMap<string, FileCut>;
  /** The tool calls that are not sent, oldest first. */
  readonly forgotten: readonly ForgottenTools[];
  /** The tool results that a pointer to earlier content replaces, in the order of sending. */
  readonly repeated: readonly RepeatedResult[];
  /** The turns that the user has excluded, oldest first. */
  readonly excludedTurns: readonly ExcludedTurn[];
}

/** The arranged contents, and the breakpoints that the layout proposes, which depend on the sizes of the blocks. */
export interface Arrangement extends ArrangedContents {
  readonly wishes: (prompt: Prompt) => readonly Wish[];
}

export function arrange(input: ArrangeInput, factory: BlockFactory): Arrangement {
  const { model, layout, situation, layoutOptions: options, fileLinks, mustRebuild, differences, resultTexts, files, shownLines } = input;
  const { groups, toolsNotOffered, offersTools } = optimize(gather(input, factory), input, factory);
  const laidOut = layout.lay(groups, { model, situation, options, fileLinks, mustRebuild, factory, resultTexts, differences });
  const repeats = new Repeats(repeatRules(input), factory);
  const adapted = adapt(laidOut, { ...input, repeats }, factory);
  const adaptations = toolsNotOffered === 0 ? adapted.adaptations : { ...adapted.adaptations, toolsLeftOut: toolsNotOffered };
  const said = laidOut.messages.filter((unit): unit is LayoutUnit & ConversationUnit => unit.kind !== 'blocks');
  return {
    model,
    layout: layout.name,
    offersTools,
    cuts: cutFiles(files, shownLines, factory),
    repeated: repeats.found,
    forgotten: forgottenTools(said, input, resultTexts, factory),
    excludedTurns: excludedTurns(groups.conversation, new Set(said.map(({ message }) => message.id)), resultTexts, factory),
    wishes: (prompt) => laidOut.wishes(prompt, adapted.ends),
    ...adapted,
    adaptations,
  };
}

/** A rebuild of the prompt also replaces repeated results that earlier requests had in full. */
function repeatRules({ layoutOptions, situation, mustRebuild, differences }: ArrangeInput): RepeatRules {
  const sent = sentContents(mustRebuild ? null : situation.last);
  return { isOn: layoutOptions.repeatedContent === 'references', sent, differences };
}

/** Returns the user message that ends a request, if it is a single text and not excluded, or null. */
export function newestText({
  messages,
  instruction,
  excluded,
}: Pick<ArrangeInput, 'messages' | 'instruction' | 'excluded'>): UserMessage | null {
  const newest = messages.at(-1);
  if (newest?.role !== 'user' || instruction !== null || excluded.messages.has(newest.id)) {
    return null;
  }
  const [part, more] = newest.parts;
  return part?.type === 'text' && part.text.trim() !== '' && more === undefined ? newest : null;
}

/**
 * Replaces the text of the newest message (`newestText`) without arranging again: no step before the breakpoints reads
 * that text. Returns null when the arrangement does not end with the message
 * and its workspace message.
 */
export function withNewestText(arrangement: Arrangement, newest: UserMessage, factory: BlockFactory): Arrangement | null {
  const { prompt } = arrangement;
  const blocks = promptBlocks(prompt);
  const [part] = newest.parts;
  const block = part === undefined ? null : factory.messageBlock({ messageId: newest.id, index: 0, role: 'user', part }, new Map());
  // The workspace message comes after the newest message.
  const at = blocks.findLastIndex(({ category }) => category !== 'editor');
  const before = blocks[at];
  return block === null || before?.key !== block.key
    ? null
    : { ...arrangement, prompt: withBlocks(prompt, new Map([[at, { ...block, tier: before.tier }]])) };
}

interface ExcludedTurn {
  /** Id of the user message that begins the turn. */
  readonly messageId: string;
  /** Number of messages of the turn that a request would send, without tool results. */
  readonly messages: number;
  /** Tokens of the turn by the model's counter, with tool calls and results. */
  readonly tokens: number;
  /** Whether the request still contains the turn. A rebuild of the prompt removes the turn. */
  readonly isHeld: boolean;
}

/** Returns the excluded turns of a conversation. `held` are the ids of the messages in the request. */
function excludedTurns(
  conversation: readonly ConversationUnit[],
  held: ReadonlySet<string>,
  results: ResultTexts,
  factory: BlockFactory,
): readonly ExcludedTurn[] {
  const turns = new Map<string, ExcludedTurn>();
  for (const said of conversation) {
    if (said.excludedWith !== null) {
      const known = turns.get(said.excludedWith);
      turns.set(said.excludedWith, {
        messageId: said.excludedWith,
        messages: (known?.messages ?? 0) + 1,
        tokens: (known?.tokens ?? 0) + tokensOf(said, results, factory),
        isHeld: known?.isHeld === true || held.has(said.message.id),
      });
    }
  }
  return [...turns.values()];
}

function tokensOf({ message, ...said }: ConversationUnit, results: ResultTexts, factory: BlockFactory): number {
  const own = message.parts.map((part, index) => ({ messageId: message.id, index, role: message.role, part }));
  const answers = said.kind === 'reply' ? [...said.results.values()].map((each) => ({ ...each, role: 'tool-results' as const })) : [];
  return [...own, ...answers].reduce((sum, part) => sum + (factory.messageBlock(part, results)?.tokens ?? 0), 0);
}
