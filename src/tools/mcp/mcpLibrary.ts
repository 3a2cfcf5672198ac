import type { Client, ContentBlock, Prompt, ReadResourceResult, Resource } from '@modelcontextprotocol/client';
import type { McpBlank, McpPrompt, McpPromptMessage, McpPromptPiece, McpResource, McpResourcePart } from './config/mcpEntries.js';
import { LEFT_OUT } from './foreignLists.js';
import { sizeText } from './limits.js';
import { linkText, resourceText } from './toolResult.js';

export interface McpWait {
  readonly signal: AbortSignal;
  /** Time limit in ms. */
  readonly timeout: number;
}

/** Reads resources and prompts of a server. Lists that the server does not have are empty. Rejects with SDK errors. */
export class McpLibrary {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Returns the resources in the order of the server, which often starts with the most important one. */
  async resources(waiting: McpWait): Promise<readonly McpResource[]> {
    if (this.#client.getServerCapabilities()?.resources === undefined) {
      return [];
    }
    return (await this.#client.listResources(undefined, waiting)).resources.map(toResource);
  }

  async resource(uri: string, waiting: McpWait): Promise<readonly McpResourcePart[]> {
    return (await this.#client.readResource({ uri }, waiting)).contents.map(toPart);
  }

  async prompts(waiting: McpWait): Promise<readonly McpPrompt[]> {
    if (this.#client.getServerCapabilities()?.prompts === undefined) {
      return [];
    }
    return (await this.#client.listPrompts(undefined, waiting)).prompts.map(toPrompt);
  }

  async prompt(name: string, blanks: Readonly<Record<string, string>>, waiting: McpWait): Promise<readonly McpPromptMessage[]> {
    const { messages } = await this.#client.getPrompt({ name, arguments: { ...blanks } }, waiting);
    return messages.map(({ role, content }) => ({ role, ...promptPiece(content) }));
  }

  async suggestions({ prompt, name, filled }: McpBlank, waiting: McpWait): Promise<readonly string[]> {
    if (this.#client.getServerCapabilities()?.completions === undefined) {
      return [];
    }
    const request = {
      ref: { type: 'ref/prompt', name: prompt },
      argument: { name, value: '' },
      context: { arguments: { ...filled } },
    } as const;
    return (await this.#client.complete(request, waiting)).completion.values;
  }
}

function toResource({ uri, name, title, description, mimeType, size }: Resource): McpResource {
  return { uri, name, title: title ?? null, description: description ?? null, mimeType: mimeType ?? null, bytes: size ?? null };
}

function toPart(part: ReadResourceResult['contents'][number]): McpResourcePart {
  const base = { uri: part.uri, mimeType: part.mimeType ?? null };
  return 'text' in part ? { ...base, text: part.text } : { ...base, bytes: Buffer.from(part.blob, 'base64') };
}

function toPrompt({ name, title, description, arguments: blanks }: Prompt): McpPrompt {
  return {
    name,
    title: title ?? null,
    description: description ?? null,
    blanks: (blanks ?? []).map((blank) => ({
      name: blank.name,
      description: blank.description ?? null,
      isRequired: blank.required === true,
    })),
  };
}

/** Returns a piece of a prompt as text, because the message box accepts only text. */
function promptPiece(block: ContentBlock): McpPromptPiece {
  switch (block.type) {
    case 'text': {
      const leftOut = block._meta?.[LEFT_OUT];
      return typeof leftOut === 'string' ? { noText: leftOut } : { text: block.text };
    }
    case 'resource_link':
      return { text: linkText(block) };
    case 'image':
    case 'audio':
      return { noText: inWords(block.type, block.mimeType, block.data) };
    case 'resource': {
      const { resource } = block;
      return 'text' in resource
        ? { text: resourceText(resource) }
        : { noText: inWords(resource.uri, resource.mimeType ?? 'unknown type', resource.blob) };
    }
  }
}

function inWords(what: string, mimeType: string, base64: string): string {
  return `${what} (${mimeType}, ${sizeText(Buffer.byteLength(base64, 'base64'))})`;
}
