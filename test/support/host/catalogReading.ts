import type { CatalogReading } from '../../../src/host/context/catalog/readCatalog.js';

/** Reads the files of a catalog. An error in Loupe's code fails the test. */
export function readingOf(read: CatalogReading['read']): CatalogReading {
  return {
    read,
    logError: (error) => {
      throw error;
    },
  };
}
