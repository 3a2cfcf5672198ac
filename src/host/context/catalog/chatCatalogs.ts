import { isDeepStrictEqual } from 'node:util';
import { catalogOf, type AgentProfile, type AgentProfiles } from '../../../engine/context/agentProfile.js';
import type { Catalog } from '../../../engine/context/catalogItem.js';
import type { ChatConfig } from '../../../engine/chat/settings/config.js';
import { hasServer } from '../../../engine/tools/serverName.js';

type Includes = AgentProfile['includes'];

/** The settings of a chat that its catalog depends on. */
export type CatalogSettings = Pick<ChatConfig, 'agent' | 'workspaceTools'>;

/** The same text for chats with the same catalog. */
export function catalogSettingsKey({ agent, workspaceTools }: CatalogSettings): string {
  return `${workspaceTools} ${agent}`;
}

interface Made {
  readonly from: Catalog;
  readonly profile: AgentProfile | null;
  readonly common: Includes;
  readonly catalog: Catalog;
}

/** The catalog as chats have it, kept until its sources change: it is asked for at each key. */
export class ChatCatalogs {
  readonly #made = new Map<string, Made>();

  /** See `chatCatalog`. */
  of(chat: CatalogSettings, from: Catalog, { profiles, common }: { readonly profiles: AgentProfiles; readonly common: Includes }): Catalog {
    const key = catalogSettingsKey(chat);
    const profile = profiles.get(chat.agent) ?? null;
    const known = this.#made.get(key);
    if (known?.from === from && known.profile === profile && isDeepStrictEqual(known.common, common)) {
      return known.catalog;
    }
    const catalog = chatCatalog(chat, from, { profile, common });
    this.#made.set(key, { from, profile, common, catalog });
    return catalog;
  }
}

/** The catalog without the servers that the chat switches off. The include modes of its agent override those of all chats. */
export function chatCatalog(
  chat: CatalogSettings,
  from: Catalog,
  { profile, common }: { readonly profile: AgentProfile | null; readonly common: Includes },
): Catalog {
  const isOffered = ({ serverName }: { readonly serverName: string | null }): boolean => serverName === null || hasServer(chat, serverName);
  const offered = [...from.values()].every(isOffered) ? from : new Map([...from].filter(([, item]) => isOffered(item)));
  // Two steps: an agent's mode for a server goes over a mode of all chats for one of its tools.
  return catalogOf(catalogOf(offered, common), profile?.includes ?? new Map());
}
