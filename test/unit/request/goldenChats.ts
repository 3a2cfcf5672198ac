import type { CacheMode } from '../../../src/engine/chat/settings/config.js';
import type { Message } from '../../../src/engine/chat/message/message.js';
import type { ToolOutcome } from '../../../src/engine/ports.js';
import type { Capabilities } from '../../../src/engine/model/model.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { assistant, call, image, result, results, text, user } from '../../support/engine/messages.js';
import { EchoTool, lastUser, partialText } from '../../support/host/reading.js';
import type { ScriptedHouse, ScriptedPart } from '../../support/host/scriptedHouse.js';
import type { MemoryFiles } from '../../support/host/window.js';
import { markedCache } from '../../support/engine/models.js';

/** A golden chat, and the parts of its house that it changes. */
export interface Stage {
  readonly session: ChatSession;
  readonly house: ScriptedHouse;
  readonly files: MemoryFiles;
  readonly opaque: (name: string) => string;
  readonly keep: (content: string) => Promise<string>;
}

export interface GoldenChat {
  readonly name: string;
  readonly capabilities: Partial<Capabilities>;
  play(stage: Stage): Promise<void>;
}

const SHA_OF_NOTHING_KEPT = 'f'.repeat(64);
/** A result that is large enough to be cut: 300 KB. */
const LARGE_TEXT = `first\n${'a line of a large result\n'.repeat(12_000)}last\n`;

const file = (name: string) => ({ type: 'file', name, includeMode: 'manual', addedHash: null, given: null }) as const;
const says = (words: string): readonly ScriptedPart[] => [{ text: words }];

