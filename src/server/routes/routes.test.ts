import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NOW, sampleId, sampleJob } from '../../../test/support/server/sample-records.ts'
import { startTestServer, type TestServer, TOKEN } from '../../../test/support/server/test-server.ts'
import { eventSchema } from '../../contract/event.ts'
import { jobSchema } from '../../contract/job.ts'
import { checkPrinted } from '../../domain/event/task-events.ts'

let served: TestServer

beforeAll(async () => {
  served = await startTestServer()
})

afterAll(() => served[Symbol.asyncDispose]())

type Answer = { readonly status: number; readonly body: Record<string, unknown>; readonly headers: Headers }

async function ask(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${served.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Record<string, unknown>
  return { status: response.status, body: answer, headers: response.headers }
}

const goal = { repositoryPath: '/garden', requestDocument: 'Grow a tree' }

describe('starting a job', () => {
  it('passes the request on and returns the job', async () => {
    const { status, body } = await ask('POST', '/api/orchestrator', goal, { 'idempotency-key': 'key-1' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ success: true, data: { title: 'Grow a tree', status: 'running' } })
    expect(served.acts.at(-1)).toBe('start key-1')
    expect(served.started.at(-1)).toEqual({ ...goal, autoStart: true })
  })

  it('accepts a provider in place of the agent with its name', async () => {
    await ask('POST', '/api/orchestrator', { ...goal, provider: 'claude-code', autoStart: false })
    expect(served.started.at(-1)).toEqual({ ...goal, agent: 'claude-code', autoStart: false })
  })

  it.each([
    [
      'repository-unsupported',
      { requestDocument: 'x', repositoryOwner: 'someone', repositoryName: 'garden' },
      'someone/garden',
    ],
    ['goal-empty', { ...goal, requestDocument: ' ' }, 'empty'],
  ])('answers 422 %s for unsupported requests', async (type, request, word) => {
    const { status, body } = await ask('POST', '/api/orchestrator', request)
    expect(status).toBe(422)
    expect(body).toMatchObject({
      success: false,
      error: { type, message: expect.stringContaining(word), next: expect.any(String) },
    })
  })

  it.each([
    ['repositoryPath', { requestDocument: 'x' }],
    ['requestDocument', { repositoryPath: '/garden' }],
    ['requestDocument', { ...goal, requestDocument: 'a\0b' }],
    ['maxCycles', { ...goal, maxCycles: 0 }],
    ['provider', { ...goal, provider: 'a', agent: 'b' }],
    ['maxCycle', { ...goal, maxCycle: 3 }],
    ['budgetUsd', { ...goal, budgetUsd: 0 }],
    ['mode', { ...goal, mode: 'hope' }],
    ['user', { ...goal, user: '' }],
  ])('names the invalid field %s', async (field, request) => {
    const { status, body } = await ask('POST', '/api/orchestrator', request)
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(field)
  })

  it('passes on the budget, the landing mode and the owner', async () => {
    const rest = { budgetUsd: 2.5, mode: 'approve', user: 'ada' }
    expect((await ask('POST', '/api/orchestrator', { ...goal, ...rest })).status).toBe(201)
    expect(served.started.at(-1)).toEqual({ ...goal, ...rest, autoStart: true })
  })

  it('refuses an invalid idempotency key', async () => {
    const { status } = await ask('POST', '/api/orchestrator', goal, { 'idempotency-key': 'x'.repeat(201) })
    expect(status).toBe(400)
  })
})

describe('jobs', () => {
  it('are shown whole, without the values of agent environments', async () => {
    const { status, body } = await ask('GET', `/api/orchestrator/${sampleId('job')}`)
    expect(status).toBe(200)
    expect(jobSchema.strict().parse(body['data'])).toMatchObject({
      title: 'Grow a tree',
      repositoryName: 'garden',
      checks: ['true'],
      limits: { maxParallelTasks: 3 },
      agents: [{ name: 'mine', environmentNames: ['API_KEY'] }],
    })
    expect(JSON.stringify(body)).not.toContain('a secret value')
  })

  it('are listed newest first, page by page, without their documents', async () => {
    const added: string[] = []
    for (let number = 1; number <= 5; number += 1) {
      added.unshift((await served.world.addJob({ userId: 'grace' })).id)
    }
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const query: string = cursor === undefined ? '' : `&cursor=${cursor}`
      const { body } = await ask('GET', `/api/orchestrator?user=grace&limit=2${query}`)
      const page = body['data'] as { items: { id: string }[]; nextCursor?: string }
      expect(page.items[0]).not.toHaveProperty('requestDocument')
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(seen).toEqual(added)
  })

  it('are filtered by person or state', async () => {
    const paused = await served.world.addJob({ userId: 'ada', state: { type: 'paused' } })
    const running = await served.world.addJob({ userId: 'ada' })
    const list = async (query: string) => {
      const { body } = await ask('GET', `/api/orchestrator?${query}`)
      return (body['data'] as { items: { id: string }[] }).items.map(({ id }) => id)
    }
    expect(await list('user=ada')).toEqual([running.id, paused.id])
    expect(await list('user=ada&status=paused')).toEqual([paused.id])
    expect(await list('status=paused')).toEqual([paused.id])
    expect(await list('status=running')).toContain(sampleId('job'))
    expect((await ask('GET', '/api/orchestrator?status=lost')).status).toBe(400)
  })

  it('have no planner if a run works on their goal', async () => {
    const { planner: _, ...plan } = sampleJob().plan
    const playbook = { name: 'solo', hash: 'a'.repeat(64) }
    const { id } = await served.world.addJob({
      plan: { ...plan, approach: { type: 'run', playbook, inputs: {}, cast: {} } },
    })
    const { body } = await ask('GET', `/api/orchestrator/${id}`)
    expect(body).toMatchObject({ data: { id, worker: plan.worker } })
    expect(body['data']).not.toHaveProperty('planner')
  })

  it('report until when they wait if the daily budget is spent', async () => {
    const { plan } = sampleJob()
    const { id } = await served.world.addJob({ plan: { ...plan, limits: { ...plan.limits, dailyUsd: 0 } } })
    const { body } = await ask('GET', '/api/status')
    const all = (body['data'] as { waiting: { id: string; until: string }[] }).waiting
    const waiting = all.filter((entry) => entry.id === id)
    expect(waiting).toMatchObject([{ waitsFor: 'money', why: expect.stringContaining('nothing new starts') }])
    const until = new Date(waiting[0]?.until ?? '')
    expect([until.getHours(), until.getMinutes(), until > NOW]).toEqual([0, 0, true])
    expect((await ask('GET', `/api/orchestrator/${id}`)).body).toMatchObject({ data: { waiting } })
  })

  it('accept edits unless they are empty, malformed or too late', async () => {
    const path = `/api/orchestrator/${sampleId('job')}`
    expect((await ask('PUT', `${path}/request`, { requestDocument: 'Two trees' })).status).toBe(200)
    expect((await ask('PUT', `${path}/tasklist`, { requestedTasks: '' })).status).toBe(200)
    expect(served.acts.slice(-2)).toEqual(['edit goal', 'edit task-list'])
    expect(await ask('PUT', `${path}/request`, { requestDocument: ' ' })).toMatchObject({
      status: 422,
      body: { error: { type: 'goal-empty' } },
    })
    expect(await ask('PUT', `${path}/tasklist`, { requestedTasks: 'too late' })).toMatchObject({
      status: 409,
      body: { error: { message: 'The job has ended, so it cannot be edited.' } },
    })
    expect((await ask('PUT', `${path}/tasklist`, { requestedTasks: 'a\0b' })).status).toBe(400)
    expect((await ask('PUT', `${path}/request`, { goal: 'x' })).status).toBe(400)
    expect((await ask('PUT', '/api/orchestrator/job_none/request', { requestDocument: 'x' })).status).toBe(
      404,
    )
  })

  it('show the history of their documents, filtered by kind if asked', async () => {
    const path = `/api/orchestrator/${sampleId('job')}/documents`
    expect((await ask('GET', path)).body).toMatchObject({
      data: { items: [{ kind: 'goal', number: 1, author: 'person', cycle: 1, text: expect.any(String) }] },
    })
    expect((await ask('GET', `${path}?kind=task-list`)).body).toMatchObject({ data: { items: [] } })
    expect((await ask('GET', `${path}?limit=21`)).status).toBe(400)
  })

  it('can be controlled; a change that their state does not allow is a conflict', async () => {
    const path = `/api/orchestrator/${sampleId('job')}`
    expect((await ask('POST', `${path}/start`)).status).toBe(200)
    expect((await ask('POST', `${path}/pause`)).status).toBe(200)
    const resumed = await ask('POST', `${path}/resume`)
    expect(resumed.status).toBe(409)
    expect(resumed.body).toMatchObject({
      error: { type: 'illegal-transition', message: 'The job is running, so it cannot be resumed.' },
    })
    expect((await ask('POST', `${path}/cancel`, { reason: 'enough' })).body).toMatchObject({
      data: { status: 'cancelled', reason: 'enough' },
    })
    expect((await ask('POST', `${path}/cancel`)).status).toBe(200)
    expect(served.acts.slice(-5)).toEqual(['begin', 'pause', 'resume', 'cancel enough', 'cancel undefined'])
  })

  it('show their base, and take a decision about it only if there is one to make', async () => {
    const path = `/api/orchestrator/${sampleId('job')}/base`
    expect((await ask('GET', path)).body).toMatchObject({ data: { status: 'unchecked', choices: [] } })
    expect((await ask('POST', path, { decision: 'continue' })).status).toBe(200)
    expect((await ask('POST', path, { decision: 'pray' })).status).toBe(400)
    const refused = await ask('POST', path, { decision: 'fix' })
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({
      error: { type: 'base-not-asked', next: `muster base ${sampleId('job')}` },
    })
  })

  it('are not found if they do not exist', async () => {
    const { status, body } = await ask('GET', '/api/orchestrator/nonsense')
    expect(status).toBe(404)
    expect(body).toMatchObject({ error: { type: 'job-not-found', next: 'muster list jobs' } })
    expect((await ask('POST', '/api/orchestrator/nonsense/pause')).status).toBe(404)
  })
})

describe('runs', () => {
  it('are stopped and killed with a reason or without one', async () => {
    const path = `/api/runs/${sampleId('run')}`
    expect((await ask('POST', `${path}/stop`, { reason: 'enough' })).status).toBe(404)
    expect((await ask('POST', `${path}/kill`)).status).toBe(404)
    expect(served.acts.slice(-2)).toEqual(['stop run enough', 'kill run undefined'])
    expect((await ask('POST', `${path}/stop`, { force: true })).status).toBe(400)
    expect((await ask('POST', '/api/runs/nonsense/stop')).status).toBe(404)
  })

  it('are compared only with a run that is named', async () => {
    const path = `/api/runs/${sampleId('run')}/diff`
    expect((await ask('GET', path)).status).toBe(400)
    expect((await ask('GET', `${path}?with=${sampleId('run', 1)}&patch=yes`)).status).toBe(400)
    expect((await ask('GET', `${path}?with=${sampleId('run', 1)}`)).status).toBe(404)
  })
})

describe('events', () => {
  it('are returned as a page after a position, as a tail, and by task', async () => {
    const jobId = sampleId('job')
    const taskId = sampleId('task', 1)
    for (let number = 1; number <= 5; number += 1) {
      await served.world.append(checkPrinted({ jobId, ...(number === 4 ? { taskId } : {}) }, 'ok'))
    }
    const seqs = async (query: string) => {
      const { body } = await ask('GET', `/api/orchestrator/${jobId}/events?${query}`)
      return (body['data'] as { items: { seq: number }[] }).items.map(({ seq }) => seq)
    }
    expect(await seqs('after=1&limit=2')).toEqual([2, 3])
    expect(await seqs('tail=2')).toEqual([4, 5])
    expect(await seqs(`task=${taskId}`)).toEqual([4])
    for (const query of ['after=-1', 'limit=0', 'limit=1001', 'tail=2&after=1', 'task=%00']) {
      expect((await ask('GET', `/api/orchestrator/${jobId}/events?${query}`)).status).toBe(400)
    }
  })
})

describe('records', () => {
  it.each([
    [`/api/orchestrator/${sampleId('job')}/cycles`, { items: [{ number: 1, phase: 'execution' }] }],
    [
      `/api/orchestrator/${sampleId('job')}/cycles/1`,
      {
        number: 1,
        tasks: [{ number: 1, agentSessionId: sampleId('session') }, { number: 2 }, { number: 3 }],
      },
    ],
    [
      `/api/tasks/${sampleId('task', 1)}`,
      {
        status: 'blocked',
        conflictPaths: ['seed.txt'],
        errorMessage: 'it did not grow',
        attempts: [{ status: 'settled', outcome: 'rejected', reason: 'nothing changed', agent: 'mine' }],
        landings: [{ status: 'landed', commit: 'd'.repeat(40), checks: [{ passed: true }] }],
      },
    ],
    [`/api/sessions?job=${sampleId('job')}`, { items: [{ status: 'running', pid: 4711 }] }],
    ['/api/sessions', { items: [{ agent: 'mine' }] }],
    [`/api/sessions/${sampleId('session')}`, { purpose: { type: 'attempt' } }],
    [`/api/landings?job=${sampleId('job')}`, { items: [{ status: 'landed' }] }],
    ['/api/projects', { items: [{ name: 'garden' }] }],
    [
      '/api/agents?repositoryPath=/garden',
      { agents: [{ name: 'mine' }], roles: { planner: ['mine'] }, checks: ['true'], sandboxLevel: 'auto' },
    ],
    [
      '/api/agents?repositoryPath=/garden&usability=true',
      {
        agents: [{ name: 'mine', usability: { type: 'unusable' } }],
        sandboxProblem: 'the sandbox bubblewrap does not work here: too many keys',
      },
    ],
    ['/api/providers', { items: [{ id: 'command', availability: { type: 'available' } }] }],
    ['/api/ready', { status: 'ready' }],
    ['/api/trust', { items: [{ path: '/garden', digest: 'abc' }] }],
    ['/api/trust/repository?repositoryPath=/garden', { digest: 'abc', parts: [{ value: 'npm test' }] }],
    [
      '/api/status',
      { daemon: { pid: 1 }, jobs: expect.any(Array), sessions: [{ pid: 4711 }], waiting: expect.any(Array) },
    ],
  ])('%s is answered', async (path, data) => {
    const { status, body } = await ask('GET', path)
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, data })
  })

  it.each([
    [404, `/api/tasks/${sampleId('task', 99)}`],
    [404, '/api/tasks/nonsense'],
    [404, '/api/sessions/nonsense'],
    [404, '/api/tasks?job=nonsense'],
    [404, `/api/orchestrator/${sampleId('job')}/cycles/7`],
    [400, '/api/landings'],
    [400, '/api/tasks?limit=100000'],
    [400, '/api/tasks?cursor=%27'],
    [400, '/api/agents'],
    [422, '/api/agents?repositoryPath=/broken'],
  ])('%i is answered for %s', async (expected, path) => {
    expect((await ask('GET', path)).status).toBe(expected)
  })

  it('names a command that exists for a cycle that does not', async () => {
    const { body } = await ask('GET', `/api/orchestrator/${sampleId('job')}/cycles/7`)
    expect(body['error']).toMatchObject({
      message: `There is no cycle 7 in ${sampleId('job')}.`,
      next: `muster list tasks --job ${sampleId('job')}`,
    })
  })

  it('are paged by cursor', async () => {
    const first = await ask('GET', `/api/tasks?job=${sampleId('job')}&limit=2`)
    const page = first.body['data'] as { items: { number: number }[]; nextCursor: string }
    expect(page.items.map(({ number }) => number)).toEqual([1, 2])
    const second = await ask('GET', `/api/tasks?job=${sampleId('job')}&limit=2&cursor=${page.nextCursor}`)
    expect(second.body['data']).toMatchObject({ items: [{ number: 3 }] })
    expect(second.body['data']).not.toHaveProperty('nextCursor')
  })
})

