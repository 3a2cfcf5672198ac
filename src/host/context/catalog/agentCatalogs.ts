import { catalogOf, type AgentProfile, type AgentProfiles } from '../../../engine/context/agentProfile.js';
import type { Catalog } from '../../../engine/context/catalogItem.js';

interface Made {
  readonly from: Catalog;
  readonly profile: AgentProfile | null;
  readonly catalog: Catalog;
}

/** The catalog as each agent has it, kept until either changes: it is asked for at each key. */
export class AgentCatalogs {
  readonly #made = new Map<string, Made>();

  /** The same catalog for an agent that is not there. */
  of(agent: string, from: Catalog, profiles: AgentProfiles): Catalog {
    const profile = profiles.get(agent) ?? null;
    const known = this.#made.get(agent);
    if (known?.from === from && known.profile === profile) {
      return known.catalog;
    }
    const catalog = profile === null ? from : catalogOf(from, profile.includes);
    this.#made.set(agent, { from, profile, catalog });
    return catalog;
  }
}
