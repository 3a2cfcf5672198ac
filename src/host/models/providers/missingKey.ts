import type { ModelRef } from '../../../engine/model/modelRef.js';
import { toLoupeError } from '../../../engine/errors.js';
import { isThisComputer } from './baseUrl.js';
import type { ConfiguredProviders } from './configuredProviders.js';
import type { KeyStore } from './keyStore.js';

/**
 * Returns a sentence when the provider of a model has no stored key, otherwise null. Only a refused request shows
 * whether a provider needs a key. Servers on this computer, the practice model and models of VS Code rarely need one,
 * so the result for them is null.
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
    return (await keys.getQuietly(config)) === null ? `Loupe has no stored key for ${config.label}.` : null;
  } catch (thrown) {
    const error = toLoupeError(thrown);
    if (error.kind === 'auth') {
      // The stored key cannot be read, or is for another address. The message of the error says which.
      return error.message;
    }
    throw error;
  }
}
