import { isAzure } from '../../../providers/azure.js';
import { checkBaseUrl, type CheckedUrl } from './baseUrl.js';

/*
 * Azure OpenAI, by its v1 API. Each customer has resources with addresses of their own. They take a key as `Authorization: Bearer` and the
 * name of a deployment as the model. `GET /models` lists what could be deployed there, not what is, so the names of deployments are asked
 * for. Sources: https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle and
 * https://learn.microsoft.com/rest/api/microsoft-foundry/azureopenai/models.
 */

export const AZURE_LABEL = 'Azure OpenAI';

/** The host of a resource, for an example. */
export const AZURE_HOST = '<resource>.openai.azure.com';

const API_PATH = '/openai/v1';

/** Of resources: letters, digits and hyphens, which make a label of a host name. */
const RESOURCE_NAME = /^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/i;

/** The base URL of a resource, from its name or from any address of it, such as those that Azure's pages show. */
export function azureBaseUrl(text: string): CheckedUrl {
  const entered = text.trim();
  if (RESOURCE_NAME.test(entered)) {
    return checkBaseUrl(`https://${entered.toLowerCase()}.openai.azure.com${API_PATH}`);
  }
  const url = entered.includes('://') ? entered : `https://${entered}`;
  return checkBaseUrl(isAzure(url) ? new URL(API_PATH, url).href : entered);
}
