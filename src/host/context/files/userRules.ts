import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, parse, sep } from 'node:path';
import { normalize } from 'node:path/posix';
import { remarksOn, type Remark } from '../../../engine/context/catalogItem.js';
import type { FileRead } from '../../../engine/context/fileContents.js';
import { isCatalogPath, type CatalogPath } from './catalogPlaces.js';
import { readTextFile, type EditorEncodings } from './readFile.js';
import { fileVersion } from './realPath.js';
import { errorCode, refused, systemRefusal } from './refusal.js';
import { isInside } from './roots.js';
import type { WorkspaceFiles } from './workspaceFiles.js';

/* The rules that the user has for all workspaces, in the home folder. Their paths begin with `~/`. */

interface UserPlaces {
  /** A folder in the home folder. */
  readonly base: string;
  /** Files in the folder, each with the path of a workspace file of the same format. */
  readonly files: readonly (readonly [name: string, as: string])[];
  /** Folders with rules, as `files`. */
  readonly folders: readonly (readonly [name: string, as: string])[];
}

export const USER_RULES = {
  // https://code.claude.com/docs/en/memory
  claude: { base: '.claude', files: [['CLAUDE.md', 'CLAUDE.md']], folders: [['rules', '.claude/rules']] },
  // https://developers.openai.com/codex/guides/agents-md
  codex: { base: '.codex', files: ['AGENTS.md', 'AGENTS.override.md'].map((name) => [name, name] as const), folders: [] },
  // https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-custom-instructions
  copilot: {
    base: '.copilot',
    files: [['copilot-instructions.md', '.github/copilot-instructions.md']],
    folders: [['instructions', '.github/instructions']],
  },
  // https://docs.cline.bot/customization/cline-rules
  agents: { base: '.agents', files: [['AGENTS.md', 'AGENTS.md']], folders: [] },
  // https://geminicli.com/docs/cli/gemini-md
  gemini: { base: '.gemini', files: [['GEMINI.md', 'GEMINI.md']], folders: [] },
} as const satisfies Readonly<Record<string, UserPlaces>>;

export type UserFamily = keyof typeof USER_RULES;

export const USER_FAMILY_NAMES = Object.keys(USER_RULES) as readonly UserFamily[];

const HOME = '~/';

export function isUserPath(path: string): boolean {
  return path.startsWith(HOME);
}

function userPlace(home: string, path: string): string {
  return join(home, path.slice(HOME.length));
}

/** Returns the place on disk of a workspace path or of a rule of the user. Null outside the workspace. */
export async function diskPathOf(path: string, files: Pick<WorkspaceFiles, 'diskPath'>): Promise<string | null> {
  return isUserPath(path) ? userPlace(homedir(), path) : files.diskPath(path);
}

/** Lists and reads the rules of the user. Opens only Markdown files in the folders of the used programs. */
export class UserRules {
  readonly families: ReadonlySet<UserFamily>;
  readonly #home: string;
  readonly #encodings: EditorEncodings;

  constructor(home: string, families: ReadonlySet<UserFamily>, encodings: EditorEncodings) {
    this.#home = home;
    this.families = families;
    this.#encodings = encodings;
  }

  /** Returns the rules that exist. Never rejects. */
  async list(): Promise<{ readonly paths: readonly CatalogPath[]; readonly remarks: readonly Remark[] }> {
    const remarks: Remark[] = [];
    const found = await Promise.all(
      this.#places().flatMap(({ base, files, folders }) => [
        ...files.map(([name, as]) => this.#file(`${HOME}${base}/${name}`, as)),
        ...folders.map(async ([name, as]) => {
          const folder = `${HOME}${base}/${name}`;
          const names = await this.#namesIn(folder, remarks);
          const inFolder = names.filter((each) => isCatalogPath(`${as}/${each}`));
          return (await Promise.all(inFolder.map((each) => this.#file(`${folder}/${each}`, `${as}/${each}`)))).flat();
        }),
      ]),
    );
    return { paths: found.flat(), remarks };
  }

  #places(): readonly UserPlaces[] {
    return USER_FAMILY_NAMES.filter((name) => this.families.has(name)).map((name) => USER_RULES[name]);
  }

  async #file(source: string, path: string): Promise<readonly CatalogPath[]> {
    const place = userPlace(this.#home, source);
    // Reading a broken link later reports the problem. A file that does not exist is no rule.
    return (await fileVersion(place)) === null ? [] : [{ source, path, file: await realpath(place).catch(() => place) }];
  }

  async #namesIn(folder: string, remarks: Remark[]): Promise<readonly string[]> {
    try {
      const names = await readdir(userPlace(this.#home, folder), { recursive: true });
      return names.map((name) => name.split(sep).join('/')).toSorted();
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error))) {
        remarks.push(...remarksOn(folder, [systemRefusal(folder, error).reason]));
      }
      return [];
    }
  }

  /** Returns the text of a file, otherwise the reason. Follows links, because only the user can make links there. */
  async read(path: string): Promise<FileRead> {
    if (!this.#isOpen(path)) {
      return refused(path, { code: 'invalidPath', text: `${path} is not in a folder of your rule files.` });
    }
    const [place, onStage] = [userPlace(this.#home, path), () => Promise.resolve()];
    return readTextFile({ place, path, folders: [parse(this.#home).root], encodings: this.#encodings, onStage });
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
