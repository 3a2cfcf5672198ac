import type { ChatConfig } from '../chat/settings/config.js';
import type { Block } from '../model/block.js';
import type { FolderMap } from './repositoryMap.js';

/** A piece of the repository map as a request sends it. The first piece of each part is its heading. */
export interface RepositoryPiece {
  /** The key of the block: `repository:tree`, `repository:map` or `repository:map/src/engine/`. */
  readonly key: string;
  readonly text: string;
}

/** The repository map of a request. A part without pieces is not sent. */
export interface RepositoryTexts {
  readonly tree: readonly RepositoryPiece[];
  readonly map: readonly RepositoryPiece[];
}

export type RepositoryPart = keyof RepositoryTexts;

export const NO_REPOSITORY: RepositoryTexts = { tree: [], map: [] };

type RepositoryConfig = Pick<ChatConfig, 'repositoryMap' | 'repositoryTokens' | 'repositoryWithout'>;

/** Share of the tokens of the map that the file tree may have. */
const TREE_SHARE = 1 / 3;

/** What a chat's settings say about the map. */
export interface RepositoryWishes {
  /** The headings of the wanted parts. They name all settings, so a new heading means a new map. */
  readonly headings: Readonly<Record<RepositoryPart, RepositoryPiece | null>>;
  /** Maximum number of tokens of each part. */
  readonly most: Readonly<Record<RepositoryPart, number>>;
  /** The folders that the map omits: workspace paths with a slash at the end. */
  readonly without: readonly string[];
}

/** Returns the wishes for a chat's map. Null if the user has switched off the map. */
export function repositoryWishes({ repositoryMap, repositoryTokens, repositoryWithout }: RepositoryConfig): RepositoryWishes | null {
  if (repositoryMap === 'off') {
    return null;
  }
  const without = foldersIn(repositoryWithout);
  const omits = without.length === 0 ? '' : ` Without: ${without.join(', ')}`;
  const tree = repositoryMap === 'tree' ? repositoryTokens : Math.floor(repositoryTokens * TREE_SHARE);
  const map = repositoryTokens - tree;
  return {
    headings: {
      tree: {
        key: 'repository:tree',
        text: `# Repository Files\n\nThe files of the workspace, in at most ${String(tree)} tokens. A folder with a number is not shown in full.${omits}`,
      },
      map:
        repositoryMap === 'tree'
          ? null
          : {
              key: 'repository:map',
              text:
                '# Repository Structure\n\n' +
                `The most used definitions of the workspace, in at most ${String(map)} tokens. Read a file before you rely on its details.${omits}`,
            },
    },
    most: { tree, map },
    without,
  };
}

/** Returns the folders that a setting names, one in each line, with a slash at the end. */
export function foldersIn(setting: string): readonly string[] {
  const names = setting.split('\n').map((line) => line.trim().replace(/^\.?\//, ''));
  return [...new Set(names.filter((name) => name !== '').map((name) => (name.endsWith('/') ? name : `${name}/`)))];
}

/** Returns the pieces of the file tree. */
export function treePieces({ headings: { tree } }: RepositoryWishes, text: string): readonly RepositoryPiece[] {
  return tree === null ? [] : [tree, { key: `${tree.key}/files`, text }];
}

/** Returns the pieces of the definitions: one for each folder, so that a changed file changes one piece. */
export function mapPieces({ headings: { map } }: RepositoryWishes, folders: readonly FolderMap[]): readonly RepositoryPiece[] {
  return map === null || folders.length === 0 ? [] : [map, ...folders.map(({ folder, text }) => ({ key: `${map.key}/${folder}`, text }))];
}

/** Returns the folder of a block of definitions, such as `src/engine/`. Null for the key of another block. */
export function mappedFolder(key: string): string | null {
  return /^repository:map\/(.+)$/.exec(key)?.[1] ?? null;
}

/** Returns the part that a block key belongs to. Null for a key of other blocks. */
export function repositoryPart(key: string): RepositoryPart | null {
  const [, part] = /^repository:(tree|map)(?:\/|$)/.exec(key) ?? [];
  return part === 'tree' || part === 'map' ? part : null;
}

type SentBlock = Pick<Block, 'key' | 'category' | 'role'> & { readonly part: Block['part'] | null };

/** Returns the repository map in the blocks of a request. A part whose text cannot be read has no pieces. */
export function repositoryIn(blocks: readonly SentBlock[]): RepositoryTexts {
  const found: Record<RepositoryPart, RepositoryPiece[]> = { tree: [], map: [] };
  const damaged = new Set<RepositoryPart>();
  for (const { key, category, role, part: content } of blocks) {
    const part = category === 'repository' && role !== 'assistant' ? repositoryPart(key) : null;
    if (part !== null && content?.type === 'text') {
      // In the system prompt, empty lines separate a piece from the text before it.
      found[part].push({ key, text: content.text.trimStart() });
    } else if (part !== null) {
      damaged.add(part);
    }
  }
  return { tree: damaged.has('tree') ? [] : found.tree, map: damaged.has('map') ? [] : found.map };
}
