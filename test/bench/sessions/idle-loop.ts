/** A process that does nothing but measure how late its own event loop is: what the machine itself costs. */
import { measureLoopLag } from '../../../src/daemon/loop-lag.ts'

const lag = measureLoopLag()
process.stdin.resume().on('end', () => process.stdout.write(JSON.stringify(lag())))