describe('the daemon', () => {
  it('stops on request', async () => {
    expect((await ask('POST', '/api/shutdown')).body).toMatchObject({ data: { status: 'stopping' } })
    expect(served.acts.at(-1)).toBe('shutdown')
  })

  it('describes every route it has', async () => {
    const { body } = await ask('GET', '/api/openapi.json')
    const paths = Object.keys(body['paths'] as object)
    expect(paths).toContain('/api/orchestrator/{id}/stream')
    expect(Object.keys((body['components'] as { schemas: object }).schemas)).toEqual(
      expect.arrayContaining(['Job', 'Task', 'Event', 'Failure', 'StartJobRequest']),
    )
    const served404 = paths.filter((path) => !path.startsWith('/api/'))
    expect(served404).toEqual([])
    expect((body['components'] as { securitySchemes: object }).securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer' },
      session: { type: 'http', scheme: 'bearer' },
    })
  })

  it('describes the terminal, with the messages of both sides', async () => {
    const { body } = await ask('GET', '/api/openapi.json')
    const { paths, components } = body as unknown as {
      paths: object
      components: { schemas: Record<string, { oneOf: { properties: { type: { enum: string[] } } }[] }> }
    }
    expect(paths).toHaveProperty(
      ['/api/sessions/{id}/terminal', 'get'],
      expect.objectContaining({
        parameters: ['id', 'columns', 'rows', 'readonly', 'take'].map((name) =>
          expect.objectContaining({ name }),
        ),
        description: expect.stringContaining('4001 keyboard taken'),
        responses: expect.objectContaining({ 101: expect.anything(), default: expect.anything() }),
      }),
    )
    const frames = [
      '/api/sessions/{id}/terminal',
      'get',
      'responses',
      '101',
      'content',
      'application/x-websocket',
    ]
    expect(paths).toHaveProperty([...frames, 'schema', 'properties'], {
      send: { $ref: '#/components/schemas/ViewerMessage' },
      receive: { $ref: '#/components/schemas/TerminalMessage' },
    })
    const typesOf = (name: string) =>
      components.schemas[name]?.oneOf.flatMap(({ properties }) => properties.type.enum)
    expect(typesOf('ViewerMessage')).toEqual(['input', 'resize', 'pause', 'resume', 'screen'])
    expect(typesOf('TerminalMessage')).toEqual(['opened', 'keyboard', 'screen', 'ended', 'refused'])
  })

  it('describes each type of event, and streams as one of them', async () => {
    const { body } = await ask('GET', '/api/openapi.json')
    const { paths, components } = body as unknown as {
      paths: Record<string, { get: { responses: Record<string, unknown> } }>
      components: { schemas: { Event: { discriminator: { mapping: Record<string, string> } } } }
    }
    const { mapping } = components.schemas.Event.discriminator
    const types = eventSchema.options.map((option) => option.shape.type.value)
    expect(new Set(Object.keys(mapping))).toEqual(new Set(types))
    expect(components.schemas).toHaveProperty('JobStartedEvent')
    const event = { $ref: '#/components/schemas/Event' }
    for (const path of ['/api/orchestrator/{id}/stream', '/api/sessions/{id}/stream']) {
      expect(paths[path]?.get.responses['200']).toMatchObject({
        content: { 'text/event-stream': { schema: { anyOf: expect.arrayContaining([event]) } } },
      })
    }
  })
})

