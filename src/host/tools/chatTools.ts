import { setImmediate } from 'node:timers/promises';
import { stemmer } from 'stemmer';
import type { AllowedTool, ApprovalSubject, CallTarget } from '../../engine/chat/calls/calls.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { CatalogItem } from '../../engine/context/catalogItem.js';
import type { SessionFileManager } from '../../engine/context/sessionFiles.js';
import { canonicalJson, type JsonObject } from '../../engine/json.js';
import type { Sha256 } from '../../engine/ports.js';
import type { OnDemandTools } from '../../engine/request/onDemandTools.js';
import { findTools, FIND_TOOLS } from '../../engine/tools/findTools.js';
import type { CallableTool, RunTools } from '../../engine/tools/offered.js';
import { offeredName } from '../../engine/tools/serverName.js';
import type { SecretRead, Tool, ToolServer } from '../../engine/tools/tool.js';
import { type EarlierApproval, serverNamed, type Toolbox } from './toolbox.js';
import { sessionFileCall } from './workspace/sessionFileTools.js';

export interface ChatToolsPorts {
  readonly toolbox: Toolbox;
  readonly sha256: Sha256;
  readonly log: { readonly state: Pick<ChatState, 'allowedTools'> };
  readonly sessionFiles: SessionFileManager;
  /** The tools in the newest request of the run. Before its first request, the tools of the next request. */
  readonly offered: (signal: AbortSignal) => Promise<{ readonly all: readonly CatalogItem[]; readonly onDemand: OnDemandTools }>;
}

/** The tools for one run of a chat. Loupe runs only tools that the newest request of the run contained. */
export class ChatTools implements RunTools {
  readonly #ports: ChatToolsPorts;

  constructor(ports: ChatToolsPorts) {
    this.#ports = ports;
  }

  async find(name: string, args: JsonObject, signal: AbortSignal): Promise<CallableTool | 'notLoaded' | null> {
    const { toolbox, offered } = this.#ports;
    const builtIn = toolbox.builtIn(name);
    if (builtIn !== null) {
      return builtIn;
    }
    const { all, onDemand } = await offered(signal);
    if (name === FIND_TOOLS && onDemand.definitions.length > 0) {
      return searchIn(onDemand);
    }
    if (onDemand.definitions.some((each) => each.name === name) && !onDemand.loaded.has(name)) {
      return 'notLoaded';
    }
    const item = all.find((each) => offeredName(each) === name);
    const server = item === undefined ? undefined : serverNamed(toolbox, item.serverName ?? '');
    const tool = server?.tools.find((each) => each.name === item?.name);
    return server === undefined || tool === undefined ? null : this.#callable(server, tool, args);
  }

  async #callable(server: ToolServer, tool: Tool, args: JsonObject): Promise<CallableTool> {
    const { sha256, sessionFiles } = this.#ports;
    const ofFiles = sessionFileCall(server, tool.name, sessionFiles);
    if (ofFiles !== null) {
      return { asks: null, allowed: null, call: ofFiles };
    }
    const target = callTarget(server, tool, sha256);
    const secret = (await server.secretRead?.(tool.name, args)) ?? null;
    if (secret !== null) {
      return secretCall(server, tool, { target, secret, sha256 });
    }
    const call: CallableTool['call'] = (given, options) => server.call(tool.name, given, options);
    const { saysItOnlyReads } = tool;
    const setupFile = (await server.setupFile?.(tool.name, args)) ?? null;
    if (setupFile !== null) {
      const binding = sha256(canonicalJson([target.binding, setupFile]));
      return { asks: { ...target, binding, saysItOnlyReads, hasChanged: false, isSetup: true }, allowed: null, call };
    }
    const whole = await this.#approved(target);
    const covers = whole.allowed === null ? ((await server.covers?.(tool.name, args)) ?? null) : null;
    if (covers === null) {
      return { asks: { ...target, saysItOnlyReads, hasChanged: whole.hasChanged }, allowed: whole.allowed, call };
    }
    const part = subjectTarget(target, covers, sha256);
    return { asks: { ...part, saysItOnlyReads, hasChanged: false }, allowed: (await this.#approved(part)).allowed, call };
  }

  /** Returns how long the user's approval applies, and whether the user approved another version of the tool. */
  async #approved(target: CallTarget): Promise<Pick<CallableTool, 'allowed'> & { readonly hasChanged: boolean }> {
    const { toolbox, log } = this.#ports;
    const before = await toolbox.always.before(target);
    const inChat = log.state.allowedTools.get(target.binding);
    return { allowed: allowedBy(before, inChat), hasChanged: before?.isStillValid === false };
  }
}

function allowedBy(before: EarlierApproval | null, inChat: AllowedTool | undefined): CallableTool['allowed'] {
  if (before?.isStillValid === true) {
    return 'always';
  }
  return inChat === undefined ? null : inChat.isForTurn === true ? 'turn' : 'chat';
}

/** Returns the target of an approval that covers only a subject. All tools with the same subject share an approval. */
export function subjectTarget({ name, serverName }: CallTarget, covers: ApprovalSubject, sha256: Sha256): CallTarget {
  return { name, serverName, binding: sha256(canonicalJson([serverName, { ...covers }])), covers };
}

interface SecretCall {
  readonly target: CallTarget;
  readonly secret: SecretRead;
  readonly sha256: Sha256;
}

/**
 * Returns a tool whose call reads a file with secrets. Needs an approval for this file, even if the user allowed the
 * tool before. An approval is stored for the file.
 */
function secretCall(server: ToolServer, { name, saysItOnlyReads }: Tool, { target, secret, sha256 }: SecretCall): CallableTool {
  const binding = sha256(canonicalJson([target.binding, secret.path]));
  return {
    asks: { ...target, binding, saysItOnlyReads, hasChanged: false, secret: secret.by },
    allowed: null,
    call: async (args, options) => {
      await secret.allow();
      return server.call(name, args, options);
    },
  };
}

/** Returns the tool that loads other tools. It needs no approval, because calls of the loaded tools need approval. */
function searchIn({ definitions }: OnDemandTools): CallableTool {
  const call: CallableTool['call'] = async ({ query }) => ({
    ...(await findTools(definitions, query, { stem: stemmer, pause: setImmediate })),
    edits: [],
  });
  return { asks: null, allowed: null, call };
}

/** Returns the identity of a tool. The user's approval is valid for this identity. */
export function callTarget({ name: serverName, identity }: ToolServer, tool: Tool, sha256: Sha256): CallTarget {
  const { name, description, inputSchema } = tool;
  return { name, serverName, binding: sha256(canonicalJson([serverName, identity, name, description, inputSchema])) };
}
