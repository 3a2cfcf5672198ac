import { isDeepStrictEqual } from 'node:util';
import { catalogOf, type AgentProfile, type AgentProfiles } from '../../../engine/context/agentProfile.js';
import type { Catalog } from '../../../engine/context/catalogItem.js';

type Includes = AgentProfile['includes'];

interface Made {
  readonly from: Catalog;
  readonly profile: AgentProfile | null;
  readonly common: Includes;
  readonly catalog: Catalog;
}

/** The catalog as each agent has it, kept until its sources change: it is asked for at each key. */
export class AgentCatalogs {
  readonly #made = new Map<string, Made>();

  /** With the include modes of all chats, and those of the agent over them; an agent that is not there has none. */
  of(agent: string, from: Catalog, { profiles, common }: { readonly profiles: AgentProfiles; readonly common: Includes }): Catalog {
    const profile = profiles.get(agent) ?? null;
    const known = this.#made.get(agent);
    if (known?.from === from && known.profile === profile && isDeepStrictEqual(known.common, common)) {
      return known.catalog;
    }
    // Two steps: an agent's mode for a server goes over a mode of all chats for one of its tools.
    const catalog = catalogOf(catalogOf(from, common), profile?.includes ?? new Map());
    this.#made.set(agent, { from, profile, common, catalog });
    return catalog;
  }
}
