import type { ChatConfig } from '../../../engine/chat/settings/config.js';
import { type AgentProfile, unknownItems } from '../../../engine/context/agentProfile.js';
import type { Catalog, Remark } from '../../../engine/context/catalogItem.js';
import type { CatalogSource } from '../../context/catalog/workspaceCatalog.js';

/** The agent of a chat. If its profile is missing or unreadable, `name` is null and `missing` is the agent's name. */
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

/** Returns the problems in the profile of the chat's agent, as remarks for the user. */
export function agentRemarks(profile: AgentProfile | null, catalog: Catalog): readonly Remark[] {
  return profile === null ? [] : [...profile.remarks, ...unknownItems(profile, catalog)];
}
