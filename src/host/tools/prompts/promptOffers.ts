import type { ChatState } from '../../../engine/chat/state.js';
import type { BannerAction } from '../../../protocol/panel/view.js';
import type { CatalogSource } from '../../context/catalog/workspaceCatalog.js';
import { modelOffer } from '../../models/modelOffer.js';
import type { ModelRegistry } from '../../models/registry.js';
import type { PromptText } from './filePrompt.js';

interface PromptOfferPorts {
  readonly catalog: Pick<CatalogSource, 'profiles'>;
  readonly models: Pick<ModelRegistry, 'list' | 'ready'>;
}

/** A sentence about what a prompt names, with a button if Loupe can apply it. */
interface PromptOffer {
  readonly text: string;
  readonly action: BannerAction | null;
}

/** Offers the agent and the model that a prompt names, unless the chat has them. Loupe does not select them itself. */
export async function promptOffers(
  { name, names: { agent, models: names } }: Pick<PromptText, 'name' | 'names'>,
  chat: Pick<ChatState, 'chatId' | 'config'>,
  { catalog, models }: PromptOfferPorts,
): Promise<readonly PromptOffer[]> {
  const offers: PromptOffer[] = [];
  if (agent !== null && agent !== chat.config.agent) {
    const isKnown = (await catalog.profiles()).has(agent);
    const text = `The prompt ${name} names the agent ${agent}${isKnown ? '' : ', which Loupe does not have'}.`;
    offers.push({ text, action: isKnown ? { label: 'Use this agent', action: 'useAgent', argument: `${chat.chatId} ${agent}` } : null });
  }
  if (names.length > 0) {
    await models.ready();
    const offer = modelOffer({ subject: `The prompt ${name}`, names, chat, models: models.list() });
    offers.push(...(offer === null ? [] : [offer]));
  }
  return offers;
}
