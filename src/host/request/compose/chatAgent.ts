import type { ChatConfig } from '../../../engine/chat/settings/config.js';
import { type AgentProfile, unknownItems } from '../../../engine/context/agentProfile.js';
import type { Catalog, Remark } from '../../../engine/context/catalogItem.js';
import type { CatalogSource } from '../../context/catalog/workspaceCatalog.js';

/** The agent of a chat. `missing` is its name when its profile is missing or unreadable; `name` is null then. */
interface ChatAgent {
  readonly profile: AgentProfile | null;
  readonly name: string | null;
  readonly missing: string | null;
}

export async function chatAgent({ agent }: Pick<ChatConfig, 'agent'>, catalog: Pick<CatalogSource, 'profiles'>): Promise<ChatAgent> {
  const profile = agent === '' ? null : ((await catalog.profiles()).get(agent) ?? null);
  const isMissing = agent !== '' && (profile === null || profile.problem !== null);
  return { profile, name: isMissing || agent === '' ? null : agent, missing: isMissing ? agent : null };
}

/** Returns what is wrong with the profile of a chat's agent, for the user. */
export function agentRemarks(profile: AgentProfile | null, catalog: Catalog): readonly Remark[] {
  return profile === null ? [] : [...profile.remarks, ...unknownItems(profile, catalog)];
}
