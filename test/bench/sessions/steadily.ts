import { setTimeout as sleep } from 'node:timers/promises'

/** Repeats an action at a fixed rate. An action that takes too long is followed by the next one immediately. */
export async function steadily(
  everyMs: number,
  times: number,
  act: (round: number) => Promise<void>,
): Promise<void> {
  const begun = performance.now()
  for (let round = 0; round < times; round += 1) {
    await act(round)
    await sleep(Math.max(0, begun + (round + 1) * everyMs - performance.now()))
  }
}
