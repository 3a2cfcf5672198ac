import type { AgentProfiles } from '../../../engine/context/agentProfile.js';
import type { Catalog } from '../../../engine/context/catalogItem.js';
import { catalogType, type CatalogPath } from '../files/catalogPlaces.js';
import { readCatalog, type CatalogReading } from './readCatalog.js';
import { readProfiles } from './readProfiles.js';

/** Reads rules, references, skills and agents. `before`: the catalog of the last reading. Never rejects. */
export async function readContents(
  paths: readonly CatalogPath[],
  reading: CatalogReading,
  before: Catalog,
): Promise<{ readonly catalog: Catalog; readonly profiles: AgentProfiles }> {
  const agents = paths.filter(({ path }) => catalogType(path) === 'agent');
  const items = paths.filter(({ path }) => catalogType(path) !== 'agent');
  return { catalog: await readCatalog(items, reading, before), profiles: await readProfiles(agents, reading) };
}
