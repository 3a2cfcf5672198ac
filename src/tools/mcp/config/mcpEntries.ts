/* Resources and prompts of servers. All texts come from the servers. Missing values are null. */

/** Content that a server offers for reading, such as a file or a database row. */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly mimeType: string | null;
  readonly bytes: number | null;
}

export type McpResourcePart = { readonly uri: string; readonly mimeType: string | null } & (
  | { readonly text: string }
  | { readonly bytes: Uint8Array }
);

/** A message template of a server. The user fills in the blanks, such as the name of a file. */
export interface McpPrompt {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly blanks: readonly { readonly name: string; readonly description: string | null; readonly isRequired: boolean }[];
}

/** A piece of a message: text, or the description of content that is not text, or that Loupe cannot read. */
export type McpPromptPiece = { readonly text: string } | { readonly noText: string };

export type McpPromptMessage = { readonly role: 'user' | 'assistant' } & McpPromptPiece;

/** The blank of a prompt that the user is filling in. */
export interface McpBlank {
  readonly prompt: string;
  readonly name: string;
  /** Values of earlier blanks, by name. */
  readonly filled: Readonly<Record<string, string>>;
}
