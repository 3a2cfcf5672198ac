// Runs tasks in parallel.

/**
 * Every second lane takes from the end of the list. With long tasks at both ends, short ones come last, and all lanes
 * end at about the same time.
 *
 * @param {(() => Promise<void>)[]} tasks
 * @param {number} lanes - how many run at the same time
 */
export async function runInLanes(tasks, lanes) {
  const waiting = [...tasks];
  const work = async (/** @type {number} */ lane) => {
    for (;;) {
      const task = lane % 2 === 0 ? waiting.shift() : waiting.pop();
      if (task === undefined) return;
      await task();
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));
}
