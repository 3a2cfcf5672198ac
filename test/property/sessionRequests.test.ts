import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatSession } from '../../src/host/chat/chatSession.js';
import { sha256 } from '../../src/host/window/systemPorts.js';
import type { EditorSource, SelectedLines } from '../../src/host/context/editorState/editorSource.js';
import { CODE_POINT } from '../support/codePoint.js';
import { depth } from '../support/depth.mjs';
import { NO_EDITOR } from '../support/host/editor.js';
import { EchoTool, lastUser, messages } from '../support/host/reading.js';
import { MemoryFiles, useWindows, type Window } from '../support/host/window.js';

const TURNS = depth({ short: 60, deep: 120 });
const PATHS = ['a.ts', 'b.ts', 'dir/c.md', 'dir/ü.txt'] as const;
/** Results that stay in the log, become a blob, or are sent shortened. */
const LARGE = [2_000, 20_000, 300_000] as const;

/** Answers with as many dashes as asked: much text, few tokens. */
class MuchTool extends EchoTool {
  override async call(request: Parameters<EchoTool['call']>[0]): ReturnType<EchoTool['call']> {
    const outcome = await super.call(request);
    const { much } = request.args;
    return typeof much === 'number' ? { ...outcome, content: [{ type: 'text', text: '-'.repeat(much) }] } : outcome;
  }
}

type Change = (session: ChatSession, files: MemoryFiles, editor: Editor) => Promise<void>;

/** An editor with a selection that changes. */
class Editor {
  text: string | null = null;

  get source(): EditorSource {
    const selection = (): SelectedLines | null => (this.text === null ? null : { lines: [1, 2], text: this.text, isCut: false });
    return { ...NO_EDITOR, active: () => Promise.resolve({ path: 'a.ts', withheld: null, selection: selection(), visible: null }) };
  }
}

const item = (name: string) => ({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null }) as const;
const path = fc.constantFrom(...PATHS);
/** Small ones stay in the log, large ones become blobs. */
const content = fc
  .tuple(fc.string({ unit: CODE_POINT, maxLength: 20 }), fc.constantFrom(1, 3, 2_000))
  .map(([text, times]) => `x${text}`.repeat(times));

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Change>(() => Promise.resolve()) },
  fc.tuple(path, content).map(
    ([name, text]): Change =>
      async (session, files) => {
        files.texts.set(name, text.replaceAll('\0', ''));
        await session.context.add(item(name));
      },
  ),
  fc.tuple(path, content).map(
    ([name, text]): Change =>
      (_, files) => {
        files.texts.set(name, text.replaceAll('\0', ''));
        return Promise.resolve();
      },
  ),
  path.map(
    (name): Change =>
      (session) =>
        session.context.remove(item(name)),
  ),
  path.map(
    (name): Change =>
      (_, files) => {
        files.texts.delete(name);
        return Promise.resolve();
      },
  ),
  fc.constantFrom('', 'Be brief.', 'Be polite.').map(
    (systemPrompt): Change =>
      (session) =>
        session.changeConfig({ systemPrompt }),
  ),
  fc.constantFrom<('all-off' | 'system' | 'cached')[]>('all-off', 'system', 'cached').map(
    (cacheMode): Change =>
      (session) =>
        session.changeConfig({ cacheMode }),
  ),
  fc.constantFrom<('adaptive' | 'tiered' | 'plain')[]>('adaptive', 'tiered', 'tiered', 'plain').map(
    (layout): Change =>
      (session) =>
        session.changeConfig({ layout, cacheMode: 'cached' }),
  ),
  fc.option(content).map(
    (text): Change =>
      (_, __, editor) => {
        editor.text = text;
        return Promise.resolve();
      },
  ),
  fc.constantFrom('on' as const, 'off' as const).map(
    (editorFile): Change =>
      (session) =>
        session.changeConfig({ editorFile }),
  ),
  fc.constantFrom(null, 'One.', 'Another.').map(
    (text): Change =>
      (session) =>
        session.fragments.set('fragment', text),
  ),
);

const message = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }).map((words) => `/long ${String(words)}`) },
  fc.constantFrom(
    '/tool echo {"a": 1}',
    ...LARGE.map((n) => `/tool echo {"much": ${String(n)}}`),
    '/tool echo {broken',
    '/tool missing {}',
    'Text\n/error 500',
    '/error cut',
  ),
);

type Step = readonly [Change, string, 'send' | 'retry' | 'edit'];

const step: fc.Arbitrary<Step> = fc.tuple(
  change,
  message,
  fc.oneof({ weight: 8, arbitrary: fc.constant('send' as const) }, fc.constantFrom('retry' as const, 'edit' as const)),
);

interface Played {
  readonly window: Window;
  readonly session: ChatSession;
  readonly files: MemoryFiles;
  readonly editor: Editor;
}

async function take({ session, files, editor }: Omit<Played, 'window'>, [alter, text, way]: Step): Promise<void> {
  await alter(session, files, editor);
  if (messages(session.state).every(({ role }) => role !== 'user') || way === 'send') {
    await session.conversation.send(text);
  } else if (way === 'retry') {
    await session.conversation.retry(lastUser(session.state).id);
  } else {
    await session.conversation.edit(lastUser(session.state).id, text);
  }
}

async function checkRebuilt(session: ChatSession, sent: readonly string[]): Promise<void> {
  const attempts = [...session.state.attempts.values()];
  assert.equal(attempts.length, sent.length);
  for (const [index, attempt] of attempts.entries()) {
    const { rebuilt } = await session.records.request(attempt.id);
    assert.ok(rebuilt.body === sent[index], `request ${String(index)} differs from the one that was sent`);
    assert.equal(sha256(rebuilt.body), attempt.manifest.bodyHash);
    assert.equal(rebuilt.note, null);
  }
}

async function nextBody(session: ChatSession): Promise<string> {
  const composed = await session.next.preview({ text: 'Go on', editing: null });
  return composed.wire().body;
}

describe('the request behind every reply of a chat', () => {
  const windows = useWindows();

  async function play(steps: readonly Step[]): Promise<Played> {
    await windows.newFolder();
    const files = new MemoryFiles();
    const editor = new Editor();
    const { window, session } = await windows.openChat({ files, editor: editor.source, tools: new MuchTool() });
    for (const each of steps) {
      await take({ session, files, editor }, each);
    }
    return { window, session, files, editor };
  }

  async function check(steps: readonly Step[]): Promise<void> {
    const { window, session, files, editor } = await play(steps);
    assert.ok(window.model.bodies.length >= steps.length / 2, 'most turns reach the model');
    await checkRebuilt(session, window.model.bodies);
    const reopened = await windows.open({ writerId: 'other', files, editor: editor.source }).chats.open(session.id);
    await reopened.whole();
    await checkRebuilt(reopened, window.model.bodies);
    assert.ok((await nextBody(reopened)) === (await nextBody(session)), 'a chat that was loaded goes on as the one that was kept');
    await windows.closeAll();
  }

  it('is rebuilt byte for byte, whatever happened in between', async () => {
    const steps = fc.array(step, { minLength: 1, maxLength: 8 });
    await fc.assert(fc.asyncProperty(steps, check), { numRuns: depth({ short: 10, deep: 200 }) });
  });

  it(`is rebuilt byte for byte in a chat of ${String(TURNS)} turns`, async () => {
    const steps = fc.array(step, { minLength: TURNS, maxLength: TURNS });
    await fc.assert(fc.asyncProperty(steps, check), { numRuns: 1, endOnFailure: true });
  });
});
