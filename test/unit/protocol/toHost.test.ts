import assert from 'node:assert/strict';
import { MAX_TEXT_LENGTH, parseToHost, type ToHost } from '../../../src/protocol/panel/toHost.js';

/** One message of each type with all members. */
const MESSAGES: { readonly [T in ToHost['type']]: Extract<ToHost, { readonly type: T }> } = {
  ready: { type: 'ready' },
  focusChanged: { type: 'focusChanged', isFocused: true },
  resync: { type: 'resync', reason: 'Delta 3 came after 1.' },
  draft: { type: 'draft', chatId: 'x', text: '', edit: 1 },
  send: { type: 'send', chatId: 'x', text: 'Hello' },
  sendQueued: { type: 'sendQueued', chatId: 'x', messageId: 'm' },
  takeBack: { type: 'takeBack', chatId: 'x', messageId: 'm' },
  shortenMessage: { type: 'shortenMessage', chatId: 'x' },
  takeOriginalBack: { type: 'takeOriginalBack', chatId: 'x' },
  stop: { type: 'stop', chatId: 'x' },
  newChat: { type: 'newChat' },
  openChat: { type: 'openChat', chatId: 'x' },
  searchChats: { type: 'searchChats', text: 'surrogate', role: 'user' },
  openMessage: { type: 'openMessage', chatId: 'x', messageId: 'm', found: 'surrogate' },
  generateTitle: { type: 'generateTitle', chatId: 'x' },
  stopTitle: { type: 'stopTitle', chatId: 'x' },
  askTitle: { type: 'askTitle', chatId: 'x' },
  renameChat: { type: 'renameChat', chatId: 'x', title: 'A title' },
  deleteChat: { type: 'deleteChat', chatId: 'x' },
  openInEditor: { type: 'openInEditor', chatId: 'x' },
  askExport: { type: 'askExport', chatId: 'x' },
  askImport: { type: 'askImport' },
  showRows: {
    type: 'showRows',
    chips: false,
    nextRequest: true,
    contextUsed: ['m'],
    manager: { search: 'tides', open: ['rule'], servers: [], proof: null, rows: {} },
  },
  showEarlier: { type: 'showEarlier', chatId: 'x' },
  showLater: { type: 'showLater', chatId: 'x' },
  showLatest: { type: 'showLatest', chatId: 'x' },
  changeSetting: { type: 'changeSetting', chatId: 'x', name: 'cacheMode', value: 'system' },
  resetSettings: { type: 'resetSettings', chatId: 'x' },
  useForNewChats: { type: 'useForNewChats', chatId: 'x' },
  showDefaults: { type: 'showDefaults' },
  compareItem: { type: 'compareItem', chatId: 'x', key: 'rule:Tides', source: 'AGENTS.md' },
  removeContext: { type: 'removeContext', chatId: 'x', key: 'file:a.ts' },
  findMentions: { type: 'findMentions', chatId: 'x', mark: '@', text: 'pred' },
  openServers: { type: 'openServers', place: '.vscode/mcp.json', line: 3 },
  usePrompt: { type: 'usePrompt', chatId: 'x', key: 'prompt:docs/review', at: 0 },
  chatCommand: { type: 'chatCommand', chatId: 'x', command: 'model', text: 'son' },
  mention: { type: 'mention', chatId: 'x', key: 'file:src/a.ts' },
  addCatalogItems: { type: 'addCatalogItems', chatId: 'x', keys: ['rule:Tides'] },
  leaveOutItems: { type: 'leaveOutItems', chatId: 'x', keys: ['rule:Tides'] },
  omitRepeats: { type: 'omitRepeats', chatId: 'x', keys: ['rule:CLAUDE.md'], from: 'all' },
  removeItems: { type: 'removeItems', chatId: 'x', keys: ['file:a.ts'] },
  switchItem: { type: 'switchItem', chatId: 'x', key: 'server:files', to: 'folder' },
  changeInclude: { type: 'changeInclude', chatId: 'x', key: 'rule:Tides', include: 'off' },
  newCatalogFile: { type: 'newCatalogFile', kind: 'rule' },
  newSessionFile: { type: 'newSessionFile', chatId: 'c' },
  openSessionFile: { type: 'openSessionFile', chatId: 'c', name: 'plan.md' },
  deleteSessionFile: { type: 'deleteSessionFile', chatId: 'c', name: 'plan.md' },
  restoreSessionFile: { type: 'restoreSessionFile', chatId: 'c', name: 'plan.md' },
  removeFragment: { type: 'removeFragment', chatId: 'c', id: 'style' },
  setFragment: { type: 'setFragment', chatId: 'c', id: 'style', text: 'Be brief.' },
  manageTrust: { type: 'manageTrust' },
  removeAllContext: { type: 'removeAllContext', chatId: 'x' },
  addServer: { type: 'addServer', chatId: 'x', server: 'files' },
  removeServer: { type: 'removeServer', chatId: 'x', server: 'files' },
  configureServers: { type: 'configureServers', of: 'folder' },
  showServerLog: { type: 'showServerLog', server: 'files' },
  signInServer: { type: 'signInServer', server: 'files' },
  signOutServer: { type: 'signOutServer', server: 'files' },
  restartServer: { type: 'restartServer', server: 'files' },
  stopServer: { type: 'stopServer', server: 'files' },
  addFiles: { type: 'addFiles', chatId: 'x' },
  addPage: { type: 'addPage', chatId: 'x', address: null },
  dropFiles: { type: 'dropFiles', chatId: 'x', uris: ['file:///a.ts'] },
  openContextItem: { type: 'openContextItem', chatId: 'x', key: 'file:a.ts' },
  retry: { type: 'retry', chatId: 'x', messageId: 'm' },
  continue: { type: 'continue', chatId: 'x' },
  keepReply: { type: 'keepReply', chatId: 'x' },
  goOnOnce: { type: 'goOnOnce', chatId: 'x' },
  excludeTool: { type: 'excludeTool', chatId: 'x' },
  setKeyAndRetry: { type: 'setKeyAndRetry', chatId: 'x' },
  editProvider: { type: 'editProvider', chatId: 'x' },
  showChatSettings: { type: 'showChatSettings' },
  answerCall: { type: 'answerCall', chatId: 'x', callId: '', scope: 'refused', reason: 'use the clean script' },
  stopCall: { type: 'stopCall', chatId: 'x', callId: 'c' },
  takeBackApproval: { type: 'takeBackApproval', chatId: 'x', binding: 'b' },
  setRestoring: { type: 'setRestoring', chatId: 'x', isOn: true },
  compareRestored: { type: 'compareRestored', chatId: 'x', messageId: 'm', path: 'src/a.ts' },
  viewChange: { type: 'viewChange', chatId: 'x', args: '{}' },
  answerRetry: { type: 'answerRetry', chatId: 'x', goesOn: true },
  showWritten: { type: 'showWritten', chatId: 'x', messageId: 'm', path: 'src/a.ts' },
  undoWritten: { type: 'undoWritten', chatId: 'x', messageId: 'm', path: 'src/a.ts' },
  showTurnChange: { type: 'showTurnChange', chatId: 'c', messageId: 'm' },
  undoTurn: { type: 'undoTurn', chatId: 'c', messageId: 'm' },
  showUnapplied: { type: 'showUnapplied', chatId: 'x', callId: '' },
  compareTool: { type: 'compareTool', chatId: 'x', callId: 'c' },
  answerSteps: { type: 'answerSteps', chatId: 'x', goesOn: true },
  answerSpend: { type: 'answerSpend', chatId: 'x', questionId: 'q', isAllowed: true },
  answerServer: { type: 'answerServer', question: 'h', isAllowed: true },
  sendWithoutServers: { type: 'sendWithoutServers', chatId: 'x' },
  startToFind: { type: 'startToFind', chatId: 'x', server: 's', mark: '/', text: '' },
  showLimits: { type: 'showLimits', inChat: null },
  setLimit: { type: 'setLimit', inChat: 'x', limit: 'chat', usd: 2.5 },
  openSpendSettings: { type: 'openSpendSettings' },
  showPrices: { type: 'showPrices' },
  setModelLimit: { type: 'setModelLimit', provider: 'cloud', model: 'vendor/large:free' },
  beginEdit: { type: 'beginEdit', chatId: 'x', messageId: 'm' },
  cancelEdit: { type: 'cancelEdit', chatId: 'x' },
  readingImages: { type: 'readingImages', chatId: 'x' },
  addImages: {
    type: 'addImages',
    chatId: 'x',
    images: [{ name: 'chart.png', bytes: new Uint8Array(4) }],
    notAdded: ['notes.txt is no image.'],
  },
  pickImages: { type: 'pickImages', chatId: 'x' },
  scaleImage: { type: 'scaleImage', chatId: 'x', blob: 'b', mimeType: 'image/png' },
  replaceImage: { type: 'replaceImage', chatId: 'x', blob: 'b', bytes: new Uint8Array(4) },
  removeWithMessage: { type: 'removeWithMessage', chatId: 'x', key: 'image:b' },
  summarize: { type: 'summarize', chatId: 'x', upTo: null },
  planSummary: { type: 'planSummary', chatId: 'x', upTo: 'x' },
  writeSummary: { type: 'writeSummary', chatId: 'x' },
  editSummary: { type: 'editSummary', chatId: 'x', summaryId: 'x' },
  openSummaryRows: { type: 'openSummaryRows', chatId: 'x', part: 'later', isOpen: true },
  showSummaryText: { type: 'showSummaryText', chatId: 'x' },
  summaryTyped: { type: 'summaryTyped', chatId: 'x', text: 'x' },
  applySummary: { type: 'applySummary', chatId: 'x', text: 'x' },
  cancelSummary: { type: 'cancelSummary', chatId: 'x' },
  dismissSummary: { type: 'dismissSummary', chatId: 'x' },
  undoSummary: { type: 'undoSummary', chatId: 'x' },
  chooseIdle: { type: 'chooseIdle', chatId: 'x', action: 'keepWarm' },
  leaveIdle: { type: 'leaveIdle', chatId: 'x' },
  summarizeFirst: { type: 'summarizeFirst', chatId: 'x', text: 'x' },
  bringBackFact: { type: 'bringBackFact', chatId: 'x', summaryId: 'x', fact: 'src/a.ts' },
  pin: { type: 'pin', chatId: 'x', messageId: 'm' },
  unpin: { type: 'unpin', chatId: 'x', messageId: 'm' },
  exclude: { type: 'exclude', chatId: 'x', messageId: 'm', call: 'c', leaves: 'later' },
  include: { type: 'include', chatId: 'x', messageId: 'm', call: null },
  bringBack: { type: 'bringBack', chatId: 'x', rewindId: 'w' },
  showVersion: { type: 'showVersion', chatId: 'x', rewindId: 'w' },
  fork: { type: 'fork', chatId: 'x', messageId: 'm' },
  setProviderCount: { type: 'setProviderCount', provider: 'house', isOn: true },
  copy: { type: 'copy', text: 'x' },
  insertAtCursor: { type: 'insertAtCursor', text: 'x' },
  applyCode: { type: 'applyCode', path: 'src/a.ts', text: 'x' },
  newFile: { type: 'newFile', text: 'x', language: 'ts' },
  openLink: { type: 'openLink', href: 'https://example.com' },
  findPaths: { type: 'findPaths', paths: ['src/a.ts'] },
  openFile: { type: 'openFile', path: 'src/a.ts', line: 12 },
  selectReply: { type: 'selectReply', chatId: 'x', messageId: 'm' },
  showRequest: { type: 'showRequest', chatId: 'x', messageId: 'm' },
  showImage: { type: 'showImage', chatId: 'x', blob: 'b', mimeType: 'image/png' },
  openImage: { type: 'openImage', chatId: 'x', blob: 'b', mimeType: 'image/png' },
  openResult: { type: 'openResult', chatId: 'x', messageId: 'm', callId: 'c' },
  previewNextRequest: { type: 'previewNextRequest', chatId: 'x' },
  bannerAction: { type: 'bannerAction', bannerId: 'b', action: 'dismiss', argument: '' },
  showLog: { type: 'showLog' },
  showUsage: { type: 'showUsage', chatId: 'x' },
  sumSpending: { type: 'sumSpending' },
  addProvider: { type: 'addProvider' },
  goToHint: { type: 'goToHint', step: 'usage' },
  setApiKey: { type: 'setApiKey', chatId: 'x' },
  selectAgent: { type: 'selectAgent', chatId: 'x' },
  selectModel: { type: 'selectModel', chatId: 'x' },
  webviewError: { type: 'webviewError', message: 'x' },
};

