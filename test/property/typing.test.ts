import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatConfig } from '../../src/engine/chat/settings/config.js';
import { typicalReply } from '../../src/engine/accounting/usualCosts.js';
import { callsTools } from '../../src/engine/chat/message/message.js';
import type { ChatState } from '../../src/engine/chat/state.js';
import { transcript } from '../../src/engine/chat/transcript.js';
import { openMessages } from '../../src/engine/compaction/range.js';
import { type Prompt, promptBlocks, promptBreakpoints, promptEnds } from '../../src/engine/model/prompt.js';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { draftMessages, type DraftToPreview } from '../../src/host/chat/drafts.js';
import { MeaningRanker } from '../../src/host/context/catalog/meaningRanker.js';
import { BackgroundCount } from '../../src/engine/next/backgroundCount.js';
import { nextRequestRows } from '../../src/host/panel/nextRequest/contextUsed.js';
import type { ComposedRequest } from '../../src/engine/next/compose.js';
import { exclusionPrices } from '../../src/engine/next/exclusionPrices.js';
import { ModelLearning } from '../../src/engine/next/learned.js';
import { RequestComposer } from '../../src/host/request/compose/requestComposer.js';
import { sha256 } from '../../src/host/window/systemPorts.js';
import { PRACTICE_SMALL, PRACTICE_STANDARD } from '../../src/providers/practice/models.js';
import { depth } from '../support/depth.mjs';
import { failureOf } from '../support/failures.js';
import { SteppedClock } from '../support/host/clocks.js';
import { EchoTool } from '../support/host/reading.js';
import { MemoryFiles, useWindows, type Window } from '../support/host/window.js';
import { NO_MAP } from '../support/engine/requests.js';

/** Its time moves between two keys only as a step says. */
class Time extends SteppedClock {
  override sleep(): Promise<void> {
    return Promise.resolve();
  }
}

/** A cache with breakpoints; and an automatic one, with an estimating counter, for a small model without tools. */
const MODELS = [
  PRACTICE_STANDARD,
  {
    ...PRACTICE_SMALL,
    maxInputTokens: 2_000,
    capabilities: {
      ...PRACTICE_SMALL.capabilities,
      counterIsExact: false,
      tools: false,
      cache: { kind: 'automatic', minimumTokens: 64, stepTokens: 16, lifetimeSeconds: 600 },
    },
  },
] as const;

const item = (name: string) => ({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null }) as const;
const words = fc.array(fc.constantFrom('tide', ' ', 'the boat', '\n', 'ü', '0.5'), { maxLength: 8 }).map((parts) => parts.join(' '));
/** Blank drafts, and some that cross the budget, the minimum of the cache, or a step of the room for files. */
const draft = fc.oneof(
  { weight: 5, arbitrary: words },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\n\n') },
  { weight: 2, arbitrary: fc.tuple(words, fc.constantFrom(20, 200, 1_500)).map(([text, times]) => `x ${text}`.repeat(times)) },
);
const image = { type: 'image', blob: 'a'.repeat(64), mimeType: 'image/png', bytes: 1, width: 1, height: 1 } as const;

type Between = (session: ChatSession, window: { readonly files: MemoryFiles; readonly clock: Time }) => Promise<void>;

const config = fc.constantFrom<Partial<ChatConfig>>(
  ...(['adaptive', 'tiered', 'plain'] as const).map((layout) => ({ layout, cacheMode: 'cached' as const })),
  ...(['all-off', 'system'] as const).map((cacheMode) => ({ cacheMode })),
  ...MODELS.map(({ ref }) => ({ model: ref })),
  ...[null, 400, 1_500].map((maxPromptTokens) => ({ maxPromptTokens, reservedResponseTokens: 0 })),
  { systemPrompt: 'You are a pilot.' },
  { cacheLifetime: '1h' },
  { toolMemory: 0 },
  ...[1, 100].map((pickMinimum) => ({ pickMinimum })),
);

const nothing: Between = () => Promise.resolve();

function withFile(name: string, text: string): Between {
  return async (session, { files }) => {
    files.texts.set(name, text);
    await session.context.add(item(name));
  };
}

/** A rule that the word `tide` picks. */
const withRule: Between = (_, { files }) => {
  files.texts.set('.cursor/rules/tides.mdc', '---\ndescription: tide boat\n---\nIn metres.');
  return Promise.resolve();
};

/** The file `a.ts` gets this text, or is deleted. */
function onDisk(text: string | null): Between {
  return (_, { files: { texts } }) => {
    texts.delete('a.ts');
    if (text !== null) {
      texts.set('a.ts', text);
    }
    return Promise.resolve();
  };
}

function afterSending(text: string): Between {
  return async (session) => {
    await session.conversation.send(text);
  };
}

function after(ms: number): Between {
  return (_, { clock }) => {
    clock.time += ms;
    return Promise.resolve();
  };
}

