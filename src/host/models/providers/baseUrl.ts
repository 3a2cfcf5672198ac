import { isAzure } from '../../../providers/azure.js';

/*
 * Azure OpenAI through its v1 API. Each customer has resources with addresses of their own. A resource accepts a key as
 * `Authorization: Bearer`, and the name of a deployment as model. `GET /models` lists deployable models instead of
 * deployments, so Loupe asks the user for the names of the deployments. Sources:
 * https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle and
 * https://learn.microsoft.com/rest/api/microsoft-foundry/azureopenai/models.
 */

export const AZURE_LABEL = 'Azure OpenAI';

export const AZURE_HOST = '<resource>.openai.azure.com';

const API_PATH = '/openai/v1';

/** Matches letters, digits and hyphens, because the name becomes a part of a host name. */
const RESOURCE_NAME = /^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/i;

/** Returns the base URL of an Azure resource. `text`: the name of the resource, or an address from Azure's pages. */
export function azureBaseUrl(text: string): CheckedUrl {
  const entered = text.trim();
  if (RESOURCE_NAME.test(entered)) {
    return checkBaseUrl(`https://${entered.toLowerCase()}.openai.azure.com${API_PATH}`);
  }
  const url = entered.includes('://') ? entered : `https://${entered}`;
  return checkBaseUrl(isAzure(url) ? new URL(API_PATH, url).href : entered);
}

/** Matches host names of this computer, as in `URL.hostname`. */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A checked address. Otherwise a sentence that says why the address cannot be used. */
export type CheckedUrl =
  | { readonly ok: true; readonly baseUrl: string /** Null without a warning. */; readonly warning: string | null }
  | { readonly ok: false; readonly problem: string };

export function isThisComputer(baseUrl: string): boolean {
  return LOOPBACK.test(new URL(baseUrl).hostname);
}

/** Checks the address of a provider. Messages never quote the address, because an address can contain a key. */
export function checkBaseUrl(text: string): CheckedUrl {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return { ok: false, problem: 'Enter a URL that starts with https:// (http:// only for this computer).' };
  }
  if (url.username !== '' || url.password !== '') {
    return { ok: false, problem: 'Remove the user name and password. Enter keys with "Loupe: Set API Key".' };
  }
  if (url.search !== '' || url.hash !== '') {
    return { ok: false, problem: 'Remove "?" or "#" and everything after it.' };
  }
  const isOpen = url.protocol === 'http:' && !LOOPBACK.test(url.hostname);
  return {
    ok: true,
    // Removes an empty `?` or `#`, which `href` would keep.
    baseUrl: (url.origin + url.pathname).replace(/\/+$/, ''),
    warning: isOpen ? 'A connection with http:// is not encrypted: others could read your key and chats. Use https://.' : null,
  };
}
