import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import type { MusterClient } from '../../src/client/index.ts'
import { anthropicWire } from '../support/model-server/anthropic-wire.ts'
import { openEventStream } from '../support/model-server/event-stream.ts'
import { objectOf } from '../support/model-server/json-object.ts'
import { quickHome } from '../support/quick-home.ts'
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
    { role: 'developer', number: 1, outcome: 'accepted' },
    { role: 'reviewer', number: 1, outcome: 'accepted' },
  ])
})

const VERDICT = { verdict: 'APPROVED', summary: 'good', issues: [], criteria: [] }

const KEY = 'a-key-1'

/** A model that approves everything for this key, and answers nobody else. */
async function startModel() {
  const server = createServer(async (request, response) => {
    if (request.headers['x-api-key'] !== KEY) {
      const error = { type: 'authentication_error', message: 'invalid x-api-key' }
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
      return
    }
    const wireRequest = { path: request.url ?? '', body: objectOf(await json(request)) }
    const reply = { text: JSON.stringify(VERDICT), calls: [], hang: false }
    await anthropicWire.stream(wireRequest, reply, openEventStream(response), () => Promise.resolve())
    response.end()
  })
  await new Promise<void>((resolved) => void server.listen(0, '127.0.0.1', resolved))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolved) => server.close(resolved))
    },
  }
}

it.each([
  ['no key', '', 'ANTHROPIC_API_KEY is not set'],
  ['a key that is rejected', 'an-old-key', 'Anthropic rejected the key in ANTHROPIC_API_KEY'],
])('does the same for a reviewer that is a model, if the next daemon has %s', async (_what, key, why) => {
  await using model = await startModel()
  await using home = await quickHome()
  const files = reviewedProject('exit 1')
  const configuration = JSON.parse(files['muster.yaml'])
  const models = { small: { provider: 'anthropic', model: 'm', baseUrl: model.url } }
  const changed = { ...configuration, models, roles: { reviewer: { model: 'small' } } }
  await using repository = await testRepository({ ...files, 'muster.yaml': JSON.stringify(changed) })
  const withDaemon = async <Value>(given: string, work: (client: MusterClient) => Promise<Value>) => {
    await using daemon = await home.start({ ANTHROPIC_API_KEY: given })
    return await work(daemon.client)
  }

  const jobId = await withDaemon(KEY, (client) => startJob(client, repository, { autoStart: false }))
  await withDaemon(key, async (client) => {
    take(await client.beginJob(jobId))
    const signal = AbortSignal.timeout(60_000)
    for await (const event of client.follow(jobId, { signal })) if (event.type === 'session_suspended') break
    expect(take(await client.getJob(jobId)).waiting).toMatchObject([
      { waitsFor: 'person', why: expect.stringContaining(why) },
    ])
  })
  await withDaemon(KEY, async (client) => {
    take(await client.resumeJob(jobId))
    await waitForJob(client, jobId)
    const [task] = await tasksOf(client, jobId)
    expect(task).toMatchObject({ status: 'completed' })
    const { attempts } = take(await client.getTask(task?.id ?? ''))
    expect(attempts.map(({ role, number, outcome }) => [role, number, outcome])).toEqual([
      ['developer', 1, 'accepted'],
      ['reviewer', 1, 'accepted'],
    ])
  })
})
