import { setImmediate } from 'node:timers/promises';
import type { UsageEstimate } from '../../../engine/chat/billedUsage.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { failure } from '../../../engine/errors.js';
import type { Sha256 } from '../../../engine/ports.js';
import { manifestBase } from '../../../engine/request/base.js';
import { record, type RecordInput } from '../../../engine/request/record.js';
import type { PreparedRequest } from '../../../engine/run/input.js';
import { replyTokens } from '../../../engine/run/replyTokens.js';
import type { ModelLearning } from '../../../engine/next/learned.js';
import type { Blobs } from '../../../storage/blobs.js';
import { sha256InBackground } from '../../../storage/files/sha256.js';
import type { ModelRegistry } from '../../models/registry.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import { overBudget } from '../sizeTexts.js';

/** What the log records with a request: the attempt, and how Loupe selected catalog items. */
export type PrepareOptions = { readonly attemptId: string } & Pick<RecordInput, 'picks'>;

interface PreparePorts {
  readonly blobs: Pick<Blobs, 'put'>;
  readonly models: Pick<ModelRegistry, 'counter' | 'pricesOf'>;
  readonly sha256: Sha256;
  readonly learned: Pick<ModelLearning, 'correction'>;
}

/**
 * Returns a request that is ready to send, with its record. Throws `contextOverflow` when the request is too long.
 * Stores blobs before the manifest with their names is logged.
 */
export async function prepare(
  composed: ComposedRequest,
  state: ChatState,
  { attemptId, picks }: PrepareOptions,
  { blobs: stored, models, sha256, learned }: PreparePorts,
): Promise<PreparedRequest> {
  const problem = overBudget(composed);
  if (problem !== null) {
    throw failure('request.overBudget', { problem });
  }
  const { model, client } = composed;
  // Pause for other work, because each step takes a while with thousands of blocks.
  await setImmediate();
  const wire = composed.wire();
  await setImmediate();
  const bodyHash = await sha256InBackground(Buffer.from(wire.body, 'utf8'));
  const forecast = composed.forecast === null ? {} : { forecast: { ...composed.forecast.parts, cost: composed.forecast.costNow } };
  const { manifest, blobs } = record(
    { request: composed, context: composed.records, picks, wire, bodyHash, forecast, base: manifestBase(state) },
    sha256,
  );
  for (const json of blobs.values()) {
    await stored.put(Buffer.from(json, 'utf8'));
  }
  const counter = await models.counter(model.capabilities.counter);
  return {
    attemptId,
    model,
    client,
    manifest,
    wire,
    cacheControlIndex: manifest.marks.at(-1)?.at ?? null,
    pricesOf: (id) => models.pricesOf(model.ref.provider, id),
    estimateUsage: async (reply): Promise<UsageEstimate> => {
      const counted = await replyTokens(reply, counter, setImmediate);
      return {
        promptTokens: { value: composed.size.tokens, source: 'estimated' },
        completionTokens: { value: Math.round(counted * learned.correction(model).factor), source: 'estimated' },
      };
    },
  };
}
