import type { UserMessage } from '../../../engine/chat/message/message.js';
import { IdleChat, type IdleChatPorts } from '../idle/idleChat.js';
import { learning } from '../learning/learning.js';
import { quota } from '../quota/quota.js';
import { restorePoint } from '../restorePoint/restorePoint.js';
import { sideRequests } from '../sideRequests/sideRequests.js';
import { SpendGate, type SpendGatePorts } from '../spend/spendGate.js';
import { Compactor, type CompactorPorts } from '../summary/compactor.js';
import { Titler, type TitlerPorts } from '../title/titler.js';
import type { Behaviour, RunCheck } from './behaviour.js';

/** All behaviours of a chat. Each hook is called in this order. A behaviour can use earlier behaviours by name. */
export const BEHAVIOURS = {
  sideRequests,
  learning,
  quota,
  restorePoint,
  spending: (chat: SpendGatePorts) => new SpendGate(chat),
  compactor: (chat: CompactorPorts) => new Compactor(chat),
  titler: (chat: TitlerPorts) => new Titler(chat),
  idle: (chat: IdleChatPorts) => new IdleChat(chat),
} satisfies Record<string, (chat: never) => Behaviour>;

export type Behaviours = { readonly [K in keyof typeof BEHAVIOURS]: ReturnType<(typeof BEHAVIOURS)[K]> };

type Ports<Create = (typeof BEHAVIOURS)[keyof Behaviours]> = (
  Create extends (chat: infer P) => Behaviour
    ? (chat: P) => void
    : never
) extends (chat: infer All) => void
  ? All
  : never;

/** What behaviours can use of their chat and its window. */
export type BehaviourChat = Omit<Ports, keyof Behaviours>;

export function behavioursOf(chat: BehaviourChat): Behaviours {
  const behaviours: Record<string, Behaviour> = {};
  for (const [name, create] of Object.entries<(chat: never) => Behaviour>(BEHAVIOURS)) {
    behaviours[name] = create({ ...chat, ...behaviours } as never);
  }
  return behaviours as Behaviours;
}

/** Returns one check for a run. It runs the checks of all behaviours, until one of them has asked the user. */
export function checkOf(behaviours: Behaviours, message: UserMessage): RunCheck {
  const checks = Object.values<Behaviour>(behaviours).flatMap((behaviour) => behaviour.requestComposed?.(message) ?? []);
  return (...request) => checks.reduce(async (asked, check) => (await asked) || check(...request), Promise.resolve(false));
}
