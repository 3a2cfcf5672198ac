import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import { type LoupeError, toLoupeError } from '../../../engine/errors.js';
import { modelKey, type ModelRef } from '../../../engine/model/modelRef.js';
import type { Clock } from '../../../engine/ports.js';
import { limitsAt, type LimitNow } from '../../../engine/spend/quota.js';
import { limitInWords } from '../../../protocol/panel/entries.js';
import { rateLimits } from '../../../providers/http/rateLimits.js';
import { QuotaFiles } from '../../../storage/quotaFiles.js';

export interface ProviderQuotasPorts {
  readonly files: Pick<QuotaFiles, 'add' | 'all'>;
  readonly clock: Clock;
  readonly logError: (error: LoupeError) => void;
  readonly logInfo: (text: string) => void;
}

export interface ModelQuota {
  readonly model: ModelRef;
  readonly limits: readonly LimitNow[];
}

/** The rate limits that providers reported in replies to any window, also before a restart. */
export class ProviderQuotas {
  readonly #ports: ProviderQuotasPorts;
  /** Headers in an unknown format that were logged. */
  readonly #logged = new Set<string>();

  constructor(ports: ProviderQuotasPorts) {
    this.#ports = ports;
  }

  /** Keeps the limits in the response of an attempt. Resolves when they are on disk. Never rejects. */
  async note({ model, startedAt, end }: AttemptState): Promise<void> {
    const { limits, unread } = rateLimits(end?.exchange?.response?.headers ?? [], startedAt);
    for (const name of unread.filter((each) => !this.#logged.has(`${model.provider} ${each}`))) {
      this.#logged.add(`${model.provider} ${name}`);
      this.#ports.logInfo(
        `${model.provider} reported ${name} in a format that Loupe does not know. Loupe does not show when this limit resets.`,
      );
    }
    if (limits.length === 0) {
      return;
    }
    try {
      const readings = limits.map((limit) => ({ ...limit, at: startedAt }));
      await this.#ports.files.add({ model, readings }, this.#ports.clock.now());
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
    }
  }

  /** Returns the limits of each model that apply now. Empty when they cannot be read: the failure is logged. */
  async now(): Promise<readonly ModelQuota[]> {
    const { files, clock, logError } = this.#ports;
    try {
      const all = await files.all();
      return all
        .map(({ model, readings }) => ({ model, limits: limitsAt(readings, clock.now()) }))
        .filter(({ limits }) => limits.length > 0);
    } catch (thrown) {
      logError(toLoupeError(thrown));
      return [];
    }
  }
}

/** Returns the rate limits that the files of a folder keep. */
export function storedQuotas(folder: string, ports: Omit<ProviderQuotasPorts, 'files'>): ProviderQuotas {
  return new ProviderQuotas({ ...ports, files: new QuotaFiles(folder) });
}

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Returns the limits as text: `12,400 of 80,000 tokens left, at this rate until 13:58, limit resets at 14:03`. */
export function quotaInWords({ limits }: Pick<ModelQuota, 'limits'>): string {
  const clock = (at: number): string => TIME.format(at);
  return limits
    .flatMap((limit) => {
      const [left = '', ...reset] = limitInWords(limit, clock);
      return [left, ...(limit.emptyAt === null ? [] : [`at this rate until ${clock(limit.emptyAt)}`]), ...reset];
    })
    .join(', ');
}

/** Returns the limits of each model as text, by model key. */
export function quotasInWords(quotas: readonly ModelQuota[]): ReadonlyMap<string, string> {
  return new Map(quotas.map((quota) => [modelKey(quota.model), quotaInWords(quota)]));
}
