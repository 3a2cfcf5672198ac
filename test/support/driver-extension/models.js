// Scripted language models for VS Code, instead of those of other extensions:
//
//   /error NoPermissions|Blocked|NotFound   that error of VS Code's API
//   /error <words>                          any other error
//   /break                                  some text, then an error
//   /hang                                   some text, then nothing until it is cancelled
//   /tool <name> <json>                     a tool call; after its result, a conclusion
//   /loop <name> <json>                     a tool call, again after each result
//   anything else                           the request as JSON
//
// They exist after loupeTest.models.add. loupeTest.models.remove removes them and reports it to VS Code. With .vanish,
// VS Code gets no report and notices at the next question. loupeTest.models.received returns the requests as JSON.

const vscode = require('vscode');

const VENDOR = 'loupe-test';
/** Characters of each piece of a reply. */
const PIECE = 40;

const FEATURES = { family: 'script', version: '1', maxOutputTokens: 1_000, capabilities: { toolCalling: true } };
const MODELS = [
  { id: 'echo', name: 'Echo', maxInputTokens: 20_000, ...FEATURES },
  { id: 'family/small', name: 'Small Echo', maxInputTokens: 500, ...FEATURES },
];

/** @typedef {{ role: string, content: Record<string, unknown>[] }} Message */

/** @returns {{ dispose(): void }[]} */
exports.modelCommands = () => {
  /** @type {unknown[]} */
  const received = [];
  const counts = { cancelled: 0 };
  const changed = new vscode.EventEmitter();
  /** @type {vscode.Disposable | null} */
  let registered = null;
  const vanish = () => {
    registered?.dispose();
    registered = null;
  };
  const remove = () => {
    changed.fire(undefined);
    vanish();
  };
  const add = () => {
    registered ??= vscode.lm.registerLanguageModelChatProvider(VENDOR, {
      ...provider(received, counts),
      onDidChangeLanguageModelChatInformation: /** @type {vscode.Event<void>} */ (changed.event),
    });
    changed.fire(undefined);
  };
  return [
    { dispose: vanish },
    changed,
    vscode.commands.registerCommand('loupeTest.models.add', add),
    vscode.commands.registerCommand('loupeTest.models.remove', remove),
    vscode.commands.registerCommand('loupeTest.models.vanish', vanish),
    vscode.commands.registerCommand('loupeTest.models.received', () => received),
    vscode.commands.registerCommand('loupeTest.models.cancelled', () => counts.cancelled),
  ];
};

/**
 * @param {unknown[]} received
 * @param {{ cancelled: number }} counts
 * @returns {vscode.LanguageModelChatProvider}
 */
function provider(received, counts) {
  return {
    provideLanguageModelChatInformation: () => MODELS,
    provideLanguageModelChatResponse: async (model, messages, ...rest) => {
      const [options, progress, token] = rest;
      const request = {
        messages: messages.map(plainMessage),
        tools: (options.tools ?? []).map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
        modelOptions: options.modelOptions ?? {},
      };
      received.push({ model: model.id, ...request });
      token.onCancellationRequested(() => (counts.cancelled += 1));
      await answer(request, progress, token);
    },
    provideTokenCount: async (_model, text) => words(typeof text === 'string' ? text : JSON.stringify(plainMessage(text).content)),
  };
}

/** @typedef {vscode.Progress<vscode.LanguageModelResponsePart>} Progress */
/** @typedef {{ rest: string, count: number, progress: Progress, token: vscode.CancellationToken }} Script */

/** @type {Record<string, (script: Script) => void | Promise<void>>} */
const COMMANDS = {
  error: ({ rest }) => {
    throw errorOf(rest);
  },
  break: ({ progress }) => {
    say('This much.', progress);
    throw new Error('The line broke.');
  },
  hang: async ({ progress, token }) => {
    say('Wait.', progress);
    await new Promise((resolve) => token.onCancellationRequested(resolve));
  },
  tool: ({ rest, count, progress }) => {
    const [, name = '', input = '{}'] = /^(\S+) ?(.*)$/s.exec(rest) ?? [];
    say('I call a tool.', progress);
    progress.report(new vscode.LanguageModelToolCallPart(`call-${count}`, name, JSON.parse(input)));
  },
};

/**
 * @param {{ messages: Message[] }} request
 * @param {Progress} progress
 * @param {vscode.CancellationToken} token
 */
async function answer(request, progress, token) {
  const last = request.messages.at(-1)?.content.at(-1) ?? {};
  reportUsage(progress);
  const loop = request.messages.map(({ content }) => /^\/loop (.*)$/s.exec(String(content.at(-1)?.['text']))?.[1]).findLast(Boolean);
  if (loop !== undefined) {
    await COMMANDS['tool']?.({ rest: loop, count: request.messages.length, progress, token });
    return;
  }
  if (last['type'] === 'toolResult') {
    say(`Done: ${JSON.stringify(last)}`, progress);
    return;
  }
  const [, name = '', rest = ''] = /^\/(\w+) ?(.*)$/s.exec(typeof last['text'] === 'string' ? last['text'] : '') ?? [];
  const command = COMMANDS[name];
  if (command === undefined) say(JSON.stringify(request), progress);
  else await command({ rest, count: request.messages.length, progress, token });
}

/**
 * Copilot Chat reports its usage in a part that the API does not document.
 *
 * @param {Progress} progress
 */
function reportUsage(progress) {
  progress.report(new vscode.LanguageModelDataPart(Buffer.from('{"prompt_tokens":40,"completion_tokens":2}'), 'usage'));
}

/**
 * @param {string} text
 * @param {Progress} progress
 */
function say(text, progress) {
  for (let at = 0; at < text.length; at += PIECE) {
    progress.report(new vscode.LanguageModelTextPart(text.slice(at, at + PIECE)));
  }
}

/** @param {string} which */
function errorOf(which) {
  switch (which) {
    case 'NoPermissions':
    case 'Blocked':
    case 'NotFound':
      return vscode.LanguageModelError[which](`The script says ${which}.`);
    default:
      return new Error(which);
  }
}

/**
 * A message in the form in which Loupe records it.
 *
 * @param {vscode.LanguageModelChatRequestMessage} message
 * @returns {Message}
 */
function plainMessage({ role, content }) {
  return {
    role: role === vscode.LanguageModelChatMessageRole.User ? 'user' : 'assistant',
    content: content.map(plainPart),
  };
}

/**
 * @param {unknown} part
 * @returns {Record<string, unknown>}
 */
function plainPart(part) {
  if (part instanceof vscode.LanguageModelTextPart) return { type: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return { type: 'toolCall', id: part.callId, name: part.name, args: part.input };
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    return { type: 'toolResult', callId: part.callId, content: part.content.map(plainPart) };
  }
  if (part instanceof vscode.LanguageModelDataPart) {
    return { type: 'image', mimeType: part.mimeType, data: Buffer.from(part.data).toString('base64') };
  }
  return { type: 'unknown' };
}

/** @param {string} text */
function words(text) {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
