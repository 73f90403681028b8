import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleApproval, sampleId } from '../../../test/support/server/sample-records.ts'
import { startTestServer, type TestServer, TOKEN } from '../../../test/support/server/test-server.ts'
import { reportListSchema, reportSchema } from '../../contract/report.ts'

let served: TestServer

beforeAll(async () => {
  served = await startTestServer()
  await served.world.putApproval(sampleApproval())
})

afterAll(() => served[Symbol.asyncDispose]())

async function ask(method: string, path: string) {
  const response = await fetch(`${served.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('reports', () => {
  it('have their own path next to the jobs', async () => {
    const job = sampleId('job')
    const { status, body } = await ask('GET', `/api/orchestrator/report?job=${job}&limit=3`)
    expect(status).toBe(200)
    const { items } = reportListSchema.parse(body['data'])
    expect(items.map((report) => reportSchema.strict().parse(report))).toMatchObject([
      {
        jobId: job,
        tasks: [{ status: 'blocked', landings: [{ status: 'landed', verified: false }] }, {}, {}],
        finalizeReady: false,
      },
    ])
  })

  it('are documents too, if asked for', async () => {
    const { body } = await ask('GET', `/api/orchestrator/report?job=${sampleId('job')}&format=markdown`)
    const [first] = reportListSchema.parse(body['data']).items
    expect(first?.markdown).toMatch(/^# Report of job_.*\n\n- /)
    expect(await ask('GET', '/api/orchestrator/report?format=html')).toMatchObject({ status: 400 })
  })

  it('are listed for one project', async () => {
    const of = async (project: string) => {
      const { body } = await ask('GET', `/api/orchestrator/report?project=${project}`)
      return reportListSchema.parse(body['data']).items.length
    }
    expect(await of(sampleId('project'))).toBe(1)
    expect(await of(sampleId('project', 1))).toBe(0)
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
    ['no-work', `/api/tasks/${sampleId('task', 2)}/diff`],
    ['no-work', `/api/sessions/${sampleId('session')}/diff`],
    ['no-work', `/api/approvals/${sampleId('approval')}/diff`],
    ['no-work', `/api/orchestrator/${sampleId('job')}/diff`],
    ['not-found', '/api/tasks/t1-1/diff'],
    ['not-found', `/api/orchestrator/${sampleId('job', 9)}/diff`],
  ])('answer 404 %s for %s', async (type, path) => {
    expect(await ask('GET', path)).toMatchObject({ status: 404, body: { error: { type } } })
  })
})

it('refuses a diff with an option that it does not know', async () => {
  const path = `/api/orchestrator/${sampleId('job')}/diff?withTaskList=perhaps`
  expect(await ask('GET', path)).toMatchObject({ status: 400 })
})

describe('merging', () => {
  it('refuses a job that has landed nothing, with a message', async () => {
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

describe('pull requests', () => {
  it('are shown with their text, and refused for a job that has landed nothing', async () => {
    const path = `/api/orchestrator/${sampleId('job')}/pull-request`
    expect(await ask('POST', path)).toMatchObject({
      status: 409,
      body: { error: { type: 'nothing-landed' } },
    })
    expect(served.acts.at(-1)).toBe(`propose ${sampleId('job')}`)
    // The sample job has a landed landing, but its hub has no branch.
    expect(await ask('GET', path)).toMatchObject({ status: 409 })
    expect(await ask('GET', '/api/orchestrator/nonsense/pull-request')).toMatchObject({ status: 404 })
  })
})
