const HOST = /\.(openai|services\.ai)\.azure\.com$/;

/** Whether an address is that of a resource of Azure OpenAI, where the names of models are those of the customer's deployments. */
export function isAzure(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && HOST.test(new URL(baseUrl).hostname);
}
