import { lastRun } from '../../../engine/chat/branch.js';
import {
  isWaiting,
  type AllowedTool,
  type Approval,
  type AskedTool,
  type CallState,
  type CallTarget,
} from '../../../engine/chat/calls/calls.js';
import type { RunState } from '../../../engine/chat/slices/runs.js';
import { failure } from '../../../engine/errors.js';
import type { Sha256 } from '../../../engine/ports.js';
import { callTarget, subjectTarget } from '../../tools/chatTools.js';
import { type ApprovedTool, serverNamed, type StoredApproval, type StoredApprovalList, type Toolbox } from '../../tools/toolbox.js';
import type { SessionLog } from '../sessionLog.js';

interface ToolAnswersPorts {
  readonly log: Pick<SessionLog, 'state' | 'checkWritable' | 'record'>;
  readonly toolbox: Pick<Toolbox, 'servers' | 'always'>;
  readonly sha256: Sha256;
  /** Continues the interrupted run. See `Conversation`. */
  readonly continueRun: () => Promise<void>;
}

/** A call that waits for the user's answer. */
type WaitingCall = CallState & { readonly asked: NonNullable<CallState['asked']> };

export interface AlwaysAllowed {
  readonly target: CallTarget;
  readonly hasChanged: boolean;
}

/** Approvals that the user took back, to restore them. */
export interface TakenBackApprovals {
  readonly binding: string;
  /** The approval of the chat. Null without one. */
  readonly inChat: AllowedTool | null;
  readonly stored: readonly StoredApproval[];
}

/**
 * Logs the user's answers to questions of a run, which may run in another VS Code window. Methods throw `invalidInput`
 * when the chat is read-only, the question is already answered, or the run or call has ended.
 */
export class ToolAnswers {
  readonly #ports: ToolAnswersPorts;

  constructor(ports: ToolAnswersPorts) {
    this.#ports = ports;
  }

  /**
   * Approves or rejects a tool call, and other waiting calls that the answer covers. Continues a run that was
   * interrupted meanwhile, and waits for the run's end.
   */
  async approve(callId: string, approval: Approval): Promise<void> {
    const { run, call, waiting } = this.#waiting(callId);
    const { asked } = call;
    if (approval.scope === 'always') {
      await this.#allowAlways(asked);
    }
    const answersAll = approval.scope === 'refused' ? asked.covers?.kind === 'reading' : approval.scope !== 'once';
    const answered = answersAll ? waiting.filter((each) => each.asked.binding === asked.binding) : [call];
    await this.#answer(run, answered, approval);
  }

  /** Allows every command in all chats, at the question about one command. Then runs the waiting commands. */
  async approveEveryCommand(callId: string): Promise<void> {
    const { run, call, waiting } = this.#waiting(callId);
    const { serverName, name, covers } = call.asked;
    const known = this.#toolOf(call.asked);
    if (covers?.kind !== 'command' || known === null) {
      throw failure('chat.notAsked');
    }
    await this.#ports.toolbox.always.allow(known.target, known.tool);
    const answered = waiting.filter(({ asked }) => asked.serverName === serverName && asked.name === name);
    await this.#answer(run, answered, { scope: 'once', reason: null });
  }

