import type { TestHome } from '../../support/test-daemon.ts'
import { until } from '../../support/test-daemon.ts'
import { median, milliseconds, report } from '../figures.ts'

/** Measures the time from the start of a daemon until it is ready, after the last one was killed. */
export async function benchRestart(home: TestHome, events: string): Promise<void> {
  const samples: number[] = []
  for (let count = 0; count < 3; count += 1) {
    await (await home.start()).kill()
    const before = performance.now()
    const daemon = await home.start()
    await until(async () => (await daemon.client.ready()).ok)
    samples.push(performance.now() - before)
    await daemon.kill()
  }
  report({ what: `restart to ready, ${events} events in the log`, figure: milliseconds(median(samples)) })
}