function refusal(value: unknown): string {
  const parsed = parseToHost(value);
  assert.ok(!parsed.ok, 'It was accepted.');
  return parsed.reason;
}

for (const message of Object.values(MESSAGES)) {
  describe(`the message ${message.type} from the panel`, () => {
    // The values of settings follow below: they have several types. So do nullable ones.
    const members = Object.entries(message).filter(
      ([name]) => !['type', 'value', 'upTo', 'manager', 'found', 'reason', 'call', 'address', 'inChat', 'usd'].includes(name),
    );

    it('is accepted as it is', () => {
      assert.deepEqual(parseToHost(message), { ok: true, message });
    });

    it('is refused with a member more', () => {
      assert.match(refusal({ ...message, extra: 1 }), /extra/);
      assert.match(refusal(JSON.parse(JSON.stringify(message).replace(/}$/, ',"__proto__":{}}'))), /__proto__/);
    });

    it('is refused without one of its members', () => {
      for (const [name] of members) {
        assert.match(refusal(Object.fromEntries(Object.entries(message).filter(([other]) => other !== name))), new RegExp(name));
      }
    });

    it('is refused with a member of another type', () => {
      for (const [name, right] of members) {
        for (const wrong of [null, 1.5, typeof right === 'boolean' ? 'true' : true, [1], { a: 1 }, undefined]) {
          assert.match(refusal({ ...message, [name]: wrong }), new RegExp(name));
        }
      }
    });
  });
}

