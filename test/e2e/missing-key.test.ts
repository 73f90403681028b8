import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { reviewedProject } from '../support/reviewed-project.ts'
import { startJob, tasksOf } from '../support/run-job.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { waitForJob } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

const shared = shareDaemon()
const KEYED_CODEX = resolve(import.meta.dirname, '../support/keyed-codex.ts')

/** A project with one task, whose reviewer is a Codex that takes its key from a variable of its own. */
function project(key: string) {
  const files = reviewedProject('exit 1')
  const configuration = JSON.parse(files['muster.yaml'])
  const critic = {
    provider: 'codex',
    command: [process.execPath, KEYED_CODEX],
    roles: ['reviewer'],
    env: { CRITIC_KEY: key },
  }
  const agents = { ...configuration.agents, critic }
  return { ...files, 'muster.yaml': JSON.stringify({ ...configuration, agents }) }
}

it('keeps a job from starting if its reviewer has no key', async () => {
  await using repository = await testRepository(project(''))
  const goal = { repositoryPath: repository.path, requestDocument: 'Do the tasks.' }
  const started = await shared.client.startJob(goal)
  expect(started).toMatchObject({
    ok: false,
    failure: { type: 'agent-unready', details: { agent: 'critic', provider: 'codex', cause: 'login' } },
  })
  expect(!started.ok && started.failure.message).toContain('CRITIC_KEY')
})

it('makes finished work wait for a reviewer that loses its key, without using up its attempts', async () => {
  const { client } = shared
  await using repository = await testRepository(project('key'))
  const jobId = await startJob(client, repository, { autoStart: false })
  await repository.write(project(''))
  take(await client.beginJob(jobId))
  const signal = AbortSignal.timeout(60_000)
  for await (const event of client.follow(jobId, { signal })) if (event.type === 'session_suspended') break

  const [waiting] = await tasksOf(client, jobId)
  expect(waiting).toMatchObject({ status: 'review', retryCount: 0 })
  expect(take(await client.getJob(jobId)).waiting).toMatchObject([
    {
      waitsFor: 'person',
      why: expect.stringMatching(/^Codex has no key: .* Set CRITIC_KEY under `agents\.critic\.env`/),
      next: `muster resume ${jobId}`,
    },
  ])

  await repository.write(project('key'))
  take(await client.resumeJob(jobId))
  const job = await waitForJob(client, jobId)
  const [task] = await tasksOf(client, job.id)
  expect(task).toMatchObject({ status: 'completed', rounds: 0 })
  const { attempts } = take(await client.getTask(task?.id ?? ''))
  expect(attempts).toMatchObject([
    { role: 'worker', number: 1, outcome: 'accepted' },
    { role: 'reviewer', number: 1, outcome: 'accepted' },
  ])
})
