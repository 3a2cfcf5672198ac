import type { ModelRef } from '../../../engine/model/modelRef.js';
import { toLoupeError } from '../../../engine/errors.js';
import { isThisComputer } from './baseUrl.js';
import type { ConfiguredProviders } from './configuredProviders.js';
import type { KeyStore } from './keyStore.js';

/**
 * That no key goes along with requests to a model, as a sentence; null where one does. Whether its provider needs one is known only once
 * it refuses a request, but servers on this computer, the practice model and VS Code's own models seldom do: null for those, too.
 */
export async function missingKey(
  { provider }: ModelRef,
  { configured, keys }: { readonly configured: Pick<ConfiguredProviders, 'configs'>; readonly keys: Pick<KeyStore, 'getQuietly'> },
): Promise<string | null> {
  const config = configured.configs().find(({ id }) => id === provider);
  if (config === undefined || isThisComputer(config.baseUrl)) {
    return null;
  }
  try {
    return (await keys.getQuietly(config)) === null ? `No key of ${config.label} is stored.` : null;
  } catch (thrown) {
    const error = toLoupeError(thrown);
    if (error.kind === 'auth') {
      // The key of another address, or one that cannot be read: it says so.
      return error.message;
    }
    throw error;
  }
}
