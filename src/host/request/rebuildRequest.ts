import { modelKey } from '../../engine/model/modelRef.js';
import { findMessage } from '../../engine/chat/branch.js';
import type { Message } from '../../engine/chat/message/message.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../engine/chat/state.js';
import { failure, type LoupeError } from '../../engine/errors.js';
import type { Sha256 } from '../../engine/ports.js';
import type { WirePart, WireResultContent } from '../../engine/model/block.js';
import { promptBlocks, type Prompt } from '../../engine/model/prompt.js';
import { manifestBlocksOf, rebuildParts, rebuildPrompt, type RebuildSources } from '../../engine/request/rebuild.js';
import type { PromptImages, WireRequest } from '../../engine/model/model.js';
import type { Blobs } from '../../storage/blobs.js';
import type { Converter } from '../models/converters.js';
import type { ModelRegistry } from '../models/registry.js';

export interface RebuildPorts {
  readonly models: Pick<ModelRegistry, 'list'>;
  readonly sha256: Sha256;
  readonly blobs: Pick<Blobs, 'get'>;
  /** Loads the converter of a protocol. Resolves to null for an unknown protocol. */
  readonly loadConverter: (protocol: string) => Promise<Converter | null>;
}

export interface RebuiltRequest {
  readonly prompt: Prompt;
  readonly body: string;
  /** Why the rebuilt body may differ from the sent bytes, or null when they are equal. */
  readonly note: string | null;
}

/**
 * Rebuilds the request of an attempt from the log, even if the model no longer exists. Rejects with `storage` when a
 * part is missing, or with `protocol` for an unknown record format.
 */
export async function rebuildRequest(state: ChatState, attempt: AttemptState, ports: RebuildPorts): Promise<RebuiltRequest> {
  const { sha256, models, blobs, loadConverter } = ports;
  const prompt = await rebuildPrompt(attempt, sourcesIn(state, blobs), sha256);
  const { protocol } = attempt;
  const converter = await loadConverter(protocol);
  if (converter === null) {
    throw failure('rebuild.unknownForm', { protocol });
  }
  const known = models.list().find((each) => modelKey(each.ref) === modelKey(attempt.model) && each.protocol === protocol);
  const { capabilities } = known ?? converter;
  const images = await promptImages(prompt, blobs);
  const wire = converter.convert({ ref: attempt.model, capabilities }, prompt, attempt.manifest.params, images);
  const isExact = sha256(wire.body) === attempt.manifest.bodyHash;
  return { prompt, body: wire.body, note: isExact ? null : differenceNote(attempt, wire, known !== undefined) };
}

/** Returns the content of each block of an attempt, or an error for an unreadable block. Rejects without a record. */
export function rebuildContents(
  state: ChatState,
  attempt: AttemptState,
  { sha256, blobs }: Pick<RebuildPorts, 'sha256' | 'blobs'>,
): Promise<readonly (WirePart | LoupeError)[]> {
  return rebuildParts(attempt, sourcesIn(state, blobs), sha256);
}

function sourcesIn(state: ChatState, blobs: RebuildPorts['blobs']): RebuildSources {
  const logged = loggedMessages(state);
  return {
    attempts: state.attempts,
    message: (id) => logged.get(id),
    blob: async (sha) => Buffer.from(await blobs.get(sha)).toString('utf8'),
  };
}

/** Returns the attempt behind a reply. `id` is the id of the reply's message or of its attempt. */
export function attemptOfReply(state: ChatState, id: string): AttemptState | undefined {
  const message = findMessage(state, id);
  return state.attempts.get(message?.role === 'assistant' ? message.attemptId : id);
}

/** Returns whether everything in the request of a reply is loaded, apart from blobs. */
export function canRebuild(state: ChatState, id: string): boolean {
  const attempt = attemptOfReply(state, id);
  const blocks = attempt === undefined ? null : manifestBlocksOf(attempt, state.attempts);
  const logged = loggedMessages(state);
  return blocks?.every(({ source }) => source.from !== 'message' || logged.has(source.messageId)) === true;
}

/** Returns the images in Base64, by SHA-256. Rejects with `storage` when an image is missing. */
async function promptImages(prompt: Prompt, blobs: RebuildPorts['blobs']): Promise<PromptImages> {
  const contents = promptBlocks(prompt).flatMap(({ part }): readonly (WirePart | WireResultContent)[] =>
    part.type === 'toolResult' ? part.content : [part],
  );
  const names = new Set(contents.flatMap((content) => (content.type === 'image' ? [content.blob] : [])));
  const images = [...names].map(async (name) => [name, Buffer.from(await blobs.get(name)).toString('base64')] as const);
  return new Map(await Promise.all(images));
}

function differenceNote({ manifest }: AttemptState, wire: WireRequest, modelIsKnown: boolean): string {
  if (wire.converterVersion !== manifest.converterVersion) {
    return `This text may differ from the request that Loupe sent, because Loupe now converts requests in another way (${manifest.converterVersion}, now ${wire.converterVersion}).`;
  }
  const reason = modelIsKnown ? 'the settings of the model have changed' : 'the model is no longer available';
  return `This text differs from the request that Loupe sent: ${reason}.`;
}

/** Returns the loaded messages by id, including messages of replaced branches. */
export function loggedMessages(state: ChatState): ReadonlyMap<string, Message> {
  const timelines = [state.timeline, ...state.rewinds.values()];
  const items = timelines.flatMap((timeline) => timeline.filter((item) => item.kind === 'message'));
  return new Map(items.map(({ message }) => [message.id, message]));
}
