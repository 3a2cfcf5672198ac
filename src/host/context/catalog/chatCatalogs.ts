import {
  catalogOf,
  chosenByAgent,
  type AgentProfile,
  type AgentProfiles,
  type ChosenIncludes,
} from '../../../engine/context/agentProfile.js';
import type { Catalog } from '../../../engine/context/catalogItem.js';
import { limitedCatalog } from '../../../engine/context/toolLimit.js';
import { isSame } from '../../../engine/same.js';
import type { ChatConfig } from '../../../engine/chat/settings/config.js';
import { hasServer } from '../../../engine/tools/serverName.js';

export type CatalogSettings = Pick<ChatConfig, 'agent' | 'workspaceTools'>;

/** Returns the cache key of a chat's catalog. Chats with equal catalogs have equal keys. */
export function catalogSettingsKey({ agent, workspaceTools }: CatalogSettings): string {
  return `${workspaceTools} ${agent}`;
}

interface CachedCatalog {
  readonly from: Catalog;
  readonly profile: AgentProfile | null;
  readonly common: ChosenIncludes;
  readonly catalog: Catalog;
}

/** Caches the catalogs of chats, because each key press needs a catalog. A change of the sources discards the cache. */
export class ChatCatalogs {
  readonly #made = new Map<string, CachedCatalog>();

  of(
    chat: CatalogSettings,
    from: Catalog,
    { profiles, common }: { readonly profiles: AgentProfiles; readonly common: ChosenIncludes },
  ): Catalog {
    const key = catalogSettingsKey(chat);
    const profile = profiles.get(chat.agent) ?? null;
    const known = this.#made.get(key);
    if (known?.from === from && known.profile === profile && isSame(known.common, common)) {
      return known.catalog;
    }
    const catalog = chatCatalog(chat, from, { profile, common });
    this.#made.set(key, { from, profile, common, catalog });
    return catalog;
  }
}

/** Returns the catalog without servers that the user turned off. The agent's modes replace the common modes. */
export function chatCatalog(
  chat: CatalogSettings,
  from: Catalog,
  { profile, common }: { readonly profile: AgentProfile | null; readonly common: ChosenIncludes },
): Catalog {
  const isOffered = ({ serverName }: { readonly serverName: string | null }): boolean => serverName === null || hasServer(chat, serverName);
  const offered = [...from.values()].every(isOffered) ? from : new Map([...from].filter(([, item]) => isOffered(item)));
  // Applies the common modes first, so that an agent's mode for a server replaces the common modes of its tools.
  return limitedCatalog(catalogOf(catalogOf(offered, common), chosenByAgent(profile?.includes ?? new Map())), profile?.limit ?? null);
}
