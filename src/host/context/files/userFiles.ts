import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, parse, sep } from 'node:path';
import { normalize } from 'node:path/posix';
import type { Remark } from '../../../engine/context/catalogItem.js';
import type { FileRead } from '../../../engine/context/fileContents.js';
import { filesIn } from './catalogListing.js';
import type { CatalogPath } from './catalogPlaces.js';
import { readTextFile, type EditorEncodings } from './readFile.js';
import { fileVersion, resolvedPlace } from './realPath.js';
import { refused } from './refusal.js';
import { isInside, workspacePath } from './roots.js';
import type { WorkspaceFiles } from './workspaceFiles.js';

/* The rules, skills and agents of the user for all workspaces, in the home folder. Their paths begin with `~/`. */

interface UserPlaces {
  /** A folder in the home folder. */
  readonly base: string;
  /** Files in the folder, each with the path of a workspace file of the same format. */
  readonly files: readonly (readonly [name: string, as: string])[];
  /** Folders with files, each with the path of a workspace folder with files of the same format. */
  readonly folders: readonly (readonly [name: string, as: string])[];
}

export const USER_PLACES = {
  // https://code.claude.com/docs/en/memory, /skills and /sub-agents
  claude: {
    base: '.claude',
    files: [['CLAUDE.md', 'CLAUDE.md']],
    folders: ['rules', 'skills', 'agents'].map((name) => [name, `.claude/${name}`] as const),
  },
  // https://developers.openai.com/codex/guides/agents-md. The agents of Codex are TOML files for models of their own.
  codex: {
    base: '.codex',
    files: ['AGENTS.md', 'AGENTS.override.md'].map((name) => [name, name] as const),
    folders: [['skills', '.codex/skills']],
  },
  // https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot
  copilot: {
    base: '.copilot',
    files: [['copilot-instructions.md', '.github/copilot-instructions.md']],
    folders: ['instructions', 'skills', 'agents'].map((name) => [name, `.github/${name}`] as const),
  },
  // https://docs.cline.bot/customization/cline-rules, https://developers.openai.com/codex/skills
  agents: { base: '.agents', files: [['AGENTS.md', 'AGENTS.md']], folders: [['skills', '.agents/skills']] },
  // https://geminicli.com/docs/cli/gemini-md, /cli/skills and /core/subagents
  gemini: {
    base: '.gemini',
    files: [['GEMINI.md', 'GEMINI.md']],
    folders: ['skills', 'agents'].map((name) => [name, `.gemini/${name}`] as const),
  },
} as const satisfies Readonly<Record<string, UserPlaces>>;

export type UserFamily = keyof typeof USER_PLACES;

export const USER_FAMILY_NAMES = Object.keys(USER_PLACES) as readonly UserFamily[];

const HOME = '~/';

export function isUserPath(path: string): boolean {
  return path.startsWith(HOME);
}

function userPlace(home: string, path: string): string {
  return join(home, path.slice(HOME.length));
}

/** Returns the place on disk of a workspace path or of a file of the user. Null outside the workspace. */
export async function diskPathOf(path: string, files: Pick<WorkspaceFiles, 'diskPath'>): Promise<string | null> {
  return isUserPath(path) ? userPlace(homedir(), path) : files.diskPath(path);
}

/**
 * Lists and reads the files of the user in the folders of the used programs. Opens only Markdown files there, and the
 * other files of a skill.
 */
export class UserFiles {
  readonly families: ReadonlySet<UserFamily>;
  readonly #home: string;
  /** Links in the folders of the user may lead anywhere, because only the user can make links there. */
  readonly #anyFolder: readonly string[];
  readonly #encodings: EditorEncodings;

  constructor(home: string, families: ReadonlySet<UserFamily>, encodings: EditorEncodings) {
    this.#home = home;
    this.#anyFolder = [parse(home).root];
    this.families = families;
    this.#encodings = encodings;
  }

  /** Returns the files that exist. Never rejects. */
  async list(): Promise<{ readonly paths: readonly CatalogPath[]; readonly remarks: readonly Remark[] }> {
    const remarks: Remark[] = [];
    const found = await Promise.all(
      this.#places().flatMap(({ base, files, folders }) => [
        ...files.map(([name, as]) => this.#file(`${HOME}${base}/${name}`, as)),
        ...folders.map(async ([name, as]) => {
          const folder = `${base}/${name}`;
          const formatPath = (path: string): string => as + path.slice(folder.length);
          const listed = await filesIn({ folder: this.#home, prefix: HOME, realFolders: this.#anyFolder, formatPath }, folder, []);
          remarks.push(...listed.remarks);
          const inFolder = await Promise.all(listed.paths.toSorted().map((path) => this.#file(HOME + path, formatPath(path))));
          return inFolder.flat();
        }),
      ]),
    );
    return { paths: found.flat(), remarks };
  }

  #places(): readonly UserPlaces[] {
    return USER_FAMILY_NAMES.filter((name) => this.families.has(name)).map((name) => USER_PLACES[name]);
  }

  async #file(source: string, path: string): Promise<readonly CatalogPath[]> {
    const place = userPlace(this.#home, source);
    // Reading a broken link later reports the problem. A file that does not exist is no rule.
    return (await fileVersion(place)) === null ? [] : [{ source, path, prefix: '', file: await realpath(place).catch(() => place) }];
  }

  /** Returns the text of a file, otherwise the reason. */
  async read(path: string): Promise<FileRead> {
    if (!this.#isOpen(path)) {
      return refused(path, { code: 'invalidPath', text: `${path} is not in a folder of your rule files.` });
    }
    return this.#read(path, this.#anyFolder);
  }

  /** Returns the text of a file in a folder. Refuses a link that leads out of the folder. */
  async readIn(folder: string, path: string): Promise<FileRead> {
    const read = await this.#read(path, [userPlace(this.#home, folder)]);
    return !read.ok && read.problem.code === 'leadsOut' ? { ...read, reason: `${path} links to a place outside ${folder}.` } : read;
  }

  async #read(path: string, folders: readonly string[]): Promise<FileRead> {
    const [place, onStage] = [userPlace(this.#home, path), () => Promise.resolve()];
    return readTextFile({ place, path, folders, encodings: this.#encodings, onStage });
  }

  /** Returns the path of a file in a folder, with resolved links below the folder. `path` if a link leads out of it. */
  async resolvedIn(folder: string, path: string): Promise<string> {
    const root = await resolvedPlace(userPlace(this.#home, folder));
    return workspacePath([{ folder: root, prefix: `${folder}/` }], await resolvedPlace(userPlace(this.#home, path))) ?? path;
  }

  async version(path: string): Promise<string | null> {
    return this.#isOpen(path) ? fileVersion(userPlace(this.#home, path)) : null;
  }

  /** Returns the path of an absolute path, if Loupe can read the file. */
  relative(place: string): string | null {
    const path = isInside(this.#home, place)
      ? HOME +
        place
          .slice(this.#home.length + 1)
          .split(sep)
          .join('/')
      : null;
    return path !== null && this.#isOpen(path) ? path : null;
  }

  #isOpen(path: string): boolean {
    return path === normalize(path) && path.endsWith('.md') && this.#places().some(({ base }) => path.startsWith(`${HOME}${base}/`));
  }
}
