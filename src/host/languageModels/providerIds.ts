/** The ids of all providers that come from VS Code's language models, and of no other, begin like this. */
export const VSCODE_PROVIDER_PREFIX = 'vscode.';

/** Whether a provider's models come from an extension in VS Code: access and keys are that one's affair. */
export function isVscodeProvider(id: string): boolean {
  return id.startsWith(VSCODE_PROVIDER_PREFIX);
}
