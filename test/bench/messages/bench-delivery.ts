import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectAgent } from '../../../src/client/agent-calls.ts'
import { shellProject } from '../../support/command-agents.ts'
import { take } from '../../support/take.ts'
import { type TestHome, until } from '../../support/test-daemon.ts'
import { testRepository } from '../../support/test-repository.ts'
import { median, milliseconds, percentile, report } from '../figures.ts'

const MESSAGES = 300

/** An agent that leaves its address and token, and stays until it is told to go. */
const waiting = (name: string) =>
  `printf '%s %s %s' "$MUSTER_URL" "$MUSTER_TOKEN" "$MUSTER_SESSION_ID" > "$DROP/.${name}"; mv "$DROP/.${name}" "$DROP/${name}"; while [ ! -f "$DROP/over" ]; do sleep 0.1; done`

/** Measures the time from a message that one agent sends to the other agent's having it. */
export async function benchDelivery(home: TestHome): Promise<void> {
  await using drop = await testRepository({})
  const script = (name: string) => waiting(name).replaceAll('$DROP', drop.path)
  // The prompt of each contains "one", so that alone would not tell them apart.
  const tasks = ['one', 'two'].map((name) => ({ description: `be agent ${name}`, script: script(name) }))
  await using repository = await testRepository(shellProject(tasks, { checks: [] }))
  await using daemon = await home.start()
  const goal = { repositoryPath: repository.path, requestDocument: 'Measure.' }
  const { id: jobId } = take(await daemon.client.startJob(goal))
  const [sender, reader] = [await agentOf(drop.path, 'one'), await agentOf(drop.path, 'two')]
  const samples: number[] = []
  for (let count = 0; count < MESSAGES; count += 1) {
    const arrived = reader.client.inbox({ wait: 20 }).then((inbox) => ({ inbox, at: performance.now() }))
    const before = performance.now()
    await sender.client.send({ to: reader.sessionId, body: `message ${count}` })
    const { inbox, at } = await arrived
    samples.push(at - before)
    take(await reader.client.acknowledge(take(inbox).items.map(({ id }) => id)))
  }
  await daemon.client.cancelJob(jobId)
  const late = percentile(samples, 0.99)
  report({ what: `message to the other agent, p50 of ${MESSAGES}`, figure: milliseconds(median(samples)) })
  report({
    what: 'message to the other agent, p99',
    figure: milliseconds(late),
    aim: 'under 100 ms',
    isMet: late < 100,
  })
}

async function agentOf(drop: string, name: string) {
  const read = () => readFile(join(drop, name), 'utf8').catch(() => '')
  await until(async () => (await read()) !== '', 60_000)
  const [url = '', token = '', sessionId = ''] = (await read()).split(' ')
  return { client: connectAgent({ url, token }), sessionId }
}
