import { messageText, type UserMessage } from '../../../engine/chat/message/message.js';
import { failIfAborted, failure } from '../../../engine/errors.js';
import type { RunInput } from '../../../engine/run/input.js';
import type { Blobs } from '../../../storage/blobs.js';
import type { MaySpend, Ranking } from '../../context/catalog/meaningRanker.js';
import type { RequestExtras } from '../../../engine/next/chatInputs.js';
import type { RequestComposer } from '../../request/compose/requestComposer.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import { ChatTools, type ChatToolsPorts } from '../../tools/chatTools.js';
import { neededServers, type StartPorts } from '../../tools/neededServers.js';
import type { ChatNext } from '../chatNext.js';
import { messageImageProblem } from '../../request/imageProblem.js';
import { type Behaviours, checkOf } from '../behaviours/table.js';
import type { SessionLog } from '../sessionLog.js';
import type { RunBeginning, RunRequests } from './runDriver.js';
import type { ServerHold } from './serverHold.js';

export interface RunGateChat extends Pick<StartPorts, 'catalog'>, Pick<ChatToolsPorts, 'toolbox' | 'sha256' | 'sessionFiles'> {
  readonly log: Pick<SessionLog, 'state'>;
  readonly next: Pick<ChatNext, 'toSend' | 'forgetPreview' | 'reportChangedInputs' | 'readWorkspace' | 'sending'>;
  readonly composer: RequestComposer;
  readonly behaviours: Behaviours;
  readonly servers: Pick<ServerHold, 'start'>;
  readonly blobs: Pick<Blobs, 'put'>;
}

/** Returns how runs of a chat prepare, store and send their requests. */
export function runRequests(chat: RunGateChat): RunRequests {
  return {
    preparing: (message, allowed) => preparing(message, allowed, chat),
    keepBlob: chat.blobs.put.bind(chat.blobs),
    sending: chat.next.sending,
  };
}

/** What a run reads at its beginning: ranking, tools, editor state. Later changes do not affect the run. */
interface Begun extends Pick<RequestExtras, 'tools' | 'workspace'> {
  readonly ranking: Ranking;
}

/**
 * Returns the functions that prepare the requests of a run for `message`. Catalog items are ranked once per run.
 * `prepare` is the only check of a request: it refuses images that the model cannot see before anything costs money,
 * then makes room, and asks for approval of the price. It rejects as `RequestComposer.compose` and `prepare` do, with
 * errors of the check, and with `cancelled`. `allowed` is called when the first request has passed the check. That
 * request contains the changes that `allowed` makes.
 */
function preparing(message: UserMessage, allowed: RunBeginning['onAllowed'], chat: RunGateChat): Pick<RunInput, 'prepare' | 'tools'> {
  let begun: Promise<Begun> | null = null;
  let newest: ComposedRequest | null = null;
  const { log, next, composer } = chat;
  const check = checkOf(chat.behaviours, message);
  let isFirst = true;
  const fitting = async (signal: AbortSignal): Promise<{ readonly composed: ComposedRequest; readonly made: Ranking['made'] }> => {
    begun ??= beginRun(message, signal, chat);
    const { ranking, ...read } = await begun;
    failIfAborted(signal, 'request.stopped');
    const picking = { scores: ranking.scores, ...read };
    const composed = await next.toSend(picking);
    if (isFirst) {
      refuseImages(composed);
    }
    newest = composed.excess === null ? composed : await shortenedRequest(picking, signal, chat);
    return { composed: newest, made: ranking.made };
  };
  const checked: typeof fitting = async (signal) => {
    let made = await fitting(signal);
    // A request that is too long is not checked: `RequestComposer.prepare` refuses it anyway.
    while (made.composed.excess === null && (await check(made.composed, log.state, signal))) {
      made = await fitting(signal);
    }
    return made;
  };
  let waiting = allowed;
  return {
    prepare: async (attemptId, signal) => {
      let { composed, made } = await checked(signal);
      isFirst = false;
      if (composed.excess === null && waiting !== null) {
        await waiting();
        waiting = null;
        next.forgetPreview();
        ({ composed, made } = await checked(signal));
      }
      const prepared = await composer.prepare(composed, log.state, { attemptId, picks: made });
      failIfAborted(signal, 'request.stopped');
      next.reportChangedInputs();
      return prepared;
    },
    tools: new ChatTools({
      ...chat,
      offered: async (signal) => {
        const { context, onDemand } = newest ?? (await fitting(signal)).composed;
        return { all: context.tools, onDemand };
      },
    }),
  };
}

/** Throws if the model cannot see the images of the message. Later steps of the run are not checked again. */
function refuseImages(composed: ComposedRequest): void {
  const problem = messageImageProblem(composed);
  if (problem !== null) {
    throw failure('request.imagesRefused', { problem });
  }
}

async function beginRun(message: UserMessage, signal: AbortSignal, chat: RunGateChat): Promise<Begun> {
  const { log, next, servers, behaviours, composer } = chat;
  const { reader } = composer;
  const workspace = await next.readWorkspace(log.state);
  await servers.start(await neededServers(log.state, { ...chat, requests: reader }), signal);
  const maySpend: MaySpend = async (usd) => (await behaviours.spending.objections({ usd })).length === 0;
  const ranking = await reader.rankSent(messageText(message), log.state, { signal, maySpend });
  await behaviours.sideRequests.add(ranking.requests);
  return { ranking, workspace, tools: await reader.knownTools(log.state) };
}

/** Shortens the conversation of a request that is too long. Returns the new request. */
async function shortenedRequest(
  picking: Parameters<ChatNext['toSend']>[0],
  signal: AbortSignal,
  { next, behaviours }: RunGateChat,
): Promise<ComposedRequest> {
  failIfAborted(signal, 'request.stopped');
  await behaviours.compactor.makeRoom(signal);
  failIfAborted(signal, 'request.stopped');
  return next.toSend(picking);
}