const withoutFirstTurn: Between = async (session) => {
  const first = openMessages(session.state).find(({ role }) => role === 'user');
  if (first !== undefined) {
    await session.marks.exclude(first.id, 'later');
  }
};

/** A pin keeps tool calls that the request would forget. */
const pinOfCalls: Between = async ({ state, marks }) => {
  const reply = openMessages(state).find(callsTools);
  if (reply !== undefined) {
    await (state.pinned.has(reply.id) ? marks.unpin(reply.id) : marks.pin(reply.id));
  }
};

const between: fc.Arbitrary<Between> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(nothing) },
  config.map(
    (change): Between =>
      (session) =>
        session.changeConfig(change),
  ),
  fc
    .tuple(fc.constantFrom('a.ts', 'b.ts'), fc.constantFrom('one\n', 'two\n'.repeat(40), 'three\n'.repeat(300)))
    .map(([name, text]) => withFile(name, text)),
  fc.constant<Between>((session) => session.context.remove(item('a.ts'))),
  fc.constantFrom('changed\n', null).map(onDisk),
  fc.constant(withRule),
  fc.constantFrom('Be brief.', null).map(
    (text): Between =>
      (session) =>
        session.fragments.set('fragment', text),
  ),
  fc.constantFrom(10_000, 301_000, 3_601_000).map(after),
  fc.constantFrom('Text', '/long 30', '/tool echo {"a": 1}').map(afterSending),
  fc.constant(withoutFirstTurn),
  fc.constant(pinOfCalls),
);

/** What happens after a preview. `sent` sends the draft; its first attempt fails, so that it is sent twice. */
type After = 'nothing' | 'shownAgain' | 'sent';

interface Key {
  readonly between: Between;
  readonly text: string;
  readonly isWithImage: boolean;
  readonly after: After;
}

const key: fc.Arbitrary<Key> = fc.record({
  between,
  text: draft,
  isWithImage: fc.integer({ max: 9, min: 0 }).map((n) => n === 0),
  after: fc.constantFrom<After>('nothing', 'nothing', 'shownAgain', 'sent'),
});

/** Without functions, which differ in each request. Figures are cached by the state itself, and not by its copies. */
function comparable(composed: ComposedRequest, state: ChatState): object {
  const shown = { rows: nextRequestRows(composed), prices: exclusionPrices(composed, state), usualReply: typicalReply(state, composed) };
  return {
    ...composed,
    inputs: null,
    wire: composed.wire().body,
    forecastWithSentTools: composed.forecastWithSentTools(),
    facts: factsOf(composed.prompt),
    ...shown,
  };
}

/** Returns what is kept of a prompt from key to key, and checks it against an equal prompt that is new. */
function factsOf(prompt: Prompt): readonly unknown[] {
  const [facts, ofNew] = [prompt, structuredClone(prompt)].map((each) => [promptBlocks(each), promptEnds(each), promptBreakpoints(each)]);
  assert.deepEqual(facts, ofNew);
  return facts ?? [];
}

