import { isAzure } from '../../../providers/azure.js';
import { checkBaseUrl, type CheckedUrl } from './baseUrl.js';

/*
 * Azure OpenAI through its v1 API. Each customer has resources with their own addresses. They accept a key as
 * `Authorization: Bearer` and the name of a deployment as the model. `GET /models` lists deployable models instead of
 * deployments, so Loupe asks the user for the names of the deployments. Sources:
 * https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle and
 * https://learn.microsoft.com/rest/api/microsoft-foundry/azureopenai/models.
 */

export const AZURE_LABEL = 'Azure OpenAI';

export const AZURE_HOST = '<resource>.openai.azure.com';

const API_PATH = '/openai/v1';

/** Letters, digits and hyphens: the name becomes part of a host name. */
const RESOURCE_NAME = /^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/i;

/** Returns the base URL of a resource. Accepts its name, or any of its addresses as Azure's pages show them. */
export function azureBaseUrl(text: string): CheckedUrl {
  const entered = text.trim();
  if (RESOURCE_NAME.test(entered)) {
    return checkBaseUrl(`https://${entered.toLowerCase()}.openai.azure.com${API_PATH}`);
  }
  const url = entered.includes('://') ? entered : `https://${entered}`;
  return checkBaseUrl(isAzure(url) ? new URL(API_PATH, url).href : entered);
}
