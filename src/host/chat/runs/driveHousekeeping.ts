import { newId } from '../../../engine/chat/order/ids.js';
import { breakdownEvents } from '../../../engine/run/interruption.js';
import { toLoupeError } from '../../../engine/errors.js';
import type { Clock, RandomHex } from '../../../engine/ports.js';
import type { RunEvents } from '../../../engine/run/input.js';
import type { SessionLog } from '../sessionLog.js';

export interface HousekeepingPorts {
  readonly log: SessionLog;
  readonly clock: Clock;
  readonly random: RandomHex;
}

/** Runs and logs a request for Loupe's own purposes, such as a title. After a defect, ends the run and rejects. */
export async function driveHousekeeping<Outcome>(
  runId: string,
  steps: AsyncGenerator<RunEvents, Outcome, void>,
  { log, clock, random }: HousekeepingPorts,
): Promise<Outcome> {
  try {
    for (;;) {
      const step = await steps.next();
      if (step.done === true) {
        return step.value;
      }
      await log.record(step.value.events, step.value.persistence);
    }
  } catch (thrown) {
    const defect = toLoupeError(thrown);
    await log.record(breakdownEvents(log.state, runId, { defect, newId: () => newId(clock, random) }), 'durable');
    throw defect;
  }
}
