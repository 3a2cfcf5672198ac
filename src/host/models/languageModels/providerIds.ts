/** Prefix of the ids of all providers from VS Code's language models, and of no others. */
export const VSCODE_PROVIDER_PREFIX = 'vscode.';

/** Whether a provider's models come from an extension in VS Code, which then handles access and keys. */
export function isVscodeProvider(id: string): boolean {
  return id.startsWith(VSCODE_PROVIDER_PREFIX);
}
