const HOST = /\.(openai|services\.ai)\.azure\.com$/;

/** Whether an address belongs to an Azure OpenAI resource, where model ids are the names of deployments. */
export function isAzure(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && HOST.test(new URL(baseUrl).hostname);
}
