import type { ModelRef } from '../../../engine/model/modelRef.js';
import { toLoupeError } from '../../../engine/errors.js';
import { isThisComputer } from './baseUrl.js';
import type { ConfiguredProviders } from './configuredProviders.js';
import type { KeyStore } from './keyStore.js';

/**
 * Returns a sentence when no key is stored for a model's provider, otherwise null. Whether a provider needs a key is
 * only known after a refused request. Servers on this computer, the practice model and models of VS Code seldom need
 * one, so the result for these is null.
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
      // The stored key is unreadable or for another address. The error's message names the cause.
      return error.message;
    }
    throw error;
  }
}
