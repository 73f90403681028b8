import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportListSchema, reportSchema } from '../../contract/report.ts'
import { sampleId } from '../testing/sample-records.ts'
import { startTestServer, type TestServer, TOKEN } from '../testing/test-server.ts'

let served: TestServer

beforeAll(async () => {
  served = await startTestServer()
})

afterAll(() => served.server.close())

async function ask(method: string, path: string) {
  const response = await fetch(`${served.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('reports', () => {
  it('are asked for under a name that is no job', async () => {
    const job = sampleId('job')
    const { status, body } = await ask('GET', `/api/orchestrator/report?job=${job}&limit=3`)
    expect(status).toBe(200)
    const { items } = reportListSchema.parse(body['data'])
    expect(reportSchema.strict().parse(items[0])).toMatchObject({
      jobId: job,
      tasks: [{ status: 'blocked', landings: [{ status: 'landed', verified: false }] }],
      blockers: [{ type: 'task' }, { type: 'planner', text: 'no water' }],
      finalizeReady: false,
    })
    expect(served.acts.at(-1)).toBe(`reports ${job} undefined 3`)
    await ask('GET', `/api/orchestrator/report?project=${sampleId('project')}`)
    expect(served.acts.at(-1)).toBe(`reports undefined ${sampleId('project')} 5`)
  })

  it.each([
    ['job=nonsense', 404],
    ['project=nonsense', 404],
    ['limit=0', 400],
    ['limit=21', 400],
  ])('are refused for %s', async (query, status) => {
    expect(await ask('GET', `/api/orchestrator/report?${query}`)).toMatchObject({ status })
  })
})

describe('diffs', () => {
  it.each([
    `/api/tasks/${sampleId('task', 1)}/diff`,
    `/api/approvals/${sampleId('approval')}/diff`,
    `/api/orchestrator/${sampleId('job')}/diff`,
  ])('are at %s', async (path) => {
    expect(await ask('GET', path)).toMatchObject({
      status: 200,
      body: { data: { patch: '+a seed\n', files: [{ path: 'seed.txt', added: 1 }], isCut: false } },
    })
  })

  it('of what has no work, and of what is not there, are not found', async () => {
    const nothing = await ask('GET', `/api/tasks/${sampleId('task', 9)}/diff`)
    expect(nothing).toMatchObject({
      status: 404,
      body: { error: { type: 'no-work', next: expect.any(String) } },
    })
    expect(await ask('GET', '/api/tasks/t1-1/diff')).toMatchObject({
      status: 404,
      body: { error: { type: 'not-found' } },
    })
  })
})

describe('merging', () => {
  it('is asked of the job, and what it refuses is said in words', async () => {
    const path = `/api/orchestrator/${sampleId('job')}/merge`
    expect(await ask('POST', path)).toMatchObject({
      status: 409,
      body: { error: { type: 'nothing-landed', message: expect.stringContaining('nothing to merge') } },
    })
    expect(served.acts.at(-1)).toBe(`merge ${sampleId('job')}`)
    expect(await ask('GET', path)).toMatchObject({
      status: 200,
      body: { data: { status: 'none', baseBranch: 'main', hasMoved: false, checks: [], warnings: [] } },
    })
    expect(await ask('POST', '/api/orchestrator/nonsense/merge')).toMatchObject({ status: 404 })
  })
})
