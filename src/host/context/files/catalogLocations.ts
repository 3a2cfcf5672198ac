import { isAbsolute, normalize } from 'node:path/posix';
import { CATALOG_FOLDERS } from './catalogPlaces.js';

/* VS Code's settings for the folders of prompts, agents and instructions, as the setting of each key. */

/** https://code.visualstudio.com/docs/copilot/reference/copilot-settings. The value is VS Code's own folder. */
export const LOCATION_SETTINGS = {
  'chat.promptFilesLocations': '.github/prompts',
  'chat.instructionsFilesLocations': '.github/instructions',
  'chat.agentFilesLocations': '.github/agents',
  'chat.modeFilesLocations': '.github/chatmodes',
} as const;

export type LocationSetting = keyof typeof LOCATION_SETTINGS;

/** The values that the user or the workspace set. Missing for a setting with its default. */
type LocationValues = Partial<Readonly<Record<LocationSetting, unknown>>>;

export interface CatalogLocations {
  /** Further folders in each workspace folder, each with the usual folder of the same format. */
  readonly folders: readonly { readonly folder: string; readonly as: string }[];
  /** The usual folders that the settings turn off. */
  readonly off: ReadonlySet<string>;
  /** A sentence for each folder that Loupe does not read. */
  readonly problems: readonly string[];
}

/** Reads the settings: for each, an object with folders as keys, and whether VS Code reads them as values. */
export function catalogLocations(values: LocationValues): CatalogLocations {
  const given = Object.entries(LOCATION_SETTINGS).flatMap(([key, as]) =>
    entriesOf(values[key as LocationSetting]).map(([path, isOn]) => ({ key, as, path, isOn, folder: normalize(path).replace(/\/$/, '') })),
  );
  const off = given.filter(({ folder, as, isOn }) => !isOn && folder === as).map(({ folder }) => folder);
  const others = given.filter(({ folder, isOn }) => isOn && !CATALOG_FOLDERS.includes(folder));
  return {
    folders: others.filter(({ folder }) => isFolder(folder)).map(({ folder, as }) => ({ folder, as })),
    off: new Set(off),
    problems: others
      .filter(({ folder }) => !isFolder(folder))
      .map(
        ({ key, path }) =>
          `Loupe does not read ${path} of the setting ${key}. Loupe reads only folders of the workspace, without patterns.`,
      ),
  };
}

/** Returns the entries with a boolean. Like VS Code, ignores all other values. */
function entriesOf(value: unknown): readonly (readonly [path: string, isOn: boolean])[] {
  const given: readonly (readonly [string, unknown])[] = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return given.flatMap(([path, isOn]) => (path.trim() !== '' && typeof isOn === 'boolean' ? [[path.trim(), isOn]] : []));
}

/** Whether a normalized path is that of a folder inside the workspace folder. */
function isFolder(path: string): boolean {
  return !isAbsolute(path) && !/^(?:\.{1,2}(?:\/|$)|~|[A-Za-z]:)/.test(path) && !/[*?[{\\]/.test(path);
}
