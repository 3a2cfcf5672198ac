import type { Behaviour } from '../behaviours/behaviour.js';
import type { SessionLog } from '../sessionLog.js';
import type { ProviderQuotas } from './providerQuotas.js';

export interface QuotaPorts {
  readonly log: Pick<SessionLog, 'state'>;
  readonly quotas: Pick<ProviderQuotas, 'note'>;
  readonly writerId: string;
}

/** Keeps the rate limits in the responses to this window. Other windows keep those in their responses. */
export function quota({ log, quotas, writerId }: QuotaPorts): Behaviour {
  return {
    eventsLogged: (events) => {
      for (const event of events) {
        const attempt = event.type === 'attempt-ended' && event.writer === writerId ? log.state.attempts.get(event.attemptId) : undefined;
        if (attempt !== undefined) {
          void quotas.note(attempt);
        }
      }
    },
  };
}