  /** Logs whether the user lets the run call more tools. */
  async goOn(goesOn: boolean): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    const run = lastRun(log.state);
    if (run?.status !== 'running' || run.question?.goesOn !== null) {
      throw failure('chat.notAsked');
    }
    await log.record([{ type: 'run-answered', runId: run.id, goesOn }], 'durable');
  }

  /** Takes back what the user allowed, in this chat and in all chats. */
  async takeBack(binding: string): Promise<TakenBackApprovals> {
    const { log, toolbox } = this.#ports;
    const inChat = log.state.allowedTools.get(binding) ?? null;
    const asked = [...log.state.runs.values()].flatMap(({ calls }) => calls.flatMap((call) => (call.asked === null ? [] : [call.asked])));
    const target = inChat ?? asked.find((each) => each.binding === binding) ?? null;
    if (target !== null) {
      log.checkWritable();
    }
    const { approvals } = await toolbox.always.list();
    const stored = approvals.filter((each) => each.target.binding === binding || (target !== null && isSameTool(each.target, target)));
    if (target === null && stored.length === 0) {
      throw failure('chat.notAsked');
    }
    for (const each of stored) {
      await toolbox.always.revoke(each.target);
    }
    if (target !== null) {
      await log.record([{ type: 'approval-taken-back', binding }], 'durable');
    }
    return { binding, inChat, stored };
  }

  /** Returns what the user allowed for all chats, and whether the tool has changed since then. */
  async always(): Promise<Omit<StoredApprovalList, 'approvals'> & { readonly approvals: readonly AlwaysAllowed[] }> {
    const { approvals, unreadable } = await this.#ports.toolbox.always.list();
    const isChanged = (target: CallTarget): boolean => {
      const known = target.covers === undefined ? this.#toolOf(target) : null;
      return known !== null && known.target.binding !== target.binding;
    };
    return { approvals: approvals.map(({ target }) => ({ target, hasChanged: isChanged(target) })), unreadable };
  }

  /** Restores approvals that the user took back. */
  async restore({ binding, inChat, stored }: TakenBackApprovals): Promise<void> {
    const { log, toolbox } = this.#ports;
    for (const { target, tool } of stored) {
      await toolbox.always.allow(target, tool);
    }
    if (log.state.takenBack.has(binding)) {
      log.checkWritable();
      await log.record([{ type: 'approval-restored', binding, allowed: inChat }], 'durable');
    }
  }

  #waiting(callId: string): { readonly run: RunState; readonly call: WaitingCall; readonly waiting: readonly WaitingCall[] } {
    const { log } = this.#ports;
    log.checkWritable();
    const run = lastRun(log.state);
    const waiting = run?.calls.filter((call): call is WaitingCall => call.asked !== null && isWaiting(call)) ?? [];
    const call = waiting.findLast((each) => each.callId === callId);
    if (run === undefined || call === undefined) {
      throw failure('chat.notAsked');
    }
    return { run, call, waiting };
  }

  async #answer(run: RunState, calls: readonly WaitingCall[], approval: Approval): Promise<void> {
    const { log, continueRun } = this.#ports;
    const runId = run.id;
    await log.record(
      calls.map(({ callId, asked: { argsHash } }) => ({ type: 'tool-approval', runId, callId, argsHash, ...approval }) as const),
      'durable',
    );
    if (run.status === 'interrupted') {
      await continueRun();
    }
  }

  /** Stores a permission for all chats. Stores nothing for a changed or missing tool, so Loupe asks again. */
  async #allowAlways(asked: AskedTool): Promise<void> {
    const { toolbox, sha256 } = this.#ports;
    const known = this.#toolOf(asked);
    if (known !== null) {
      const target = asked.covers === undefined ? known.target : subjectTarget(asked, asked.covers, sha256);
      if (target.binding === asked.binding) {
        await toolbox.always.allow(target, known.tool);
      }
    }
  }

  /** Returns the tool of a call as it is now. Null for a tool that no server has now. */
  #toolOf({ serverName, name }: CallTarget): { readonly target: CallTarget; readonly tool: ApprovedTool } | null {
    const { toolbox, sha256 } = this.#ports;
    const server = serverNamed(toolbox, serverName);
    const tool = server?.tools.find((each) => each.name === name);
    return server === undefined || tool === undefined
      ? null
      : { target: callTarget(server, tool, sha256), tool: { ...tool, identity: server.identity } };
  }
}

/** Whether two approvals are for all calls of the same tool, maybe in different versions. */
function isSameTool(one: CallTarget, other: CallTarget): boolean {
  const isWhole = one.covers === undefined && other.covers === undefined;
  return isWhole && one.serverName === other.serverName && one.name === other.name;
}
