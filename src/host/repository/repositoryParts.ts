/* The parts of the repository map that are loaded at the first use, in one file of the bundle. */

export { stemmer } from 'stemmer';
export { RepositoryIndex } from '../../engine/repository/repositoryIndex.js';
export { SymbolScanner } from '../../tools/symbols/symbolScanner.js';
