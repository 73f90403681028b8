/** A process that only measures the lag of its own event loop, which is the lag of the machine. */
import { measureLoopLag } from '../../../src/daemon/loop-lag.ts'

const lag = measureLoopLag()
process.stdin.resume().on('end', () => process.stdout.write(JSON.stringify(lag())))
