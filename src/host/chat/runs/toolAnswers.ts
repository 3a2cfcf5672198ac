import { lastRun } from '../../../engine/chat/branch.js';
import { isWaiting, type Approval, type CallTarget } from '../../../engine/chat/calls/calls.js';
import { failure } from '../../../engine/errors.js';
import type { Sha256 } from '../../../engine/ports.js';
import { callTarget } from '../../tools/chatTools.js';
import { serverNamed, type Toolbox } from '../../tools/toolbox.js';
import type { SessionLog } from '../sessionLog.js';

interface ToolAnswersPorts {
  readonly log: Pick<SessionLog, 'state' | 'checkWritable' | 'record'>;
  readonly toolbox: Pick<Toolbox, 'servers' | 'always'>;
  readonly sha256: Sha256;
  /** Continues the interrupted run. See `Conversation`. */
  readonly continueRun: () => Promise<void>;
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

  /** Approves or rejects a tool call. Continues a run that was interrupted meanwhile, and waits for the run's end. */
  async approve(callId: string, approval: Approval): Promise<void> {
    const { log, continueRun } = this.#ports;
    log.checkWritable();
    const run = lastRun(log.state);
    const call = run?.calls.findLast((each) => each.callId === callId);
    const asked = call?.asked ?? null;
    if (run === undefined || call === undefined || asked === null || !isWaiting(call)) {
      throw failure('chat.notAsked');
    }
    if (approval.scope === 'always') {
      await this.#allowAlways(asked);
    }
    await log.record([{ type: 'tool-approval', runId: run.id, callId, argsHash: asked.argsHash, ...approval }], 'durable');
    if (run.status === 'interrupted') {
      await continueRun();
    }
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

  /** Revokes the permission to run a tool without asking, in this chat and in all chats. */
  async takeBack(binding: string): Promise<void> {
    const { log, toolbox } = this.#ports;
    log.checkWritable();
    const asked = [...log.state.runs.values()].flatMap(({ calls }) => calls.flatMap((call) => (call.asked === null ? [] : [call.asked])));
    const target = asked.find((each) => each.binding === binding);
    if (target === undefined) {
      throw failure('chat.notAsked');
    }
    await toolbox.always.revoke(target);
    await log.record([{ type: 'approval-taken-back', binding }], 'durable');
  }

  /** Stores a permission for all chats. Stores nothing for a changed or missing tool, so Loupe asks again. */
  async #allowAlways(target: CallTarget): Promise<void> {
    const { toolbox, sha256 } = this.#ports;
    const server = serverNamed(toolbox, target.serverName);
    const tool = server?.tools.find(({ name }) => name === target.name);
    if (server !== undefined && tool !== undefined && callTarget(server, tool, sha256).binding === target.binding) {
      await toolbox.always.allow(target, { ...tool, identity: server.identity });
    }
  }
}
