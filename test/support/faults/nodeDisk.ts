import { nodeFiles, type Files, type DiskFile } from '../../../src/storage/files/files.js';

/** The real disk, for tests that replace some of its functions. */
export class NodeDisk implements Files {
  readonly makeFolder = nodeFiles.makeFolder.bind(nodeFiles);
  readonly syncFolder = nodeFiles.syncFolder.bind(nodeFiles);
  readonly exists = nodeFiles.exists.bind(nodeFiles);
  readonly rename = nodeFiles.rename.bind(nodeFiles);
  readonly remove = nodeFiles.remove.bind(nodeFiles);

  open(path: string): Promise<DiskFile> {
    return nodeFiles.open(path);
  }
}