async function told(session: ChatSession, ...messages: readonly Message[]): Promise<void> {
  await session.record(messages.map((message) => ({ type: 'message', runId: null, message })));
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

async function plain({ session, house }: Stage): Promise<void> {
  house.replies.push(says('Hi there.'), says('You are welcome.'));
  await session.conversation.send('Hello ✓ 漢字 🎈');
  await session.conversation.send('Thanks\n\n```ts\nconst a = 1;\n```');
  await session.conversation.send('Bye');
}

async function withFiles({ session, files }: Stage): Promise<void> {
  files.texts.set('src/b.ts', 'export const b = `\n```\n`;\n');
  files.texts.set('a.md', 'no newline at the end');
  for (const name of ['src/b.ts', 'gone.ts', 'a.md']) {
    await session.context.add(file(name));
  }
  await session.context.add({ ...file('given.txt'), given: { inline: 'A selection.\n' } });
  await session.conversation.send('What is in them?');
  files.texts.set('a.md', 'edited\n');
  await session.conversation.send('And now?');
  await session.context.remove({ type: 'file', name: 'src/b.ts' });
  await session.conversation.send('And now?');
}

async function withSystemPrompt({ session }: Stage): Promise<void> {
  await session.changeConfig({ systemPrompt: 'You are a pilot.\n' });
  await session.fragments.set('style', 'Write in rhymes.');
  await session.fragments.set('blank', ' \n');
  await session.fragments.set('units', 'Feet, not metres.');
  await session.conversation.send('How high?');
  await session.fragments.set('style', null);
  await session.conversation.send('How high?');
}

const TWO_CALLS: readonly ScriptedPart[] = [
  { text: 'I look.' },
  { call: 'echo', id: 'call_1', args: { text: 'one', nested: [1, { b: 2, a: null }] } },
  { call: 'echo', id: 'call_2', args: {} },
];

async function withTools({ session, house }: Stage): Promise<void> {
  house.replies.push(TWO_CALLS, [{ call: 'missing', id: 'call_1', args: {} }], says('That is all.'));
  await session.conversation.send('Look');
  await session.conversation.send('Thanks');
}

async function withLostResult({ session }: Stage): Promise<void> {
  const said = assistant('a', 'I read.', call('c1', { path: 'a' }), call('c2', null), call('c3', {}));
  await told(session, user('u', 'Read'), said, results('r', { ...result('c3', text('three')), isError: true }, result('c1')));
  await session.conversation.send('Go on');
}

/** Names that some protocols refuse. Two of them are nearly equal. */
async function withOddToolNames({ session }: Stage): Promise<void> {
  const names = ['server:read file', 'server_read_file', 'überall', 'x'.repeat(140)];
  const calls = names.map((name, index) => ({ ...call(`c${String(index)}`, {}), name }));
  const answers = names.map((name, index) => ({ ...result(`c${String(index)}`, text(name.slice(0, 20))), name }));
  await told(session, user('u', 'Read'), assistant('a', ...calls), results('r', ...answers));
  await session.conversation.send('Go on');
  await session.conversation.send('And on');
}

async function stopped({ session, house }: Stage): Promise<void> {
  house.replies.push([{ text: 'A long ' }, { call: 'echo', id: 'call_1', args: { text: 'x' } }, 'hang'], ['hang']);
  const first = session.conversation.send('Tell me');
  await until(() => partialText(session) !== '' && session.state.attempts.values().next().value?.reply.length === 2);
  await session.conversation.stop();
  await first;
  const second = session.conversation.send('Nothing yet?');
  await until(() => house.bodies.length === 2);
  await session.conversation.stop();
  await second;
  await session.conversation.send('Once more');
}

async function edited({ session, house }: Stage): Promise<void> {
  house.replies.push(says('One.'), says('Two.'), says('Two, changed.'), says('Two, again.'));
  await session.conversation.send('First');
  await session.conversation.send('Second');
  await session.conversation.edit(lastUser(session.state).id, 'Second, changed');
  await session.conversation.retry(lastUser(session.state).id);
  await session.conversation.send('Third');
}

function thinking(opaque: Stage['opaque']) {
  return (name: string): readonly ScriptedPart[] => [{ thought: `Hm ${name}`, opaque: opaque(name) }, { text: `So ${name}` }];
}

async function withReasoning({ session, house, files, opaque }: Stage): Promise<void> {
  const thinks = thinking(opaque);
  files.texts.set('a.ts', 'let a;\n');
  await session.context.add(file('a.ts'));
  house.replies.push(thinks('1'), [...thinks('2'), ...thinks('2b')], [{ thought: 'cut off', opaque: null }, { text: 'So 3' }]);
  await session.conversation.send('One');
  await session.conversation.send('Two');
  await session.conversation.send('Three');
  await session.changeConfig({ model: house.other });
  house.replies.push(thinks('5'));
  await session.conversation.send('Four');
  await session.changeConfig({ model: house.large });
  files.texts.set('a.ts', 'let b;\n');
  house.replies.push(thinks('6'));
  await session.conversation.send('Five');
  await session.conversation.send('Six');
}

async function withReasoningAndTools({ session, house, opaque }: Stage): Promise<void> {
  const thinks = thinking(opaque);
  house.replies.push([...thinks('1'), { call: 'echo', id: 'c', args: { text: 'x' } }], thinks('2'), thinks('3'));
  await session.conversation.send('One');
  await session.conversation.send('Two');
}

async function withImages({ session, keep }: Stage): Promise<void> {
  const kept = await keep('not really a picture');
  await told(session, user('u', 'Look', image(kept), image(SHA_OF_NOTHING_KEPT)), assistant('a', call('c', {})));
  await told(session, results('r', result('c', text('a screen:'), image(kept))));
  await session.conversation.send('What is it?');
}

async function withLargeResults({ session, keep }: Stage): Promise<void> {
  const large = { type: 'blob', blob: await keep(LARGE_TEXT), bytes: LARGE_TEXT.length, preview: 'first' } as const;
  const whole = { type: 'blob', blob: await keep('short enough'), bytes: 12, preview: 'short' } as const;
  const lost = { type: 'blob', blob: SHA_OF_NOTHING_KEPT, bytes: 70_000, preview: 'It began so' } as const;
  await told(session, user('u', 'Read'), assistant('a', call('c1', {}), call('c2', {}), call('c3', {})));
  await told(session, results('r', result('c1', large), result('c2', whole, text(LARGE_TEXT)), result('c3', lost)));
  await session.conversation.send('Go on');
}

async function withoutBeginning({ session }: Stage): Promise<void> {
  await told(session, assistant('a', 'An answer to nothing.'), results('r', result('nobody', text('?'))));
  await session.conversation.send('Hello');
}

/** Long enough for a cache. */
const LONG = 'All work and no play makes a dull chat. '.repeat(150);

function cachedAs(cacheMode: CacheMode) {
  return async ({ session }: Stage): Promise<void> => {
    await session.changeConfig({ cacheMode, systemPrompt: LONG });
    await session.conversation.send(LONG);
    await session.conversation.send('Short');
  };
}

/** Sends until a file and messages are in L2, and others in L3. Then another file changes. */
async function inTiers({ session, files }: Stage): Promise<void> {
  await session.changeConfig({ layout: 'tiered', cacheTargetTokens: 0 });
  for (const name of ['a.ts', 'b.ts']) {
    files.texts.set(name, `export const name = '${name}';\n`);
    await session.context.add(file(name));
  }
  for (let count = 1; count <= 7; count += 1) {
    await session.conversation.send(`Message ${String(count)}`);
  }
  files.texts.set('b.ts', 'export const name = null;\n');
  await session.conversation.send('And now?');
}

const SAME: Partial<Capabilities> = {};
const MARKS: Partial<Capabilities> = { cache: markedCache({}) };

export const GOLDEN_CHATS: readonly GoldenChat[] = [
  { name: 'plain', capabilities: SAME, play: plain },
  { name: 'files', capabilities: SAME, play: withFiles },
  { name: 'system-prompt', capabilities: SAME, play: withSystemPrompt },
  { name: 'tools', capabilities: SAME, play: withTools },
  { name: 'tools-alone-in-their-turn', capabilities: { userContentAfterToolResults: false }, play: withLostResult },
  { name: 'lost-result', capabilities: SAME, play: withLostResult },
  { name: 'tool-names', capabilities: SAME, play: withOddToolNames },
  { name: 'no-tools', capabilities: { tools: false, images: false }, play: withTools },
  { name: 'no-tools-no-images', capabilities: { tools: false, images: false }, play: withImages },
  { name: 'stopped', capabilities: SAME, play: stopped },
  { name: 'edited', capabilities: SAME, play: edited },
  { name: 'reasoning', capabilities: { reasoningReplay: 'samePrefix' }, play: withReasoning },
  { name: 'reasoning-always', capabilities: { reasoningReplay: 'always' }, play: withReasoning },
  { name: 'reasoning-tools', capabilities: { reasoningReplay: 'samePrefix' }, play: withReasoningAndTools },
  { name: 'reasoning-tools-always', capabilities: { reasoningReplay: 'always' }, play: withReasoningAndTools },
  { name: 'images', capabilities: SAME, play: withImages },
  { name: 'large-results', capabilities: SAME, play: withLargeResults },
  { name: 'without-beginning', capabilities: SAME, play: withoutBeginning },
  { name: 'cache-off', capabilities: MARKS, play: cachedAs('all-off') },
  { name: 'cache-system', capabilities: MARKS, play: cachedAs('system') },
  { name: 'cache-whole', capabilities: MARKS, play: cachedAs('cached') },
  { name: 'tiered', capabilities: { cache: markedCache({ minimumTokens: 0 }) }, play: inTiers },
];

/** The tool of the golden chats. Its answers depend on its input. */
export class GoldenTool extends EchoTool {
  override async call(request: Parameters<EchoTool['call']>[0]): Promise<ToolOutcome> {
    const { content } = await super.call(request);
    return { content, isError: !Object.hasOwn(request.args, 'text') };
  }
}
