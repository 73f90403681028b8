import { agentText } from '../../support/agent-output.ts'
import type { TestHome } from '../../support/test-daemon.ts'
import { median, milliseconds, percentile, report } from '../figures.ts'
import { oneTaskProject, startJob } from './one-task-project.ts'

/** Measures the time from an agent's printed line to a client of the job's stream. */
export async function benchLatency(home: TestHome): Promise<void> {
  await using repository = await oneTaskProject(
    'i=0; while [ $i -lt 400 ]; do i=$((i+1)); date +%s%N; sleep 0.005; done',
  )
  await using daemon = await home.start()
  const jobId = await startJob(daemon, repository)
  const samples: number[] = []
  for await (const event of daemon.client.follow(jobId)) {
    const now = performance.timeOrigin + performance.now()
    const text = agentText(event)
    if (/^\d{19}$/.test(text)) samples.push(now - Number(BigInt(text) / 1000n) / 1000)
  }
  const late = percentile(samples, 0.99)
  report({ what: `agent line to client, p50 of ${samples.length}`, figure: milliseconds(median(samples)) })
  report({
    what: 'agent line to client, p99',
    figure: milliseconds(late),
    aim: 'under 100 ms',
    isMet: late < 100,
  })
}
