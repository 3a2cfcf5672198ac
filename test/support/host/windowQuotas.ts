import { join } from 'node:path';
import type { LoupeError } from '../../../src/engine/errors.js';
import type { Clock } from '../../../src/engine/ports.js';
import { ProviderQuotas } from '../../../src/host/chat/quota/providerQuotas.js';
import { QuotaFiles } from '../../../src/storage/quotaFiles.js';

export interface WindowQuotas {
  readonly quotas: ProviderQuotas;
  /** What the window logged about rate limits. */
  readonly infos: readonly string[];
}

export function quotasIn(root: string, clock: Clock, logError: (error: LoupeError) => void): WindowQuotas {
  const infos: string[] = [];
  const files = new QuotaFiles(join(root, 'quotas'));
  return { quotas: new ProviderQuotas({ files, clock, logError, logInfo: (text) => infos.push(text) }), infos };
}
