import type { ChatState } from '../../engine/chat/state.js';
import type { Model } from '../../engine/model/model.js';
import { isSameRef, modelKey } from '../../engine/model/modelRef.js';
import type { BannerAction } from '../../protocol/panel/view.js';
import { CHOOSE_MODEL } from '../window/banners.js';

/* Offers the model that a file names. Another model has another price, so that only the user selects it. */

/** A sentence for a banner, with a button. */
export interface Offer {
  readonly text: string;
  readonly action: BannerAction;
}

interface ModelOfferInput {
  /** What names the model, as the subject of a sentence. */
  readonly subject: string;
  /** The names of models in the file, best first. */
  readonly names: readonly string[];
  readonly chat: Pick<ChatState, 'chatId' | 'config'>;
  readonly models: readonly Model[];
}

/** Returns an offer of the first named model that Loupe has. Null without a name, or if the chat has the model. */
export function modelOffer({ subject, names, chat: { chatId, config }, models }: ModelOfferInput): Offer | null {
  const wanted = names.map((name) => modelsNamed(name, models)).find((found) => found.length > 0) ?? [];
  if (names.length === 0 || wanted.some(({ ref }) => isSameRef(ref, config.model))) {
    return null;
  }
  const best = wanted.find(({ ref }) => ref.provider === config.model.provider) ?? wanted[0];
  const sentence = `${subject} names the model ${names.join(', ')}`;
  if (best === undefined) {
    return { text: `${sentence}, which Loupe does not have.`, action: CHOOSE_MODEL };
  }
  const argument = `${chatId} ${modelKey(best.ref)}`;
  return {
    text: `${sentence}. Loupe has ${best.label} (${best.ref.provider}).`,
    action: { label: 'Use this model', action: 'useModel', argument },
  };
}

/** Returns the chat and the name in the argument of a button. The id of a chat has no blank. */
export function chatInOffer(argument: string): { readonly chatId: string; readonly name: string } {
  const blank = argument.indexOf(' ');
  return { chatId: argument.slice(0, blank), name: argument.slice(blank + 1) };
}

/** The names that Claude Code has for the newest model of a family: https://code.claude.com/docs/en/model-config */
const FAMILIES: ReadonlySet<string> = new Set(['sonnet', 'opus', 'haiku']);

/** Sorts `4-10` after `4-5`. */
const VERSIONS = new Intl.Collator('en', { numeric: true });

/** Returns the models named `Claude Sonnet 4.5 (copilot)`, `claude-sonnet-4-5` or `sonnet`, the newest first. */
function modelsNamed(name: string, models: readonly Model[]): readonly Model[] {
  const wanted = plain(name);
  const isWanted = ({ label, ref }: Model): boolean => {
    const names = [label, ref.model, modelKey(ref)].map(plain);
    return names.some((each) => (FAMILIES.has(wanted) ? each.includes('claude') && each.includes(wanted) : each === wanted));
  };
  return models.filter(isWanted).sort((a, b) => VERSIONS.compare(b.ref.model, a.ref.model));
}

/** Returns the letters and digits of a name, without a provider in parentheses or a date at the end. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/\s*\([^)]*\)$|-?20\d{6}$/, '')
    .replaceAll(/[^a-z0-9]/g, '');
}