describe('listening', () => {
  it('fails with a message if the port is taken', async () => {
    await expect(startTestServer({ port: served.port })).rejects.toThrow('EADDRINUSE')
  })
})

describe('trust', () => {
  it('is given to the parts with a digest, and refused if they have changed', async () => {
    const agreed = await ask('POST', '/api/trust/repository', { repositoryPath: '/garden', digest: 'abc' })
    expect([agreed.status, agreed.body]).toMatchObject([200, { data: { isTrusted: true } }])
    const late = await ask('POST', '/api/trust/repository', { repositoryPath: '/garden', digest: 'old' })
    expect([late.status, late.body]).toMatchObject([409, { error: { type: 'configuration-changed' } }])
    await ask('POST', '/api/trust/revoke', { repositoryPath: '/garden' })
    expect(served.acts.slice(-3)).toEqual(['trust /garden abc', 'trust /garden old', 'revoke /garden'])
  })
})

describe('playbooks', () => {
  it('lists and shows the shipped ones', async () => {
    const { status, body } = await ask('GET', '/api/playbooks')
    expect([status, body]).toMatchObject([200, { data: { items: expect.any(Array) } }])
    const shown = await ask('GET', '/api/playbooks/solo?repositoryPath=/garden')
    expect([shown.status, shown.body]).toMatchObject([
      200,
      { data: { type: 'valid', place: 'shipped', visitBound: 2, playbook: { start: 'implement' } } },
    ])
  })

  it('suggests the nearest name for an unknown one', async () => {
    const { status, body } = await ask('GET', '/api/playbooks/reviewedd')
    expect([status, body]).toMatchObject([
      404,
      { error: { type: 'playbook-not-found', next: 'muster playbooks show reviewed' } },
    ])
  })

  it('forecasts a run without inventing what no earlier run shows', async () => {
    const forecast = async (query: string) => await ask('GET', `/api/playbooks/best-of/forecast${query}`)
    const { status, body } = await forecast(`?inputs=${encodeURIComponent('{"n":5}')}`)
    expect([status, body]).toMatchObject([
      200,
      { data: { playbook: 'best-of', runs: 0, least: { visits: 6 }, roles: [{ from: 'nothing' }, {}] } },
    ])
    expect(JSON.stringify(body)).not.toContain('costUsd')
    expect((await forecast('?inputs=%5B1%5D')).status).toBe(400)
    expect(await forecast(`?inputs=${encodeURIComponent('{"n":99}')}`)).toMatchObject({
      status: 422,
      body: { error: { type: 'playbook-input-invalid' } },
    })
  })

  it('reports what is wrong with a folder', async () => {
    const { status, body } = await ask('POST', '/api/playbooks/validate', { path: '/nowhere/at-all' })
    expect([status, body]).toMatchObject([
      200,
      {
        data: {
          type: 'invalid',
          name: 'at-all',
          faults: [{ problem: expect.stringContaining('there is no folder /nowhere/at-all') }],
        },
      },
    ])
    expect((await ask('POST', '/api/playbooks/validate', { path: 'here' })).status).toBe(400)
  })

  it('gives the JSON Schema of the file', async () => {
    const { body } = await ask('GET', '/api/playbook-schema')
    expect(body).toMatchObject({ data: { required: expect.arrayContaining(['stages']) } })
  })
})
