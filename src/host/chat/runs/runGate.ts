import type { SideRequests } from '../../../engine/chat/slices/sideRequests.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { messageText, type UserMessage } from '../../../engine/chat/message/message.js';
import { failIfAborted } from '../../../engine/errors.js';
import type { RunInput } from '../../../engine/run/input.js';
import type { RunTools } from '../../../engine/tools/offered.js';
import type { MaySpend, Ranking } from '../../context/catalog/meaningRanker.js';
import type { RequestExtras } from '../../../engine/next/chatInputs.js';
import type { RequestComposer } from '../../request/compose/requestComposer.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import type { ChatToolsPorts } from '../../tools/chatTools.js';
import type { ChatNext } from '../chatNext.js';
import type { RunCheck } from '../behaviours/behaviour.js';
import type { RunBeginning } from './runDriver.js';

export interface RunGatePorts {
  readonly state: () => ChatState;
  readonly next: Pick<ChatNext, 'toSend' | 'reportChangedInputs'>;
  readonly requests: RequestComposer;
  /** Summarizes or drops messages when the conversation is too long to send. Stops when the signal aborts. */
  makeRoom(signal: AbortSignal): Promise<void>;
  /** Returns the check of the spend limits for a run that answers `message`. */
  checkOf(message: UserMessage): RunCheck;
  /** Starts the MCP servers that the chat's tools need, and waits for a limited time. Rejects with `modelGone`. */
  startServers(state: ChatState, signal: AbortSignal): Promise<void>;
  readonly maySpend: MaySpend;
  /** Logs requests that belong to no run. */
  logRequests(requests: readonly SideRequests[]): Promise<void>;
  toolsOf(offered: ChatToolsPorts['offered']): RunTools;
}

/** The ranking and the tools of a run, from the beginning of the run. Later changes do not affect the run. */
interface Begun extends Pick<RequestExtras, 'tools'> {
  readonly ranking: Ranking;
}

/**
 * Returns the functions that prepare the requests of a run for `message`. Catalog items are ranked once per run.
 * `prepare` is the only check of a request: it makes room, asks for approval of the price, or refuses. It rejects as
 * `RequestComposer.compose` and `prepare` do, with errors of the check, and with `cancelled`. `allowed` is called when
 * the first request has passed the check. That request contains the changes that `allowed` makes.
 */
export function preparing(
  message: UserMessage,
  allowed: RunBeginning['onAllowed'],
  ports: RunGatePorts,
): Pick<RunInput, 'prepare' | 'tools'> {
  let begun: Promise<Begun> | null = null;
  let newest: ComposedRequest | null = null;
  const check = ports.checkOf(message);
  const fitting = async (signal: AbortSignal): Promise<{ readonly composed: ComposedRequest; readonly made: Ranking['made'] }> => {
    begun ??= beginRun(message, signal, ports);
    const { ranking, tools } = await begun;
    failIfAborted(signal, 'request.stopped');
    newest = await fittingRequest({ scores: ranking.scores, tools }, signal, ports);
    return { composed: newest, made: ranking.made };
  };
  const checked: typeof fitting = async (signal) => {
    let next = await fitting(signal);
    // A request that is too long is not checked: `RequestComposer.prepare` refuses it anyway.
    while (next.composed.excess === null && (await check(next.composed, ports.state(), signal))) {
      next = await fitting(signal);
    }
    return next;
  };
  let waiting = allowed;
  return {
    prepare: async (attemptId, signal) => {
      let { composed, made } = await checked(signal);
      if (composed.excess === null && waiting !== null) {
        await waiting();
        waiting = null;
        ({ composed, made } = await checked(signal));
      }
      const prepared = await ports.requests.prepare(composed, ports.state(), { attemptId, picks: made });
      failIfAborted(signal, 'request.stopped');
      ports.next.reportChangedInputs();
      return prepared;
    },
    tools: ports.toolsOf(async (signal) => {
      const { context, onDemand } = newest ?? (await fitting(signal)).composed;
      return { all: context.tools, onDemand };
    }),
  };
}

async function beginRun(message: UserMessage, signal: AbortSignal, { requests, maySpend, ...ports }: RunGatePorts): Promise<Begun> {
  await ports.startServers(ports.state(), signal);
  const ranking = await requests.reader.rankSent(messageText(message), ports.state(), { signal, maySpend });
  await ports.logRequests(ranking.requests);
  return { ranking, tools: await requests.reader.knownTools(ports.state()) };
}

/** Returns the request to send. If the request is too long, shortens the conversation first. */
async function fittingRequest(
  picking: Pick<RequestExtras, 'scores' | 'tools'>,
  signal: AbortSignal,
  { next, makeRoom }: Pick<RunGatePorts, 'next' | 'makeRoom'>,
): Promise<ComposedRequest> {
  const composed = await next.toSend(picking);
  if (composed.excess === null) {
    return composed;
  }
  failIfAborted(signal, 'request.stopped');
  await makeRoom(signal);
  failIfAborted(signal, 'request.stopped');
  return next.toSend(picking);
}
