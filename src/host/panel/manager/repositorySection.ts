import { itemKey, shownName } from '../../../engine/record/item.js';
import { foldersIn, mappedFolder } from '../../../engine/repository/repositoryTexts.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import type { ManagedSections, ManagerRow, ManagerSection } from '../../../protocol/panel/manager.js';
import { notSelectedText } from '../../request/excluded/notSelectedItems.js';
import { isMatch, type ManagedContext, searchedIn } from './managed.js';

/** Returns the rows of the repository map: its two parts, then the folders with definitions, then omitted folders. */
export function repositorySection(managed: ManagedContext, sections: ManagedSections): ManagerSection {
  const parts = [partRow('tree', managed), partRow('map', managed)];
  const searched = searchedIn(sections);
  const isOpen = searched !== '' || sections.open.includes('repository');
  const rows = isOpen ? [...parts, ...folderRows(managed)].filter(({ name }) => isMatch([name], searched)) : [];
  const held = parts.filter(({ state, note }) => state === 'in' && note === null).length;
  return { type: 'repository', held, total: parts.length, tokens: sumTokens(mapBlocks(managed)), rows, more: 0 };
}

function partRow(name: 'tree' | 'map', managed: ManagedContext): ManagerRow {
  const { composed, state } = managed;
  const item = { type: 'repository', name, includeMode: 'always' } as const;
  const key = itemKey(item);
  const isWanted = state.config.repositoryMap === 'map' || state.config.repositoryMap === name;
  const leftOut = composed.records.find((record) => itemKey(record.item) === key)?.leftOut ?? null;
  // The heading of the definitions has no key.
  const own = mapBlocks(managed).filter(({ file }) => (file === 'repository:tree') === (name === 'tree'));
  return {
    ...plainRow(key, shownName(item)),
    state: isWanted ? 'in' : 'out',
    tokens: isWanted && leftOut === null && own.length > 0 ? sumTokens(own) : null,
    note: leftOut === null ? null : notSelectedText(item, leftOut),
  };
}

function folderRows(managed: ManagedContext): readonly ManagerRow[] {
  const { config } = managed.state;
  const omitted = config.repositoryMap === 'off' ? [] : foldersIn(config.repositoryWithout);
  const held = mapBlocks(managed).flatMap(({ file, tokens }): ManagerRow[] => {
    const folder = file === null ? null : mappedFolder(file);
    // The rows of the last composed request can still have a folder that the user just omitted.
    const isShown = folder !== null && !omitted.some((each) => folder.startsWith(each));
    return file === null || !isShown ? [] : [{ ...plainRow(file, folder), state: 'in', tokens }];
  });
  return [...held, ...omitted.map((folder) => plainRow(`repository:map/${folder}`, folder))];
}

function mapBlocks({ rows }: ManagedContext): ManagedContext['rows']['blocks'] {
  return rows.blocks.filter(({ category }) => category === 'repository');
}

function plainRow(key: string, name: string): ManagerRow {
  return {
    ...{ key, name, source: null, state: 'out', off: null, includeMode: null, score: null },
    ...{ tokens: null, note: null, place: null, lastUse: null, isForFiles: false, isUnused: false },
  };
}
