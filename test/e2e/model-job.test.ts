import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { chatWire } from '../support/model-server/chat-wire.ts'
import { openEventStream } from '../support/model-server/event-stream.ts'
import { objectOf } from '../support/model-server/json-object.ts'
import { quickHome } from '../support/quick-home.ts'
import { runJob, tasksOf } from '../support/run-job.ts'
import { take } from '../support/take.ts'
import { testRepository } from '../support/test-repository.ts'

const GARBAGE = 'I would write a file.'
const PLAN = { tasks: [{ description: 'write the file', clauses: [1], files: ['one.txt'] }], done: false }
const DONE = { tasks: [], done: true, evidence: [{ clause: 1, evidence: 'one.txt is there' }] }
const VERDICT = { verdict: 'APPROVED', summary: 'good', issues: [], criteria: [] }

/** A chat completions server. As planner, it first answers with prose; as reviewer, it approves. */
async function startModel() {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const body = objectOf(await json(request))
    const prompt = JSON.stringify(body)
    asked.push(prompt)
    const plans = asked.filter((text) => text.includes('You plan the work')).length
    const planned = plans === 1 ? GARBAGE : JSON.stringify(plans === 2 ? PLAN : DONE)
    const text = prompt.includes('You plan the work') ? planned : JSON.stringify(VERDICT)
    const reply = { text, calls: [], hang: false }
    const wireRequest = { path: request.url ?? '', body }
    await chatWire.stream(wireRequest, reply, openEventStream(response), () => Promise.resolve())
    response.end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('a job that a model plans and reviews without an agent program', () => {
  it('asks again after an unusable answer, lands the approved work, and ends with evidence', async () => {
    await using model = await startModel()
    await using home = await quickHome()
    const project = shellProject([{ description: 'write the file', script: commitFile('one.txt', 'one') }])
    const { agents, ...rest } = JSON.parse(project['muster.yaml'])
    await using repository = await testRepository({
      ...project,
      'muster.yaml': JSON.stringify({
        ...rest,
        agents: { worker: agents.worker },
        models: {
          default: {
            provider: 'openai-compatible',
            model: 'm',
            baseUrl: model.url,
            priceUsd: { input: 1, output: 2 },
          },
        },
        planner: { model: 'default' },
        roles: { reviewer: { model: 'default' } },
        mode: 'review',
      }),
    })
    const { client } = await home.start({ OPENAI_API_KEY: 'none needed' })
    const job = await runJob(client, repository, { requestDocument: 'Have one file.' })
    expect(job).toMatchObject({ status: 'completed', reason: 'goal-reached', evidence: ['one.txt is there'] })
    expect(await repository.git('show', `${job.workingBranch}:one.txt`)).toBe('one')
    const [task] = await tasksOf(client, job.id)
    const { attempts } = take(await client.getTask(task?.id ?? ''))
    expect(attempts.map(({ role, outcome }) => `${role} ${outcome}`)).toEqual([
      'developer accepted',
      'reviewer accepted',
    ])
    const plans = model.asked.filter((text) => text.includes('You plan the work'))
    expect(plans).toHaveLength(3)
    expect(plans[1]).toContain('Your last answer could not be used')
    expect(plans[0]).not.toContain('Your last answer could not be used')
  })
})
