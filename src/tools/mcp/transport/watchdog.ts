import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Reads `+ <group>` and `- <group>` from its input, and ends the groups that are left when its input ends. It is a shell, because one
 * more Node would take 40 MB and a tenth of a second, and every system with process groups has one.
 */
const SCRIPT = `groups=
while read -r sign group; do
  case $sign in
    +) groups="$groups $group" ;;
    -) rest=; for each in $groups; do [ "$each" = "$group" ] || rest="$rest $each"; done; groups=$rest ;;
  esac
done
for each in $groups; do kill -TERM "-$each" 2>/dev/null; done
[ -z "$groups" ] || sleep 2
for each in $groups; do kill -KILL "-$each" 2>/dev/null; done
exit 0`;

/**
 * Ends servers and commands when this process ends, in whatever way: nothing inside of it runs after a SIGKILL or a crash. It starts with
 * the first of them, and ends with the last. Windows has no process groups: there a server learns of our end only by its closed input.
 */
export class Watchdog {
  readonly #groups = new Set<number>();
  #shell: ChildProcess | null = null;

  /** Ends this group of processes when we end. */
  watch(group: number): void {
    if (process.platform === 'win32') {
      return;
    }
    this.#groups.add(group);
    if (this.#shell === null) {
      this.#start();
    } else {
      this.#tell('+', group);
    }
  }

  /** The group has ended: its number may soon be that of others. */
  forget(group: number): void {
    this.#groups.delete(group);
    this.#tell('-', group);
    if (this.#groups.size === 0) {
      this.#shell?.stdin?.end();
      this.#shell = null;
    }
  }

  #start(): void {
    // In a session of its own, so that what ends our group does not end it before its work is done.
    const shell = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} });
    this.#shell = shell;
    const isGone = (): void => {
      if (this.#shell === shell) {
        // Somebody ended it. The next server starts another one, for all.
        this.#shell = null;
      }
    };
    shell.once('exit', isGone);
    shell.once('error', isGone);
    shell.stdin.on('error', isGone);
    shell.unref();
    for (const group of this.#groups) {
      this.#tell('+', group);
    }
  }

  #tell(sign: '+' | '-', group: number): void {
    this.#shell?.stdin?.write(`${sign} ${String(group)}\n`);
  }
}
