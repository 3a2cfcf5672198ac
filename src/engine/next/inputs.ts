import type { AgentProfile } from '../context/agentProfile.js';
import type { ModelClient, PromptImages } from '../model/model.js';
import { isSameRef } from '../model/modelRef.js';
import { itemKey } from '../record/item.js';
import { isSame, sameStart } from '../same.js';
import type { BlockFactory } from '../request/blockFactory.js';
import type { FitInput } from '../request/fit.js';
import type { OfferedTool } from '../request/gather.js';
import type { Request } from '../request/request.js';
import type { NamedPart } from '../request/workspace.js';
import type { ResolvedContext } from './resolved.js';

/** The agent of a chat. If its profile is missing or unreadable, `name` is null and `missing` is the agent's name. */
export interface ChatAgent {
  readonly profile: AgentProfile | null;
  readonly name: string | null;
  readonly missing: string | null;
}

/** What decides whether a request is small enough to be sent. */
export interface BudgetCheck extends Pick<Request, 'excess' | 'model' | 'prompt'> {
  /** Whether Loupe learned the input limit from a rejected request. The configured limit is higher. */
  readonly isLimitLearned: boolean;
  /** Whether the limit is assumed, because the context size of the model is unknown. */
  readonly isLimitAssumed: boolean;
  /** Whether the request was built from the end of the conversation only. Its real size is then larger. */
  readonly isPartial: boolean;
  /** Ids of the pinned messages. Every request contains their full text. */
  readonly pinned: ReadonlySet<string>;
  /** Id of the newest user message, which the model will answer. Null when there is no user message. */
  readonly answered: string | null;
}

/** What views show with a request. Does not change the request. */
export interface RequestFacts extends Pick<BudgetCheck, 'isLimitLearned' | 'isLimitAssumed' | 'isPartial' | 'pinned'> {
  readonly context: ResolvedContext;
  /** The parts of the workspace message that the next request holds now. */
  readonly workspace: readonly NamedPart[];
  readonly agent: ChatAgent;
  /** The number of user and assistant messages in the request. */
  readonly messages: number;
  /** Whether the request uses all loaded messages. */
  readonly isLoaded: boolean;
  /** The provider, if it can count this request and a count is needed. `countsTokens`: the user allows counts. */
  readonly counting: { readonly id: string; readonly label: string; readonly countsTokens: boolean } | null;
}

/** Everything that a request depends on, except the provider's token counts. */
export interface RequestInputs extends FitInput {
  readonly factory: BlockFactory;
  readonly client: ModelClient;
  readonly images: PromptImages;
  /** Whether the provider is asked to count the tokens of this request. */
  readonly isCounted: boolean;
  readonly facts: RequestFacts;
}

/** Returns whether two inputs differ at most in newest message and time. Fast, because most members are identical. */
export function isSameBefore(last: RequestInputs, now: RequestInputs): boolean {
  return (Object.keys(now) as (keyof RequestInputs)[]).every((name) => {
    if (last[name] === now[name]) {
      return true;
    }
    switch (name) {
      case 'messages':
        return last.messages.length === now.messages.length && sameStart(last.messages, now.messages) >= now.messages.length - 1;
      // Attempts are changed in place, but their ids and manifests never change.
      case 'attempts':
      case 'client':
      case 'factory':
        return false;
      // `compose` compares the response id. The messages and the missing images decide which images a request has.
      case 'previousResponseId':
      case 'images':
      case 'facts':
        return true;
      default:
        return isSame(last[name], now[name]);
    }
  });
}

/**
 * Returns the inputs from outside the chat that differ, in words for the user. Ignores items that Loupe picked for the
 * message, because *Send* can also rank these items by meaning. Ignores tools of servers that have listed their tools
 * since `last`: the preview named these servers, or the user has approved their start.
 */
export function changedInputs(last: RequestInputs, now: RequestInputs): readonly string[] {
  const paths = new Set([...last.files.keys(), ...now.files.keys()]);
  const known = serversOf(last);
  return [
    ...(isSameRef(last.model.ref, now.model.ref) ? [] : ['the model']),
    ...(isSame(ownTools(last, known), ownTools(now, known)) ? [] : ['the tools']),
    ...(isSame(last.standing, now.standing) ? [] : ['rules and references']),
    ...(isSame(last.repository, now.repository) ? [] : ['the repository map']),
    ...(isSame(last.workspace, now.workspace) ? [] : ['the editor state']),
    ...[...paths].filter((path) => last.files.get(path) !== now.files.get(path)),
  ];
}

interface OwnTool extends OfferedTool {
  readonly isOnDemand: boolean;
}

/** Returns the tools of these servers that Loupe did not pick for the message. */
function ownTools({ tools, onDemand, facts }: RequestInputs, servers: ReadonlySet<string>): readonly OwnTool[] {
  const { selection, catalog } = facts.context;
  const picked = new Set(selection.picked.map(itemKey));
  return tools.flatMap((tool) => {
    const isOwn = !picked.has(tool.key) && servers.has(catalog.get(tool.key)?.serverName ?? '');
    return isOwn ? [{ ...tool, isOnDemand: onDemand.has(tool.key) }] : [];
  });
}

/** Returns the servers whose tools are known. */
function serversOf({ facts }: RequestInputs): ReadonlySet<string> {
  return new Set([...facts.context.catalog.values()].flatMap(({ serverName }) => serverName ?? []));
}
