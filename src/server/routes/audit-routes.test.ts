import { afterAll, beforeAll, expect, it } from 'vitest'
import { NOW } from '../../../test/support/server/sample-records.ts'
import { startTestServer, type TestServer, TOKEN } from '../../../test/support/server/test-server.ts'
import { connect } from '../../client/index.ts'

let served: TestServer

beforeAll(async () => {
  served = await startTestServer()
})
afterAll(() => served[Symbol.asyncDispose]())

const client = () => connect({ url: served.url, token: TOKEN })

it('lists audit rows', async () => {
  const at = NOW.toISOString()
  expect(await client().listAudit({ after: 6, limit: 3 })).toEqual({
    ok: true,
    value: {
      items: [
        { seq: 7, at, actor: 'person', action: 'job-pause', subject: 'job_1', detail: { from: 'running' } },
      ],
    },
  })
  expect(served.acts.at(-1)).toBe('audit after 6, at most 3')
})

it('returns what a check of the audit log found', async () => {
  expect(await client().verifyAudit()).toMatchObject({
    ok: true,
    value: { status: 'broken', rows: 7, breaks: [{ type: 'row-changed', seq: 3 }] },
  })
})

it('refuses to accept an intact audit log', async () => {
  expect(await client().acceptAudit()).toMatchObject({
    ok: false,
    failure: { type: 'audit-intact', status: 409, next: 'muster audit tail' },
  })
})
