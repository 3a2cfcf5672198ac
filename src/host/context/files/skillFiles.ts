import { dirname, normalize } from 'node:path/posix';
import type { Catalog } from '../../../engine/context/catalogItem.js';
import type { FileReader } from '../../../engine/context/fileContents.js';
import { isUserPath, type UserFiles } from './userFiles.js';

interface SkillFilesPorts {
  readonly catalog: () => Promise<Catalog>;
  readonly user: () => UserFiles;
}

/** Lets tools of a model read the files of the user's skills, which are outside the workspace. */
export class SkillFiles {
  readonly #ports: SkillFilesPorts;

  constructor(ports: SkillFilesPorts) {
    this.#ports = ports;
  }

  /** Returns a reader that also reads the files in the folders of the user's skills. */
  reader(workspace: FileReader): FileReader {
    return {
      read: async (path) => {
        const folder = await this.#folderOf(path);
        return folder === null ? workspace.read(path) : this.#ports.user().readIn(folder, path);
      },
    };
  }

  /** Returns a path with resolved links. Null for a path that is in no folder of a skill of the user. */
  async resolved(path: string): Promise<string | null> {
    const folder = await this.#folderOf(path);
    return folder === null ? null : this.#ports.user().resolvedIn(folder, path);
  }

  /** Returns the folder of the user's skill that contains a path. The path follows no links yet. */
  async #folderOf(path: string): Promise<string | null> {
    if (!isUserPath(path) || path !== normalize(path)) {
      return null;
    }
    const skills = [...(await this.#ports.catalog()).values()].filter(({ type, source }) => type === 'skill' && isUserPath(source));
    return skills.map(({ source }) => dirname(source)).find((folder) => path.startsWith(`${folder}/`)) ?? null;
  }
}
