import type * as vscode from 'vscode';
import { FileRestores } from './chat/files/fileRestores.js';
import { FileTexts } from './chat/files/fileTexts.js';
import { ReplyFiles } from './chat/files/replyFiles.js';
import { TurnFiles } from './chat/files/turnFiles.js';
import { askChanged, offerRedo } from './chat/files/turnQuestions.js';
import { toLoupeError } from '../engine/errors.js';
import { editedFiles } from './context/editedFiles.js';
import { chatDocuments } from './documents/chatDocuments.js';
import type { RequestDocuments } from './documents/requestDocuments.js';
import { askToSendAgain } from './inspector/askToSendAgain.js';
import { Inspectors } from './inspector/inspectors.js';
import { attemptHint, attemptVerdict, diagnosisPorts } from './request/verdict/attemptDiagnosis.js';
import type { ProviderServices } from './models/providers/createProviders.js';
import type { ChatPanels } from './panel/shell/chatPanels.js';
import { serverStates, unknownServers } from './tools/serverStates.js';
import { importServices } from './transfer/importServices.js';
import { UsagePanel } from './usage/usagePanel.js';
import type { ReceiverPorts } from './window/receiver.js';
import { sha256, systemClock } from './window/systemPorts.js';
import { systemRandom } from './window/systemRandom.js';
import type { ChatServices } from './chatServices.js';
import type { WindowServices } from './windowServices.js';

export type FeatureServices = ReturnType<typeof featureServices>;

/** The services that both features and panels use. */
export interface SharedServices extends WindowServices, ChatServices, Pick<ProviderServices, 'models'> {
  readonly setKeyOf: (providerId: string) => Promise<boolean>;
}

interface FeaturePorts extends SharedServices, Pick<ProviderServices, 'knownKeys' | 'missingKey'> {
  readonly panels: () => ChatPanels;
  /** Opens a chat in an editor tab to the right of the active tab. */
  readonly openBeside: (chatId: string) => Promise<void>;
}

/** Creates the features outside the panels: documents, import, usage. */
export function featureServices(context: vscode.ExtensionContext, ports: FeaturePorts) {
  const { panels } = ports;
  const editors = chatDocuments(context, { ...ports, chat: () => panels().current.shown.session?.state ?? null });
  const sendAgain = (chatId: string, attemptId: string): Promise<void> => askToSendAgain(chatId, attemptId, ports);
  const { inspectors, usage } = tabServices(context, { ...ports, sendAgain, showRaw: editors.documents.show.bind(editors.documents) });
  context.subscriptions.push(inspectors, usage);
  return {
    ...fileFeatures(ports),
    ...editors,
    inspectors,
    askToSendAgain: sendAgain,
    ...importServices(ports),
    usage,
  };
}

/** Creates the editor tabs that show requests and usage. */
function tabServices(
  context: vscode.ExtensionContext,
  ports: FeaturePorts & {
    readonly showRaw: RequestDocuments['show'];
    readonly sendAgain: (chatId: string, attemptId: string) => Promise<void>;
  },
) {
  const { chats, models, panels } = ports;
  const shared = { ...ports, ...resultsIn(panels), extensionUri: context.extensionUri, random: systemRandom };
  const diagnosis = diagnosisPorts(models, ports);
  const inspectors = new Inspectors({
    ...shared,
    sha256,
    now: systemClock.now.bind(systemClock),
    serverSecrets: () => ports.toolbox.mcp.servers.secrets(),
    blobs: (chatId) => chats.exported.blobs(chatId),
    listed: models.listed.bind(models),
    verdict: (state, attempt) => attemptVerdict(state, attempt, diagnosis),
    hint: (state, attempt) => attemptHint(state, attempt, { ...diagnosis, blobs: chats.exported.blobs(state.chatId) }),
    observation: ports.observed.of.bind(ports.observed),
    hasUnknownTools: async ({ config }) => {
      const includes = await ports.catalog.includesOf(config.agent);
      return unknownServers(serverStates(ports.toolbox, { config, includes })).length > 0;
    },
  });
  const usage = new UsagePanel({
    ...shared,
    diagnoses: diagnosis.diagnoses,
    showRequest: inspectors.showRequest.bind(inspectors),
    writeMessage: async () => {
      const { current } = panels();
      await current.reveal();
      current.panel.focusComposer();
    },
  });
  return { inspectors, usage };
}

/** Reports results of operations in other tabs to the panel that the user used last, which shows failures. */
function resultsIn(panels: () => ChatPanels): Pick<ReceiverPorts, 'fail' | 'began' | 'succeeded'> {
  return {
    began: (type) => {
      panels().current.banners.began(type);
    },
    fail: (error, type) => {
      panels().current.banners.fail(error, type);
    },
    succeeded: (type) => {
      panels().current.banners.succeeded(type);
    },
  };
}

function fileFeatures({ chats, files, writer, edits, logError, panels }: FeaturePorts) {
  const texts = new FileTexts({ blobs: (chatId) => chats.exported.blobs(chatId), files: editedFiles(files), sha256, logError });
  const ports = { open: chats.open.bind(chats), texts, writer, showDifference: edits.show };
  const turnFiles = new TurnFiles({
    ...ports,
    ...{ showDifferences: edits.showAll, askChanged, offerRedo },
    failed: (thrown) => {
      resultsIn(panels).fail(toLoupeError(thrown), 'undoTurn');
    },
  });
  return { restores: new FileRestores(ports), replyFiles: new ReplyFiles(ports), turnFiles };
}
