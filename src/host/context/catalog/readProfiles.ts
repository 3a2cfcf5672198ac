import { basename } from 'node:path/posix';
import type { AgentProfile, AgentProfiles } from '../../../engine/context/agentProfile.js';
import { remarksOn } from '../../../engine/context/catalogItem.js';
import type { FileRead } from '../../../engine/context/fileContents.js';
import { refused } from '../files/refusal.js';
import { frontMatter, frontMatterRemarks, textIn, type FrontMatter } from './reading/frontMatter.js';
import { agentTools } from './agentTools.js';
import { profileIncludes } from './profileIncludes.js';
import { readingFailed, type CatalogReading } from './readCatalog.js';
import { catalogFormat, type CatalogPath } from '../files/catalogPlaces.js';
import { isUserPath } from '../files/userFiles.js';

/** Reads agent profiles. A second profile with the same name gets its path as name. Never rejects. */
export async function readProfiles(paths: readonly CatalogPath[], reading: Omit<CatalogReading, 'isOff'>): Promise<AgentProfiles> {
  const profiles = new Map<string, AgentProfile>();
  for (const { source } of paths.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const profile = await readOrNone(source, reading);
    const name = profiles.has(profile.name) ? source : profile.name;
    profiles.set(name, { ...profile, name });
  }
  return profiles;
}

/** Agents of Claude Code and of the user come later, so that they do not take the names of other agents. */
function rankOf({ path, source }: CatalogPath): number {
  return isUserPath(source) ? 2 : catalogFormat(path) === 'claudeAgent' ? 1 : 0;
}

/** Reads a profile. After a failure, returns an empty agent with the problem. */
async function readOrNone(source: string, { read, logError }: Omit<CatalogReading, 'isOff'>): Promise<AgentProfile> {
  try {
    return profileOf(source, await read(source));
  } catch (thrown) {
    const problem = readingFailed(source, thrown, logError);
    return profileOf(source, refused(source, problem));
  }
}

/**
 * Reads an agent of VS Code (https://code.visualstudio.com/docs/copilot/customization/custom-agents), Claude Code
 * (https://code.claude.com/docs/en/sub-agents) or Loupe. Each can have include modes and chat settings of Loupe.
 */
function profileOf(source: string, file: FileRead): AgentProfile {
  const read = frontMatter(file.ok ? file.content : '');
  const { values, body } = read;
  const name = textIn(values, 'name') ?? basename(source).replace(/(?:\.agent|\.chatmode)?\.md$/, '');
  const description = textIn(values, 'description') ?? '';
  const defaults = values.get('defaults');
  const { includes, remarks } = profileIncludes(values, source);
  const tools = agentTools(values, source);
  return {
    ...{ name, source, description, prompt: body, problem: file.ok ? null : file.problem },
    ...{ includes, limit: tools.limit, models: modelsIn(values) },
    remarks: [...frontMatterRemarks(source, read), ...remarksOn(source, [...remarks, ...tools.remarks])],
    defaults: defaults !== null && typeof defaults === 'object' ? { ...defaults } : {},
  };
}

/** Returns the models that a file names, best first. `inherit` means the model of the chat. */
export function modelsIn(values: FrontMatter['values']): readonly string[] {
  const value = values.get('model');
  return [value].flat().filter((name): name is string => typeof name === 'string' && name.trim() !== '' && name !== 'inherit');
}
