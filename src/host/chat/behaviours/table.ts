import type { UserMessage } from '../../../engine/chat/message/message.js';
import { type LearningPorts, learning } from '../learning/learning.js';
import { type RestorePointPorts, restorePoint } from '../restorePoint/restorePoint.js';
import { type SideRequestPorts, sideRequests } from '../sideRequests/sideRequests.js';
import type { SpendGate } from '../spend/spendGate.js';
import { Compactor, type CompactorPorts } from '../summary/compactor.js';
import { Titler, type TitlerPorts } from '../title/titler.js';
import type { Behaviour, RunCheck } from './behaviour.js';

/** What behaviours can use of their chat. */
export type BehaviourChat = SideRequestPorts &
  LearningPorts &
  RestorePointPorts &
  CompactorPorts &
  TitlerPorts & { readonly spending: SpendGate };

/** All behaviours of a chat. Each hook is called in this order. */
export const BEHAVIOURS = {
  sideRequests,
  learning,
  restorePoint,
  // The chat creates the `SpendGate` before its behaviours, because other behaviours use it, too.
  spending: ({ spending }) => spending,
  compactor: (chat) => new Compactor(chat),
  titler: (chat) => new Titler(chat),
} satisfies Record<string, (chat: BehaviourChat) => Behaviour>;

export type Behaviours = { readonly [K in keyof typeof BEHAVIOURS]: ReturnType<(typeof BEHAVIOURS)[K]> };

export function behavioursOf(chat: BehaviourChat): Behaviours {
  return Object.fromEntries(Object.entries(BEHAVIOURS).map(([name, create]) => [name, create(chat)])) as Behaviours;
}

/** Returns one check for a run. It runs the checks of all behaviours, until one of them has asked the user. */
export function checkOf(behaviours: readonly Behaviour[], message: UserMessage): RunCheck {
  const checks = behaviours.flatMap((behaviour) => behaviour.requestComposed?.(message) ?? []);
  return (...request) => checks.reduce(async (asked, check) => (await asked) || check(...request), Promise.resolve(false));
}
