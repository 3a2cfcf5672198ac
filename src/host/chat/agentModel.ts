import type { ChatState } from '../../engine/chat/state.js';
import type { AgentProfile } from '../../engine/context/agentProfile.js';
import type { Model } from '../../engine/model/model.js';
import { isSameRef, modelKey } from '../../engine/model/modelRef.js';
import { compareNaturally } from '../context/files/fileNames.js';
import type { BannerAction } from '../../protocol/panel/view.js';
import { type Banners, CHOOSE_MODEL, DISMISS } from '../window/banners.js';

/* Offers the model for which an agent is written. The model changes the price, so that only the user chooses it. */

interface ModelOffer {
  readonly chat: Pick<ChatState, 'chatId' | 'config'>;
  readonly profile: Pick<AgentProfile, 'name' | 'models'> | null;
  readonly models: readonly Model[];
  readonly banners: Pick<Banners, 'show' | 'hide'>;
}

/** Id of the banner with the model of the agent that the user has selected. */
const AGENT_MODEL = 'agentModel';

/** Shows a banner with the agent's model, unless the chat has this model or the agent names none. */
export function offerModel({ chat: { chatId, config }, profile, models, banners }: ModelOffer): void {
  banners.hide(AGENT_MODEL);
  if (profile === null || profile.models.length === 0) {
    return;
  }
  const wanted = profile.models.map((name) => modelsNamed(name, models)).find((found) => found.length > 0) ?? [];
  if (wanted.some(({ ref }) => isSameRef(ref, config.model))) {
    return;
  }
  const best = wanted.find(({ ref }) => ref.provider === config.model.provider) ?? wanted[0];
  const names = `The agent ${profile.name} names the model ${profile.models.join(', ')}`;
  const [text, action]: readonly [string, BannerAction] =
    best === undefined
      ? [`${names}, which Loupe does not have.`, CHOOSE_MODEL]
      : [
          `${names}. Loupe has ${best.label} (${best.ref.provider}).`,
          { label: 'Use this model', action: 'useModel', argument: `${chatId} ${modelKey(best.ref)}` },
        ];
  banners.show({ id: AGENT_MODEL, severity: 'info', text, actions: [action, DISMISS] });
}

/** Returns the chat and the key of the model in the argument of the button. The id of a chat has no blank. */
export function modelOffer(argument: string): { readonly chatId: string; readonly key: string } {
  const blank = argument.indexOf(' ');
  return { chatId: argument.slice(0, blank), key: argument.slice(blank + 1) };
}

/** The names that Claude Code has for the newest model of a family: https://code.claude.com/docs/en/model-config */
const FAMILIES: ReadonlySet<string> = new Set(['sonnet', 'opus', 'haiku']);

/** Returns the models named `Claude Sonnet 4.5 (copilot)`, `claude-sonnet-4-5` or `sonnet`, the newest first. */
function modelsNamed(name: string, models: readonly Model[]): readonly Model[] {
  const wanted = plain(name);
  const isWanted = ({ label, ref }: Model): boolean => {
    const names = [label, ref.model, modelKey(ref)].map(plain);
    return names.some((each) => (FAMILIES.has(wanted) ? each.includes('claude') && each.includes(wanted) : each === wanted));
  };
  return models.filter(isWanted).sort((a, b) => compareNaturally(b.ref.model, a.ref.model));
}

/** Returns the letters and digits of a name, without a provider in parentheses or a date at the end. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/\s*\([^)]*\)$|-?20\d{6}$/, '')
    .replaceAll(/[^a-z0-9]/g, '');
}
