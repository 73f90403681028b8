import { expect, it } from 'vitest'
import { allRoutes } from '../contract/routes/all-routes.ts'
import { getJobRoute } from '../contract/routes/job-routes.ts'
import { failure } from '../domain/result.ts'
import { agentCalls } from './agent-calls.ts'
import { unreachableError } from './api-error.ts'
import { type Call, createCall } from './call-route.ts'
import { connect, type WireJobStatus } from './index.ts'
import {
  approvalCalls,
  auditCalls,
  backupCalls,
  cleanupCalls,
  daemonCalls,
  jobCalls,
  messageCalls,
  recordCalls,
  sessionCalls,
  trustCalls,
} from './muster-calls.ts'
import { playbookCalls } from './playbook-calls.ts'
import { runCalls } from './run-calls.ts'

/** Routes without a call: streams are followed, and the API description is for other programs. */
const WITHOUT_CALL = [
  '/api/events',
  '/api/openapi.json',
  '/api/orchestrator/{id}/stream',
  '/api/sessions/{id}/stream',
]

it('has a call for every declared route', () => {
  const called = new Set<unknown>()
  const call: Call = async (route) => {
    called.add(route)
    return failure(unreachableError('', 'this test sends nothing'))
  }
  const groups = [
    jobCalls,
    recordCalls,
    runCalls,
    sessionCalls,
    approvalCalls,
    messageCalls,
    auditCalls,
    backupCalls,
    trustCalls,
    playbookCalls,
    cleanupCalls,
    daemonCalls,
    agentCalls,
  ]
  for (const group of groups) {
    for (const method of Object.values<(...input: never[]) => unknown>(group(call))) {
      // The compiler and the daemon check inputs. This test only checks which route is called.
      Reflect.apply(method, undefined, [[], [], {}])
    }
  }
  const uncalled = allRoutes.filter((route) => !called.has(route)).map(({ path }) => path)
  expect(uncalled.sort()).toEqual(WITHOUT_CALL)
  expect(called.size).toBe(allRoutes.length - WITHOUT_CALL.length)
})

it('follows the declared stream routes', async () => {
  const asked: string[] = []
  const client = connect({
    url: 'http://daemon',
    token: 'secret',
    fetch: async (input) => {
      asked.push(new URL(String(input)).pathname)
      return new Response('', { status: 404 })
    },
  })
  for (const stream of [client.follow('x'), client.followSession('x'), client.followAll()]) {
    await expect(stream.next()).rejects.toThrow('not from a Muster daemon')
  }
  expect(asked).toEqual(['/api/orchestrator/x/stream', '/api/sessions/x/stream', '/api/events'])
})

it('sends the method, path, query, key and body that a route declares', async () => {
  const sent: Request[] = []
  const client = connect({
    url: 'http://daemon/',
    token: 'secret',
    fetch: async (input, init) => {
      sent.push(new Request(input, init))
      return new Response('', { status: 500 })
    },
  })
  await client.startJob({ repositoryPath: '/garden', requestDocument: 'Grow' }, { idempotencyKey: 'one' })
  await client.getCycle('a/b', 3)
  await client.listSessions({ resumable: true, limit: undefined })
  const [started, cycle, sessions] = sent
  expect([started?.method, started?.url]).toEqual(['POST', 'http://daemon/api/orchestrator'])
  expect(started?.headers.get('idempotency-key')).toBe('one')
  expect(await started?.json()).toEqual({ repositoryPath: '/garden', requestDocument: 'Grow' })
  expect([cycle?.method, cycle?.url]).toEqual(['GET', 'http://daemon/api/orchestrator/a%2Fb/cycles/3'])
  expect(sessions?.url).toBe('http://daemon/api/sessions?resumable=true')
})

it('derives the input and answer types of a call from the route', () => {
  const client = connect({ url: 'http://daemon', token: 'secret', fetch: () => Promise.reject(new Error()) })
  const call = createCall({ url: '', token: '', fetch })
  const unmade = async () => {
    // @ts-expect-error: the job is missing
    await client.listLandings({})
    // @ts-expect-error: there is no such status
    await client.listJobs({ status: 'nonsense' })
    // @ts-expect-error: the goal is missing
    await client.startJob({ repositoryPath: '/garden' })
    // @ts-expect-error: this route takes no key
    await call(getJobRoute, { params: { id: 'x' }, idempotencyKey: 'one' })
    const job = await client.getJob('x')
    return job.ok ? (job.value.status satisfies WireJobStatus) : ''
  }
  expect(unmade).toBeTypeOf('function')
})
