import type { AttemptState } from '../chat/slices/attempts.js';
import { differenceTo } from '../record/difference.js';
import { BLOCK_COMPARISON, CONTEXT_COMPARISON, FORGOTTEN_COMPARISON, type Manifest, type ManifestContent } from '../record/manifest.js';
import { contextRecordsOf, forgottenToolsOf, manifestBlocksOf } from './rebuild.js';

type Attempts = ReadonlyMap<string, AttemptState>;

const NOTHING: ManifestContent = { blocks: [], context: [], forgotten: [] };

/**
 * Returns the attempts of the copied replies, by id. Their manifests build only on each other. Attempts without a sent
 * message are not copied: their requests name content that the fork does not have.
 */
export function inheritedAttempts(replies: readonly string[], attempts: Attempts): Attempts {
  const copied = new Set(replies);
  return new Map(
    [...attempts.values()].flatMap((attempt) =>
      copied.has(attempt.id) ? [[attempt.id, { ...attempt, manifest: rebaseManifest(attempt, attempts, copied) }] as const] : [],
    ),
  );
}

/** Returns the manifest as a difference to the nearest copied one. A damaged one stays unchanged. */
function rebaseManifest(attempt: AttemptState, attempts: Attempts, copied: ReadonlySet<string>): Manifest {
  const { manifest } = attempt;
  if (manifest.base === null || copied.has(manifest.base)) {
    return manifest;
  }
  const base = nearestCopied(attempt, attempts, copied);
  const after = contentOf(attempt, attempts);
  const before = base === null ? NOTHING : contentOf(base, attempts);
  if (after === null || before === null) {
    return manifest;
  }
  const forgotten =
    after.forgotten.length === 0 ? {} : { forgotten: differenceTo(before.forgotten, after.forgotten, FORGOTTEN_COMPARISON) };
  const { forgotten: _forgotten, ...rest } = manifest;
  return {
    ...rest,
    base: base?.id ?? null,
    blocks: differenceTo(before.blocks, after.blocks, BLOCK_COMPARISON),
    context: differenceTo(before.context, after.context, CONTEXT_COMPARISON),
    ...forgotten,
  };
}

function nearestCopied({ manifest }: AttemptState, attempts: Attempts, copied: ReadonlySet<string>): AttemptState | null {
  let { base } = manifest;
  while (base !== null) {
    const attempt = attempts.get(base);
    if (attempt === undefined || copied.has(base)) {
      return attempt ?? null;
    }
    ({ base } = attempt.manifest);
  }
  return null;
}

function contentOf(attempt: AttemptState, attempts: Attempts): ManifestContent | null {
  const blocks = manifestBlocksOf(attempt, attempts);
  const context = contextRecordsOf(attempt, attempts);
  const forgotten = forgottenToolsOf(attempt, attempts);
  return blocks === null || context === null || forgotten === null ? null : { blocks, context, forgotten };
}
