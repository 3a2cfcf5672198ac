import * as z from 'zod/mini';
import type { SessionFileEntry, SessionFileManager } from '../../../engine/context/sessionFiles.js';
import {
  checkSessionFileSize,
  READ_SESSION_FILE,
  isTextType,
  mimeTypeOf,
  sessionFileLines,
  sessionFileReference,
} from '../../../engine/context/sessionFiles.js';
import { toLoupeError } from '../../../engine/errors.js';
import type { ToolCallOptions } from '../../../engine/ports.js';
import type { CallOutcome } from '../../../engine/tools/offered.js';
import { WORKSPACE_SERVER } from '../../../engine/tools/serverName.js';
import type { Tool, ToolServer } from '../../../engine/tools/tool.js';
import { isImageType } from '../../../engine/model/imageRules.js';
import { imageHeader } from '../../context/images/imageFile.js';
import { PATH, withArgs } from './toolArguments.js';
import { failedCall, succeededCall, type WorkspaceTool } from './workspaceTool.js';

const NAMED = z.object({ name: PATH });

const PUT = z.object({
  name: PATH,
  content: z.string(),
  mime_type: z.optional(z.string().check(z.regex(/^[\w.+-]+\/[\w.+-]+$/))),
  summary: z.optional(z.string()),
});

const NAME = { type: 'string', description: 'Name of the session file, such as notes/plan.md' } as const;

/** The tools without the functions that need the files of a chat. */
const TOOLS = {
  list_session_files: {
    title: 'List session files',
    description: 'Lists the session files: files of this chat only, which are not on the disk.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    saysItOnlyReads: true,
  },
  [READ_SESSION_FILE]: {
    title: 'Read session file',
    description: 'Returns the content of a session file. Later requests hold only a reference: call it again to see the content again.',
    inputSchema: { type: 'object', properties: { name: NAME }, required: ['name'], additionalProperties: false },
    saysItOnlyReads: true,
  },
  put_session_file: {
    title: 'Write session file',
    description: 'Creates or replaces a session file. The user can open and edit it.',
    inputSchema: {
      type: 'object',
      properties: {
        name: NAME,
        content: { type: 'string', description: 'Text, or Base64 for a type that is not text' },
        mime_type: { type: 'string', description: 'By default from the name' },
        summary: { type: 'string', description: 'One line; by default the first line' },
      },
      required: ['name', 'content'],
      additionalProperties: false,
    },
    saysItOnlyReads: false,
  },
  delete_session_file: {
    title: 'Delete session file',
    description: 'Deletes a session file.',
    inputSchema: { type: 'object', properties: { name: NAME }, required: ['name'], additionalProperties: false },
    saysItOnlyReads: false,
  },
} as const satisfies Readonly<Record<string, Omit<Tool, 'name'>>>;

type ToolName = keyof typeof TOOLS;

/** The definitions of the tools, for the server of Loupe's own tools. */
export const SESSION_FILE_TOOLS: readonly Tool[] = Object.entries(TOOLS).map(([name, tool]) => ({ name, ...tool }));

/**
 * Returns the function that runs a tool for session files, or null for another tool. These tools need no approval: they
 * change nothing outside the chat's own log, and *Manage context* restores each earlier version of a file.
 */
export function sessionFileCall(
  { name: server }: Pick<ToolServer, 'name'>,
  tool: string,
  files: SessionFileManager,
): WorkspaceTool['run'] | null {
  return server === WORKSPACE_SERVER && tool in TOOLS ? runOf(tool as ToolName, files) : null;
}

function runOf(tool: ToolName, files: SessionFileManager): WorkspaceTool['run'] {
  switch (tool) {
    case 'list_session_files':
      return () => Promise.resolve(succeededCall(listed(files.listFiles())));
    case 'get_session_file':
      return withArgs(NAMED, ({ name }, options) => orFailed(() => read(name, files, options)));
    case 'put_session_file':
      return withArgs(PUT, (args) => orFailed(() => write(args, files)));
    case 'delete_session_file':
      return withArgs(NAMED, ({ name }) =>
        orFailed(async () => {
          await files.deleteFile(name);
          return succeededCall(`Deleted ${name}.`);
        }),
      );
  }
}

function listed(files: readonly SessionFileEntry[]): string {
  return files.length === 0 ? 'There are no session files.' : sessionFileLines(files);
}

async function read(name: string, files: SessionFileManager, { keepBlob }: ToolCallOptions): Promise<CallOutcome> {
  // Found before the read, during which the user can change or delete the file.
  const entry = files.listFiles().find((each) => each.name === name);
  const bytes = await files.getFileContent(name);
  const mimeType = entry?.mimeType ?? mimeTypeOf(name, false);
  const reference = sessionFileReference(name);
  if (entry?.isText === true) {
    return { ...succeededCall(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)), reference };
  }
  if (isImageType(mimeType)) {
    // A model can write any bytes under the name of an image. A provider would refuse each request with them.
    const header = await imageHeader(bytes, name);
    const image = { type: 'image', blob: await keepBlob(bytes), bytes: bytes.length, ...header } as const;
    return { content: [image], isError: false, edits: [], reference };
  }
  return { ...succeededCall(`data:${mimeType};base64,${Buffer.from(bytes).toString('base64')}`), reference };
}

async function write({ name, content, mime_type, summary }: z.infer<typeof PUT>, files: SessionFileManager): Promise<CallOutcome> {
  const mimeType = mime_type ?? mimeTypeOf(name, true);
  const bytes = isTextType(mimeType) ? new TextEncoder().encode(content) : bytesOf(name, content);
  if (bytes === null) {
    return failedCall(`The content is not Base64, which the type ${mimeType} needs.`);
  }
  await files.putFileContent(name, { bytes, mimeType, summary: oneLine(summary) });
  return succeededCall(`Wrote ${name}.`);
}

function oneLine(summary: string | undefined): string | null {
  const line = summary?.replaceAll(/\s+/g, ' ').trim() ?? '';
  return line === '' ? null : line;
}

/** Matches the beginning of a data URL, which some models send instead of plain Base64. */
const DATA_URL = /^data:[^,]{0,200};base64,/;

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Returns the bytes of Base64. Null for another text. Throws `sessionFile.tooLarge` before it decodes a long text. */
function bytesOf(name: string, content: string): Uint8Array | null {
  checkSessionFileSize(name, Math.floor((content.length * 3) / 4) - CODING_ROOM);
  const digits = content.replace(DATA_URL, '').replaceAll(/\s+/g, '');
  return BASE64.test(digits) ? Buffer.from(digits, 'base64') : null;
}

/** Bytes that the beginning of a data URL, or the padding of Base64, can add to the length. */
const CODING_ROOM = 256;

/** Runs work on session files. Returns its failure as a text for the model. */
async function orFailed(work: () => Promise<CallOutcome>): Promise<CallOutcome> {
  try {
    return await work();
  } catch (thrown) {
    return failedCall(toLoupeError(thrown).message);
  }
}
