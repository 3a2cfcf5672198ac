import { newId } from '../../../engine/chat/order/ids.js';
import type { SideRequests } from '../../../engine/chat/slices/sideRequests.js';
import type { Clock, RandomHex } from '../../../engine/ports.js';
import type { BackgroundCount } from '../../request/compose/backgroundCount.js';
import type { SessionLog } from '../sessionLog.js';

export interface SideRequestPorts {
  readonly log: Pick<SessionLog, 'record' | 'readOnly'>;
  readonly counting: Pick<BackgroundCount, 'takeMade'>;
  readonly clock: Clock;
  readonly random: RandomHex;
}

/** Logs requests for a chat that belong to none of its runs, such as token counts of a draft. */
export class SideRequestLog {
  /** Whether the log accepts no more events, because the chat was deleted. */
  isClosed = false;
  readonly #ports: SideRequestPorts;

  constructor(ports: SideRequestPorts) {
    this.#ports = ports;
  }

  /** Logs requests. Does nothing when the chat is deleted or read-only. */
  async add(requests: readonly SideRequests[]): Promise<void> {
    const { log, clock, random } = this.#ports;
    if (this.#isWritable) {
      await log.record(
        requests.map((each) => ({ type: 'requests-made', attemptId: newId(clock, random), ...each }) as const),
        'written',
      );
    }
  }

  /** Logs the requests for token counts since the last call. Loupe counts a draft at each pause in typing. */
  async addCounts(): Promise<void> {
    if (this.#isWritable) {
      await this.add(this.#ports.counting.takeMade());
    }
  }

  get #isWritable(): boolean {
    return !this.isClosed && this.#ports.log.readOnly === null;
  }
}
