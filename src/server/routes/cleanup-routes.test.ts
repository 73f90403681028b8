import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sampleId } from '../../../test/support/server/sample-records.ts'
import { startTestServer, type TestServer, TOKEN } from '../../../test/support/server/test-server.ts'
import {
  cleanedSchema,
  deletedJobSchema,
  garbageSchema,
  pinnedListSchema,
  pinnedWorkSchema,
  restoredSchema,
} from '../../contract/cleanup.ts'

const job = sampleId('job')
const attempt = sampleId('attempt')
let served: TestServer
let before = 0

beforeAll(async () => {
  served = await startTestServer()
})
beforeEach(() => {
  before = served.acts.length
})
afterAll(() => served[Symbol.asyncDispose]())

async function ask(method: string, path: string, body?: object) {
  const response = await fetch(`${served.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

it('lists pinned work with its task, reason and size', async () => {
  const { body } = await ask('GET', `/api/pinned?job=${job}&all=true`)
  const [work] = pinnedListSchema.parse(body['data']).items
  expect(pinnedWorkSchema.strict().parse(work)).toMatchObject({
    id: attempt,
    jobId: job,
    task: 't1-1',
    status: 'unlanded',
    files: 2,
    bytes: 400,
  })
  expect(served.acts.slice(before)).toEqual([`pinned ${job} true`])
  expect((await ask('GET', '/api/pinned?job=nonsense')).status).toBe(404)
})

it('restores pinned work as a branch, or says which branch is in the way', async () => {
  const { body } = await ask('POST', `/api/pinned/${attempt}/restore`, { branch: 'fix' })
  expect(restoredSchema.strict().parse(body['data'])).toMatchObject({ branch: 'fix', isNew: true })
  await ask('POST', `/api/pinned/${attempt}/restore`, { branch: 'odd', withRefusedWork: true })
  expect(served.acts.at(-1)).toBe(`restore ${attempt} odd although refused`)
  expect(await ask('POST', `/api/pinned/${attempt}/restore`, { branch: 'main' })).toMatchObject({
    status: 409,
    body: { error: { type: 'recovery-branch-taken', details: { branch: 'main' } } },
  })
})

it('deletes a job, or shows what that would remove', async () => {
  const path = `/api/orchestrator/${job}/delete`
  const shown = await ask('POST', path, { dryRun: true })
  expect(deletedJobSchema.strict().parse(shown.body['data'])).toMatchObject({ isDryRun: true, bytes: 1_234 })
  expect(await ask('POST', path)).toMatchObject({
    status: 409,
    body: { error: { type: 'work-unlanded' } },
  })
  expect(await ask('POST', path, { withUnlandedWork: true, withBranch: true })).toMatchObject({ status: 200 })
  expect(served.acts.slice(before)).toEqual([
    `preview ${job}`,
    `delete ${job} false false`,
    `delete ${job} true true`,
  ])
  expect((await ask('POST', '/api/orchestrator/nonsense/delete')).status).toBe(404)
})

it('cleans old jobs up to a given time', async () => {
  const endedBefore = '2026-01-01T00:00:00.000Z'
  const { body } = await ask('POST', '/api/clean', { endedBefore, dryRun: true })
  expect(cleanedSchema.strict().parse(body['data'])).toMatchObject({
    endedBefore,
    isDryRun: true,
    jobs: [{ jobId: job, unlanded: ['t1-1'] }],
    bytes: 10,
  })
  expect((await ask('POST', '/api/clean', { endedBefore: 'last year' })).status).toBe(400)
})

it('collects garbage, and sums up what is removed', async () => {
  const { body } = await ask('POST', '/api/gc', { dryRun: true })
  expect(garbageSchema.strict().parse(body['data'])).toMatchObject({ isDryRun: true, bytes: 7 })
  await ask('POST', '/api/gc')
  expect(served.acts.slice(before)).toEqual(['collect true', 'collect false'])
})