describe('what the panel posts', () => {
  it('says what of the context of the chat is on show, or that nothing is', () => {
    const { showRows } = MESSAGES;
    assert.equal(parseToHost({ ...showRows, manager: null }).ok, true);
    for (const wrong of [
      undefined,
      'rule',
      { search: 'x' },
      { search: 1, open: [] },
      { search: '', open: ['server'], servers: [], proof: null, rows: {} },
    ]) {
      assert.match(refusal({ ...showRows, manager: wrong }), /manager/);
    }
  });

  it('is refused when it is no message', () => {
    for (const value of [undefined, null, 0, '', 'ready', true, [], ['ready'], {}, { type: null }, () => 0, Symbol('x')]) {
      assert.notEqual(refusal(value), '');
    }
  });

  it('is refused when its type is unknown, also one that every object has', () => {
    for (const type of ['', 'Ready', 'ready ', 'toString', '__proto__', 'constructor', 1, ['ready'], { type: 'ready' }]) {
      assert.match(refusal({ type }), /type/);
    }
  });

  it('is refused when a text is larger than any that the panel sends', () => {
    const text = 'x'.repeat(MAX_TEXT_LENGTH);
    assert.equal(parseToHost({ type: 'send', chatId: 'x', text }).ok, true);
    assert.match(refusal({ type: 'send', chatId: 'x', text: `${text}x` }), /text/);
    assert.match(refusal({ type: 'openChat', chatId: 'x'.repeat(4_097) }), /chatId/);
    assert.match(refusal({ type: 'renameChat', chatId: 'x', title: 'x'.repeat(201) }), /title/);
    assert.match(refusal({ type: 'searchChats', text: 'x'.repeat(1_001), role: 'all' }), /text/);
    assert.match(refusal({ type: 'webviewError', message: 'x'.repeat(20_001) }), /message/);
    assert.match(refusal({ type: 'dropFiles', chatId: 'x', uris: Array.from({ length: 1_001 }, () => 'u') }), /uris/);
  });

  it('is refused when an id is empty', () => {
    assert.match(refusal({ type: 'stop', chatId: '' }), /chatId/);
    assert.match(refusal({ type: 'fork', chatId: 'x', messageId: '' }), /messageId/);
    // Servers make the ids of calls.
    assert.equal(parseToHost({ type: 'openResult', chatId: 'x', messageId: 'm', callId: '' }).ok, true);
  });

  it('may set a setting to a text, a number or null, and to nothing else', () => {
    const change = (value: unknown): unknown => ({ type: 'changeSetting', chatId: 'x', name: 'n', value });
    for (const value of ['', 'x', 0, -1, 1.5, null]) {
      assert.equal(parseToHost(change(value)).ok, true, String(value));
    }
    for (const value of [undefined, true, NaN, Infinity, [1], {}, 'x'.repeat(MAX_TEXT_LENGTH + 1)]) {
      assert.match(refusal(change(value)), /value/);
    }
  });

  it('may set a limit to an amount or to none, and to nothing else', () => {
    const change = (usd: unknown): unknown => ({ type: 'setLimit', inChat: null, limit: 'day', usd });
    for (const usd of [null, 0, 0.25, 1_000]) {
      assert.equal(parseToHost(change(usd)).ok, true, String(usd));
    }
    for (const usd of [undefined, -1, NaN, Infinity, '1', true, {}]) {
      assert.match(refusal(change(usd)), /usd/);
    }
  });

  it('is refused with a reason that stays short', () => {
    assert.ok(refusal({ type: 'ready', ['x'.repeat(100_000)]: 1 }).length <= 4_096);
  });
});
