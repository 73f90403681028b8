import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoopLag } from '../../../src/daemon/loop-lag.ts'
import { agentText } from '../../support/agent-output.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { type TestDaemon, testHome } from '../../support/test-daemon.ts'
import { milliseconds, percentile, report } from '../figures.ts'
import { connectionOf } from '../spine/database-of.ts'
import { countWholeSessions } from './count-lines.ts'
import { untilCounted } from './count-sessions.ts'
import { startIdleProcess } from './floor-process.ts'
import { insertCost } from './insert-floor.ts'
import { printingProject } from './printing-project.ts'
import { memoryOf, processorSeconds } from './process-figures.ts'

const SESSIONS = 200
const LINES_A_SECOND = 20
const SECONDS = 30
const LINES_EACH = LINES_A_SECOND * SECONDS
const AT_ONCE = 8

/** Two hundred sessions print at once. Measures lost lines, and the daemon's lag, memory and processor time. */
export async function benchSessions(): Promise<void> {
  await benchMix({ title: `${SESSIONS} plain sessions`, spoken: 0 })
  await benchMix({ title: `${SESSIONS} sessions, 50 of them spoken to`, spoken: 50 })
}

type Mix = { readonly title: string; readonly spoken: number }

async function benchMix(mix: Mix): Promise<void> {
  await using directory = await temporaryDirectory('muster-bench')
  await using home = await testHome()
  const goFile = join(directory.path, 'go')
  await using repository = await printingProject({
    linesEach: LINES_EACH,
    linesASecond: LINES_A_SECOND,
    goFile,
  })
  await using daemon = await home.start({ MUSTER_LOOP_LAG: '1', MUSTER_MAX_SESSIONS: '1000' })
  const connection = await connectionOf(home)
  report({ what: `${mix.title}, ${LINES_A_SECOND} lines a second each`, figure: `for ${SECONDS} s` })
  const perRow = await insertCost(connection, SESSIONS * LINES_A_SECOND)
  const begun = performance.now()
  await openSessions(daemon, { repositoryPath: repository.path, connection }, mix)
  const openedMs = performance.now() - begun
  const lagAtStart = await lagOf(daemon)
  report({ what: 'all opened and running', figure: milliseconds(openedMs) })
  report({ what: 'loop lag meanwhile', figure: describeLag(lagAtStart) })

  const stop = new AbortController()
  const delays = followDelays(daemon, stop.signal)
  await measurePrinting(daemon, goFile, perRow)
  await untilCounted(connection, 'terminated', SESSIONS)
  report({ what: 'loop lag while all end', figure: describeLag(await lagOf(daemon)) })
  stop.abort()
  reportDelays(await delays)
  const whole = await countWholeSessions(connection, LINES_EACH)
  report({
    what: 'sessions with every line once, in order',
    figure: `${whole} of ${SESSIONS}`,
    aim: 'all',
    isMet: whole === SESSIONS,
  })
}

type Stage = { readonly repositoryPath: string; readonly connection: object }

async function openSessions(daemon: TestDaemon, stage: Stage, mix: Mix): Promise<void> {
  const { repositoryPath } = stage
  const numbers = Array.from({ length: SESSIONS }, (_, index) => index)
  const open = async (): Promise<void> => {
    for (let next = numbers.pop(); next !== undefined; next = numbers.pop()) {
      const agent = next < mix.spoken ? 'spoken' : 'plain'
      const opened = await daemon.client.openSession({ repositoryPath, agent, prompt: 'Print.' })
      if (!opened.ok) throw new Error(opened.failure.message)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, open))
  await untilCounted(stage.connection, 'running', SESSIONS)
}

async function measurePrinting(daemon: TestDaemon, goFile: string, perRow: number): Promise<void> {
  await using idle = startIdleProcess()
  const before = await processorSeconds(daemon.pid)
  await lagOf(daemon)
  await writeFile(goFile, '')
  await sleep(SECONDS * 1000)
  const lag = await lagOf(daemon)
  const floor = await idle.end()
  const used = (await processorSeconds(daemon.pid)) - before
  const memory = await memoryOf(daemon.pid)
  report({
    what: 'loop lag while all print',
    figure: describeLag(lag),
    floor: describeLag(floor),
    aim: 'p99 under 50 ms',
    isMet: lag.p99 < 50,
  })
  const perLine = (used / (SESSIONS * LINES_EACH)) * 1e6
  report({
    what: 'processor time of the daemon',
    figure: `${used.toFixed(1)} s, ${perLine.toFixed(0)} µs a line = ${(perLine / perRow).toFixed(1)} floors`,
    floor: `${perRow.toFixed(0)} µs a row in batches`,
  })
  report({
    what: 'memory of the daemon',
    figure: `${memory.residentMb} MB, at most ${memory.peakMb} MB`,
    aim: 'under 400 MB',
    isMet: memory.peakMb < 400,
  })
}

async function lagOf(daemon: TestDaemon): Promise<LoopLag> {
  const answer = await daemon.client.status()
  if (!answer.ok || answer.value.daemon.loopLag === undefined)
    throw new Error('the daemon does not report its loop lag')
  return answer.value.daemon.loopLag
}

/** The milliseconds from each printed line to its arrival at a client of the feed. */
async function followDelays(daemon: TestDaemon, signal: AbortSignal): Promise<readonly number[]> {
  const delays: number[] = []
  for await (const event of daemon.client.followAll({ signal })) {
    const [, printedAt] = /^line \d+ (\d+)$/.exec(agentText(event)) ?? []
    if (printedAt === undefined) continue
    delays.push(performance.timeOrigin + performance.now() - Number(printedAt) / 1000)
  }
  return delays
}

function reportDelays(delays: readonly number[]): void {
  const late = percentile(delays, 0.99)
  report({
    what: `line to a client of all events, of ${delays.length}`,
    figure: `p50 ${milliseconds(percentile(delays, 0.5))}, p99 ${milliseconds(late)}`,
  })
}

function describeLag({ p50, p99, max }: LoopLag): string {
  return `p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}, max ${milliseconds(max)}`
}