describe('a request that is composed at each key', () => {
  const windows = useWindows();

  /** Composes the request without earlier ones, after learning from the chat now. */
  async function fromTheBeginning(
    { state }: ChatSession,
    window: Window,
    draft: DraftToPreview,
    fragment: string | null,
  ): Promise<ComposedRequest> {
    const { models, files, catalog, toolbox, clock } = window;
    const logError = (): void => undefined;
    const learned = new ModelLearning(clock);
    learned.take(state.lessons);
    const composer = new RequestComposer({
      ...{ models, files, catalog, toolbox, clock, sha256, learned, logError },
      repository: NO_MAP,
      meaning: new MeaningRanker({ catalog, embedder: () => null, sha256, clock, logError }),
      blobs: window.store.blobs(state.chatId),
      counting: new BackgroundCount({ clock, logError }),
    });
    return composer.compose(state, {
      fragments: fragment === null ? [] : [{ key: 'fragment:fragment', text: fragment }],
      newMessages: draftMessages(draft, null),
      scores: draft.text.trim() === '' && draft.images.length === 0 ? [] : await composer.reader.rank(draft.text, state),
      workspace: [],
      tools: null,
      instruction: null,
      at: null,
      isDraft: false,
    });
  }

  async function check(sent: readonly string[], keys: readonly Key[]): Promise<void> {
    await windows.newFolder();
    const files = new MemoryFiles();
    const clock = new Time();
    const window = windows.open({ files, clock, models: MODELS, tools: new EchoTool(), config: { model: PRACTICE_STANDARD.ref } });
    const session = await window.chats.create();
    for (const text of sent) {
      await session.conversation.send(text);
    }
    let fragment: string | null = null;
    const set = session.fragments.set.bind(session.fragments);
    session.fragments.set = (id, text) => {
      fragment = text;
      return set(id, text);
    };
    let drafts = 0;
    for (const each of keys) {
      await each.between(session, { files, clock });
      // A summary in the background would change the chat between the requests that are compared.
      await session.compactor.settled();
      const draft = { text: each.text, images: each.isWithImage ? [image] : [], messageId: `draft ${String(drafts)}`, editing: null };
      const composed = await session.next.preview(draft);
      const expected = comparable(await fromTheBeginning(session, window, draft, fragment), { ...session.state });
      assert.deepEqual(comparable(composed, session.state), expected);
      if (each.after === 'shownAgain') {
        assert.deepEqual(comparable(await session.next.preview(draft), session.state), expected);
      } else if (each.after === 'sent' && composed.excess === null && composed.answered === draft.messageId) {
        drafts += 1;
        await checkSent(session, window, composed.wire().body, draft);
      }
    }
    await windows.closeAll();
  }

  /** Sends the previewed draft. All attempts have the bytes of the preview, unless a summary was written meanwhile. */
  async function checkSent(session: ChatSession, { model }: Window, previewed: string, draft: DraftToPreview): Promise<void> {
    const { state } = session;
    const [attempts, compactions] = [state.attempts.size, state.compactions.size];
    model.failures.push(failureOf('rateLimit', 'Later.'));
    for (const message of draftMessages(draft, null)) {
      await session.conversation.sendDraft(message);
    }
    const sent = [...state.attempts.values()].slice(attempts).filter(({ purpose }) => purpose === 'reply');
    assert.ok(sent.length > 0);
    if (state.compactions.size === compactions) {
      assert.deepEqual([...new Set(sent.map(({ manifest }) => manifest.bodyHash))], [sha256(previewed)]);
    }
  }

  it('is the one that is composed from the beginning, whatever was typed and has changed since the last key', async () => {
    const sent = fc.array(fc.constantFrom('Hello', '/long 200', '/tool echo {"a": 1}'), { minLength: 0, maxLength: 4 });
    const keys = fc.array(key, { minLength: 4, maxLength: 20 });
    await fc.assert(fc.asyncProperty(sent, keys, check), { numRuns: depth({ short: 40, deep: 1_000 }) });
  });

  it('is that of the chat as it is now: summarized, with a summary undone, an excluded turn, a message edited or tried again', async () => {
    const typed = (between: Between): Key => ({ between, text: 'x', isWithImage: false, after: 'shownAgain' });
    const users = ({ state }: ChatSession): readonly string[] =>
      transcript(state).messages.flatMap(({ role, id }) => (role === 'user' ? [id] : []));
    const first = (act: (session: ChatSession, id: string) => Promise<void>): Key =>
      typed((session) => act(session, users(session).at(1) ?? assert.fail('Nothing was said.')));
    await check(
      ['Hello', '/long 200', '/long 200', '/long 200', 'Text'],
      [
        typed(nothing),
        first(({ compactor }, id) => compactor.summarize(id)),
        first(({ compactor }) => compactor.undo()),
        first(({ marks }, id) => marks.exclude(id, 'later')),
        first(({ marks }, id) => marks.exclude(id, 'now')),
        first(({ conversation }, id) => conversation.edit(id, 'Edited')),
        first(({ conversation }, id) => conversation.retry(id)),
      ],
    );
  });

  it('is laid out anew when the cache has gone cold since the last key', async () => {
    const typed = (between: Between, text: string): Key => ({ between, text, isWithImage: false, after: 'nothing' });
    await check(
      ['Hello'],
      [
        typed(withFile('a.ts', 'one\n'.repeat(300)), 'x'),
        typed(afterSending('Text'), 'x'),
        typed(withFile('b.ts', 'two\n'.repeat(300)), 'x'),
        typed(afterSending('/long 200'), 'x'),
        typed((session) => session.context.remove(item('a.ts')), 'x'),
        typed(nothing, 'xy'),
        typed(after(3_601_000), 'xyz'),
      ],
    );
  });

  it('has the rules that the settings of the chat pick now', async () => {
    const typed = (between: Between): Key => ({ between, text: 'tide', isWithImage: false, after: 'shownAgain' });
    const least =
      (pickMinimum: number): Between =>
      (session) =>
        session.changeConfig({ pickMinimum });
    await check(['Hello'], [typed(withRule), typed(least(100)), typed(least(1))]);
  });

  it('has the prices of exclusions after a file before the conversation was deleted on disk', async () => {
    const typed = (between: Between): Key => ({ between, text: 'x', isWithImage: false, after: 'nothing' });
    await check(
      ['Hello', '/long 200', '/tool echo {"a": 1}'],
      [
        typed((session) => session.changeConfig({ layout: 'plain' })),
        typed(withFile('a.ts', 'one\n'.repeat(300))),
        typed(afterSending('Text')),
        typed(onDisk(null)),
        typed(afterSending('Text')),
        typed(onDisk('one\n'.repeat(300))),
      ],
    );
  });
});
