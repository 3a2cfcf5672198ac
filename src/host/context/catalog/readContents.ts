import type { AgentProfiles } from '../../../engine/context/agentProfile.js';
import type { Catalog } from '../../../engine/context/catalogItem.js';
import { isAgentPath, type CatalogPath } from '../files/catalogPlaces.js';
import { readCatalog, type CatalogReading } from './readCatalog.js';
import { readProfiles } from './readProfiles.js';

/** Reads rules, references, skills and agents. `before`: the catalog of the last reading. Never rejects. */
export async function readContents(
  paths: readonly CatalogPath[],
  reading: CatalogReading,
  before: Catalog,
): Promise<{ readonly catalog: Catalog; readonly profiles: AgentProfiles }> {
  const [agents, others] = [paths.filter(({ path }) => isAgentPath(path)), paths.filter(({ path }) => !isAgentPath(path))];
  return { catalog: await readCatalog(others, reading, before), profiles: await readProfiles(agents, reading) };
}
