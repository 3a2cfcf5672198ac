import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import { lmStudioModels } from './lmStudio.js';
import { LOCAL_LABELS, type LocalAddresses, type LocalKind, type LocalModel, type LocalServer } from './localServer.js';
import { ollamaModels } from './ollama.js';

const LIST: Readonly<Record<LocalKind, (address: string, signal: AbortSignal) => Promise<LocalModel[]>>> = {
  ollama: ollamaModels,
  'lm-studio': lmStudioModels,
};

export interface FoundServers {
  readonly servers: readonly LocalServer[];
  readonly missing: readonly LoupeError[];
}

/** Looks for model servers on this computer. Rejects only with `cancelled`, when `signal` aborts. */
export async function findLocalServers(addresses: LocalAddresses, signal: AbortSignal): Promise<FoundServers> {
  const kinds: readonly LocalKind[] = ['ollama', 'lm-studio'];
  const results = await Promise.all(
    kinds.map(async (kind): Promise<LocalServer | LoupeError> => {
      try {
        const models = await LIST[kind](addresses[kind], signal);
        return { kind, label: LOCAL_LABELS[kind], baseUrl: `${addresses[kind]}/v1`, models };
      } catch (thrown) {
        const error = toLoupeError(thrown);
        if (error.kind === 'cancelled') {
          throw error;
        }
        return error;
      }
    }),
  );
  return {
    servers: results.filter((result): result is LocalServer => !(result instanceof Error)),
    missing: results.filter((result) => result instanceof Error),
  };
}
