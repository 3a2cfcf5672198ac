import type { AgentProfiles } from '../../../engine/context/agentProfile.js';
import type { Catalog } from '../../../engine/context/catalogItem.js';
import { catalogType, type CatalogPath } from '../files/catalogPlaces.js';
import { withModeRules } from './modeRules.js';
import { readCatalog, type CatalogReading } from './readCatalog.js';
import { readProfiles } from './readProfiles.js';
import { readPrompts, type WorkspacePrompts } from './readPrompts.js';

/** Reads rules, references, skills, agents and prompts. `before`: the catalog of the last reading. Never rejects. */
export async function readContents(
  paths: readonly CatalogPath[],
  reading: CatalogReading,
  before: Catalog,
): Promise<{ readonly catalog: Catalog; readonly profiles: AgentProfiles; readonly prompts: WorkspacePrompts }> {
  const agents = paths.filter(({ path }) => catalogType(path) === 'agent');
  const prompts = paths.filter(({ path }) => catalogType(path) === 'prompt');
  const items = paths.filter((path) => !agents.includes(path) && !prompts.includes(path));
  const skills = items.filter(({ path }) => catalogType(path) === 'skill');
  const catalog = await readCatalog(items, reading, before);
  return {
    catalog,
    profiles: withModeRules(await readProfiles(agents, reading), catalog),
    prompts: await readPrompts([...prompts, ...skills], reading),
  };
}
