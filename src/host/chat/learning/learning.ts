import type { ModelLearning } from '../../../engine/next/learned.js';
import type { Behaviour } from '../behaviours/behaviour.js';
import type { SessionLog } from '../sessionLog.js';

export interface LearningPorts {
  readonly log: Pick<SessionLog, 'state'>;
  readonly learned: Pick<ModelLearning, 'take'>;
}

/** Lets the window learn about models from the attempts of a chat. */
export function learning({ log, learned }: LearningPorts): Behaviour {
  const take = (): void => {
    learned.take(log.state.lessons);
  };
  return {
    chatLoaded: take,
    eventsLogged: (events) => {
      if (events.some(({ type }) => type === 'attempt-ended')) {
        take();
      }
    },
  };
}
