import type { ReplyStreamPart, StreamPart } from '../../../src/engine/model/model.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import type { ChatState } from '../../../src/engine/chat/state.js';
import { ChatFold } from '../../../src/engine/chat/fold.js';
import { run } from '../../../src/engine/run/run.js';
import { ReplyCount } from '../../../src/engine/run/replyTokens.js';
import { EntryViews } from '../../../src/host/panel/conversation/entries.js';
import { PANEL_STATE, type PanelState } from '../../../src/protocol/panel/state.js';
import { created, EMPTY_MANIFEST } from './events.js';
import { user } from './messages.js';
import { OPEN_MODEL } from './models.js';
import { sha256 } from '../../../src/host/window/systemPorts.js';
import { NO_TOOLS, UNASKED, runTools } from './toolExecutor.js';
import { ANY_MODEL, EMPTY_PANEL } from '../../../webview/preview/views.js';
import { CountingHex, ManualClock, characters } from './ports.js';
import { END, ESTIMATED_USAGE } from './runRig.js';

/** How often the panel updates during a reply of any length. */
const LOOKS = 20;

/** A received reply: the chat, what the webview shows, and what was logged. */
export interface Received {
  readonly state: ChatState;
  readonly shown: PanelState;
  readonly written: readonly NewEvent[];
  /** The work for the whole reply divided by that for its first half. Linear work gives 2, quadratic work 4. */
  readonly growth: number;
}

/** Receives a reply of `count` pieces as a session does, with a visible panel. */
export async function receive(count: number, piece: (index: number) => ReplyStreamPart): Promise<Received> {
  const fold = ChatFold.created({ ...created(), at: 0, writer: 'w' });
  const written: NewEvent[] = [];
  const look = onlooker(fold.state);
  const begun = process.cpuUsage();
  let half = begun;
  let steps = 0;
  for await (const { events: drafts, persistence } of run(inputOf(streamOf(count, piece)), {
    clock: new ManualClock(),
    random: new CountingHex(),
  })) {
    for (const draft of drafts) {
      fold.apply({ ...draft, at: 0, writer: 'w' });
    }
    if (persistence === 'shown') {
      steps += 1;
      half = steps * 2 === count ? process.cpuUsage() : half;
    } else {
      written.push(...drafts);
    }
    if (persistence === 'shown' && steps % Math.ceil(count / LOOKS) === 0) {
      look();
    }
  }
  const growth = process.cpuUsage(begun).user / (half.user - begun.user);
  return { state: fold.state, shown: look(), written, growth };
}

async function* streamOf(count: number, piece: (index: number) => ReplyStreamPart): AsyncGenerator<StreamPart> {
  for (let index = 0; index < count; index += 1) {
    yield await Promise.resolve(piece(index));
  }
  yield END as StreamPart;
}

function inputOf(stream: AsyncIterable<StreamPart>): Parameters<typeof run>[0] {
  const nobody = (): Promise<never> => Promise.reject(new Error('Nobody does that here.'));
  return {
    runId: 'r',
    cause: 'message',
    userMessage: user('u', 'Hello'),
    isNew: true,
    open: null,
    tools: runTools(NO_TOOLS),
    control: UNASKED,
    sha256,
    keepBlob: nobody,
    keepImage: nobody,
    reportError: () => undefined,
    signal: new AbortController().signal,
    prepare: (attemptId) =>
      Promise.resolve({
        attemptId,
        model: OPEN_MODEL,
        client: { convert: () => ({ body: '{}', converterVersion: 'test/1' }), countTokens: nobody, stream: () => stream },
        manifest: EMPTY_MANIFEST,
        wire: { body: '{}', converterVersion: 'test/1' },

        cacheControlIndex: null,
        pricesOf: () => null,
        estimateUsage: () => Promise.resolve(ESTIMATED_USAGE),
      }),
  };
}

function onlooker(state: ChatState): () => PanelState {
  const views = new EntryViews(() => ANY_MODEL);
  const counts = new ReplyCount(characters);
  let posted = EMPTY_PANEL;
  let shown = EMPTY_PANEL;
  return () => {
    const next = { ...EMPTY_PANEL, entries: views.derive(state, 50).entries };
    for (const { reply } of state.attempts.values()) {
      counts.read(reply);
    }
    const delta = PANEL_STATE.diff(posted, next);
    posted = next;
    shown = delta === null ? shown : PANEL_STATE.apply(shown, delta);
    return shown;
  };
}
