import type { WireEvent } from '../../../src/client/index.ts'
import { answering, runProject } from '../../support/run-project.ts'
import { take } from '../../support/take.ts'
import type { TestHome } from '../../support/test-daemon.ts'
import { testRepository } from '../../support/test-repository.ts'
import { median, milliseconds, percentile, report } from '../figures.ts'

const VISITS = 50
const NO_OP = answering({ title: 'nothing', text: 'Nothing.' })

/** A playbook of stages one after the other, whose agents do nothing. */
function chain(): string {
  const names = Array.from({ length: VISITS }, (_, index) => `stage${index + 1}`)
  const stages = names.map((name, index) => {
    const done = names[index + 1] ?? 'end.done'
    return [name, { role: 'idler', sees: ['goal'], output: 'document', on: { done, failed: 'end.failed' } }]
  })
  return JSON.stringify({
    version: 1,
    name: 'chain',
    description: 'Agents that do nothing, one after the other.',
    roles: { idler: { mode: 'read', prompt: './idler.md', agents: ['worker'] } },
    limits: { minutes: 60, parallel: 1 },
    start: names[0],
    stages: Object.fromEntries(stages),
  })
}

/** Measures how long a run takes from the end of a stage to the start of the next stage's program. */
export async function benchStages(home: TestHome, floor: number): Promise<void> {
  await using repository = await testRepository({
    ...runProject({ idler: `date +%s%N; ${NO_OP}` }, { checks: [] }),
    '.muster/playbooks/chain/playbook.yaml': chain(),
    '.muster/playbooks/chain/idler.md': 'You do nothing.',
  })
  await using daemon = await home.start()
  const goal = { repositoryPath: repository.path, requestDocument: 'Measure.' }
  const before = performance.now()
  const { id } = take(await daemon.client.startJob({ ...goal, playbook: { name: 'chain', inputs: {} } }))
  const events: WireEvent[] = []
  for await (const event of daemon.client.follow(id)) events.push(event)
  const whole = performance.now() - before
  const gaps = gapsIn(events)
  const half = median(gaps)
  report({
    what: `stage end to next program, p50 of ${gaps.length}`,
    figure: `${milliseconds(half)} = ${(half / floor).toFixed(1)} floors`,
    floor: milliseconds(floor),
    aim: 'under 5 floors',
    isMet: half < 5 * floor,
  })
  report({ what: 'stage end to next program, p90', figure: milliseconds(percentile(gaps, 0.9)) })
  report({
    what: `a run of ${VISITS} visits that do nothing`,
    figure: `${milliseconds(whole)} = ${(whole / (VISITS * floor)).toFixed(1)} floors`,
    floor: milliseconds(VISITS * floor),
  })
}

/** From the event that ends a stage, which has the time of its transaction's start, to the next program's first line. */
function gapsIn(events: readonly WireEvent[]): readonly number[] {
  const gaps: number[] = []
  let endedAt = Number.NaN
  for (const event of events) {
    if (event.type === 'stage_ended') endedAt = Date.parse(event.at)
    const stamp = /"(\d{19})"|(?<!\d)(\d{19})(?!\d)/.exec(JSON.stringify('data' in event ? event.data : {}))
    const text = stamp?.[1] ?? stamp?.[2]
    if (text === undefined || Number.isNaN(endedAt)) continue
    gaps.push(Number(BigInt(text) / 1000n) / 1000 - endedAt)
    endedAt = Number.NaN
  }
  return gaps
}
