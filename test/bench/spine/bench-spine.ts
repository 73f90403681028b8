import { testHome } from '../../support/test-daemon.ts'
import { benchDispatch } from './bench-dispatch.ts'
import { benchIdle } from './bench-idle.ts'
import { benchLatency } from './bench-latency.ts'
import { benchRestart } from './bench-restart.ts'
import { benchThroughput } from './bench-throughput.ts'

/** The basic figures: dispatch, line latency, throughput, restart and idle cost. */
export async function benchSpine(): Promise<void> {
  await using home = await testHome()
  await benchDispatch(home)
  await benchLatency(home)
  await benchRestart(home, 'about 1 k')
  await benchThroughput(home)
  await benchRestart(home, 'over 200 k')
  await benchIdle(home)
}
