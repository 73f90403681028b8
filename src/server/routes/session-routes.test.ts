import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  personalSession,
  sampleApproval,
  sampleId,
  sampleSession,
} from '../../../test/support/server/sample-records.ts'
import { startTestServer, type TestServer, TOKEN } from '../../../test/support/server/test-server.ts'
import { approvalSchema } from '../../contract/approval.ts'
import { sessionSchema } from '../../contract/session.ts'
import { checkPrinted } from '../../domain/event/task-events.ts'

let served: TestServer

beforeAll(async () => {
  served = await startTestServer()
  await served.world.putSession(personalSession())
})

afterAll(() => served[Symbol.asyncDispose]())

type Answer = {
  readonly data?: Readonly<Record<string, unknown>>
  readonly error?: Readonly<Record<string, unknown>>
}

function idsIn(data: Readonly<Record<string, unknown>>): readonly string[] {
  return (data['items'] as { id: string }[]).map(({ id }) => id)
}

async function ask(method: string, path: string, body?: unknown) {
  const response = await fetch(`${served.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { data = {}, error = {} } = (await response.json()) as Answer
  return { status: response.status, headers: response.headers, data, error }
}

const path = `/api/sessions/${sampleId('session')}`
const personal = personalSession().id
const ASKED = { type: 'asked', reason: 'a break' } as const

describe('a session', () => {
  it('is shown whole, without the fields that only serve to start it', async () => {
    const { status, data } = await ask('GET', `/api/sessions/${personal}`)
    expect(status).toBe(200)
    expect(sessionSchema.strict().parse(data)).toMatchObject({
      purpose: { type: 'personal', branch: 'muster/mine', repositoryPath: '/home/someone/garden' },
      mode: 'headless',
      processNumber: 1,
      turn: { type: 'done', text: 'it grows' },
      providerSessionId: 'conversation-1',
      // Its program is running.
      resumable: false,
      askable: false,
      usage: { inputTokens: 1200, outputTokens: 34, costUsd: 0.05 },
      contextTokens: 50,
      contextWindow: 200,
      sandbox: 'none',
    })
    expect(data).not.toHaveProperty('jobId')
    expect(JSON.stringify(data)).not.toMatch(/secret|place/)
  })

  it('names the task of its attempt', async () => {
    const { data } = await ask('GET', path)
    expect(data).toMatchObject({ taskId: sampleId('task', 1), sandbox: 'pid-namespace', resumable: false })
  })

  it('reports why it is suspended, until when, and whether it can be resumed', async () => {
    const until = '2026-05-01T14:05:00.000Z'
    const why = { type: 'limited', reason: 'the weekly limit', until } as const
    await served.world.putSession(
      sampleSession({ id: sampleId('session', 3), state: { type: 'suspended', why, hasExited: true } }),
    )
    const { data } = await ask('GET', `/api/sessions/${sampleId('session', 3)}`)
    expect(data).toMatchObject({
      status: 'suspended',
      suspended: { why: 'limited', reason: 'the weekly limit', until, hasExited: true, isResuming: false },
    })
  })

  it.each([
    [{ type: 'finished', turn: { type: 'limited', reason: 'no more' } }, 'limited'],
    [{ type: 'handed-over', to: 'other', reason: 'full' }, 'handed-over'],
    [{ type: 'exited', code: 0 }, 'crashed'],
  ] as const)('that ended with %o reports its ending in one word', async (end, ending) => {
    const id = sampleId('session', 4)
    const { conversation } = personalSession()
    await served.world.putSession(sampleSession({ id, conversation, state: { type: 'terminated', end } }))
    expect((await ask('GET', `/api/sessions/${id}`)).data).toMatchObject({ end, ending })
  })

  it('is not found by any route if it does not exist', async () => {
    for (const [method, verb] of [
      ['GET', ''],
      ['GET', '/events'],
      ['GET', '/stream'],
      ['POST', '/stop'],
      ['POST', '/suspend'],
      ['POST', '/interrupt'],
    ] as const) {
      const { status, error } = await ask(method, `/api/sessions/nonsense${verb}`)
      expect(status).toBe(404)
      expect(error).toMatchObject({ type: 'session-not-found', next: 'muster list sessions' })
    }
  })
})

describe('a session with a conversation', () => {
  it.each([
    [{ type: 'running', pid: 1, startTime: '1' }, false, false],
    [{ type: 'suspended', why: ASKED, hasExited: true }, true, true],
    [{ type: 'suspended', why: ASKED, hasExited: true, resume: { prompt: 'go on' } }, false, true],
    [{ type: 'terminated', end: { type: 'exited', code: 0 } }, false, true],
  ] as const)('that is %o can be resumed: %s, and asked: %s', async (state, resumable, askable) => {
    await served.world.putSession({ ...personalSession(), state })
    try {
      const { data } = await ask('GET', `/api/sessions/${personal}`)
      expect(data).toMatchObject({ resumable, askable })
      const listed = async (filter: string) =>
        idsIn((await ask('GET', `/api/sessions?${filter}=true`)).data).includes(personal)
      expect([await listed('resumable'), await listed('askable')]).toEqual([resumable, askable])
    } finally {
      await served.world.putSession(personalSession())
    }
  })
})

describe('sessions', () => {
  it.each([
    [`job=${sampleId('job')}&purpose=attempt&status=running`, [sampleId('session')]],
    ['purpose=personal', [personal]],
    ['agent=nobody', []],
    ['role=planner', []],
  ])('are filtered by %s', async (query, ids) => {
    const { data } = await ask('GET', `/api/sessions?${query}`)
    expect(idsIn(data)).toEqual(ids)
  })

  it.each(['status=asleep', 'purpose=fun', 'resumable=yes'])('cannot be filtered by %s', async (query) => {
    expect((await ask('GET', `/api/sessions?${query}`)).status).toBe(400)
  })

  it('are paged by cursor', async () => {
    const first = await ask('GET', '/api/sessions?limit=1')
    const next = await ask('GET', `/api/sessions?limit=1&cursor=${first.data['nextCursor']}`)
    expect([...idsIn(first.data), ...idsIn(next.data)]).toEqual(
      idsIn((await ask('GET', '/api/sessions?limit=2')).data),
    )
  })
})

describe('the transcript of a session', () => {
  it('has only its own events, as a page or a tail, in a job and outside one', async () => {
    const jobId = sampleId('job')
    const own = checkPrinted({ jobId, sessionId: sampleId('session') }, 'hello')
    await served.world.append(own, { ...own, sessionId: sampleId('session', 9) }, own, own)
    await served.world.append(checkPrinted({ sessionId: personal }, 'hello'))
    const seqs = async (session: string, query: string) => {
      const { data } = await ask('GET', `/api/sessions/${session}/events?${query}`)
      return (data['items'] as { seq: number }[]).map(({ seq }) => seq)
    }
    expect(await seqs(sampleId('session'), 'after=1&limit=1')).toEqual([3])
    expect(await seqs(sampleId('session'), 'tail=2')).toEqual([3, 4])
    expect(await seqs(personal, '')).toEqual([1])
    expect((await ask('GET', `${path}/events?tail=2&after=1`)).status).toBe(400)
  })
})

describe('opening a session', () => {
  it('passes the request on and returns the session', async () => {
    const { status, data } = await ask('POST', '/api/sessions', {
      repositoryPath: '/garden',
      agent: 'mine',
      mode: 'interactive',
    })
    expect(status).toBe(201)
    expect(data).toMatchObject({ status: 'starting', mode: 'interactive' })
    expect(served.acts.at(-1)).toBe(
      `open ${JSON.stringify({ repositoryPath: '/garden', agent: 'mine', mode: 'interactive', prompt: '' })}`,
    )
  })

  it('is refused with a message', async () => {
    const unknown = await ask('POST', '/api/sessions', { repositoryPath: '/garden', agent: 'nobody' })
    expect(unknown).toMatchObject({ status: 422, error: { type: 'agent-unknown' } })
    expect((await ask('POST', '/api/sessions', { prompt: 'x' })).status).toBe(400)
    expect((await ask('POST', '/api/sessions', { repositoryPath: '/garden', mode: 'loud' })).status).toBe(400)
  })

  it('answers 503 if the program of an agent cannot be used', async () => {
    const { status, error, headers } = await ask('POST', '/api/sessions', {
      repositoryPath: '/garden',
      agent: 'broken',
    })
    expect(status).toBe(503)
    expect(error).toMatchObject({
      type: 'provider-unavailable',
      message: 'The provider codex is not available: it does not answer',
      next: 'muster doctor',
    })
    expect(headers.get('retry-after')).toBe('2')
  })
})

describe('controlling a session', () => {
  it('stops, suspends and resumes it, with or without a reason', async () => {
    expect((await ask('POST', `${path}/stop`)).status).toBe(200)
    expect((await ask('POST', `${path}/stop`, { reason: 'enough', force: true })).status).toBe(200)
    expect((await ask('POST', `${path}/suspend`, { reason: 'lunch' })).status).toBe(200)
    expect((await ask('POST', `${path}/resume`)).status).toBe(200)
    expect((await ask('POST', `${path}/resume`, { prompt: 'go on' })).status).toBe(200)
    expect(served.acts.slice(-5)).toEqual([
      'stop undefined false',
      'stop enough true',
      'suspend lunch',
      'resume undefined',
      'resume go on',
    ])
  })

  it('is refused with a next step', async () => {
    const id = sampleId('session')
    expect(await ask('POST', `${path}/messages`, { text: 'hello' })).toMatchObject({
      status: 409,
      error: {
        type: 'session-not-able',
        message: `Session ${id} is suspended, so it cannot be sent a message.`,
        next: `muster resume ${id}`,
      },
    })
    expect(await ask('POST', `${path}/messages`, { text: '' })).toMatchObject({
      status: 422,
      error: { type: 'input-invalid', message: 'Invalid input: there is nothing to say.' },
    })
    expect(await ask('POST', `${path}/interrupt`)).toMatchObject({
      status: 422,
      error: { type: 'session-not-spoken-to', next: `muster logs ${id}` },
    })
    expect((await ask('POST', `${path}/messages`, {})).status).toBe(400)
  })
})

describe('asking a session', () => {
  it('accepts a session, or picks the newest of a role or an agent', async () => {
    const sessionId = sampleId('session')
    const asked = await ask('POST', '/api/sessions/queries', {
      question: 'why?',
      sessionId,
      timeoutSeconds: 30,
    })
    expect(asked).toMatchObject({ status: 201, data: { purpose: { type: 'query', of: sessionId } } })
    const of = { type: 'session', sessionId }
    expect(served.acts.at(-1)).toBe(`ask ${JSON.stringify({ question: 'why?', timeoutSeconds: 30, of })}`)
    await ask('POST', '/api/sessions/queries', { question: 'why?', agent: 'mine', job: sampleId('job') })
    const newest = { type: 'newest', filter: { agentName: 'mine', jobId: sampleId('job') } }
    expect(served.acts.at(-1)).toBe(`ask ${JSON.stringify({ question: 'why?', of: newest })}`)
  })

  it.each([
    [404, 'no-predecessor', { role: 'gardener' }],
    [404, 'session-not-found', { sessionId: 'nonsense' }],
    [404, 'job-not-found', { role: 'worker', job: 'nonsense' }],
    [400, 'bad-request', {}],
    [400, 'bad-request', { role: 'worker', sessionId: sampleId('session') }],
    [400, 'bad-request', { role: 'worker', timeoutSeconds: 5 }],
  ])('answers %i %s for %o', async (expected, type, whom) => {
    const { status, error } = await ask('POST', '/api/sessions/queries', { question: 'why?', ...whom })
    expect({ status, type: error['type'] }).toEqual({ status: expected, type })
  })
})

describe('approvals', () => {
  it('are listed with the asker and the exact action; decided ones only on request', async () => {
    const decided = sampleApproval({
      id: sampleId('approval', 1),
      asker: { type: 'session', sessionId: sampleId('session'), processNumber: 1, requestId: 'request-2' },
      state: { type: 'expired' },
    })
    await served.world.putApproval(sampleApproval())
    await served.world.putApproval(decided)
    const list = async (query: string) => {
      const { data } = await ask('GET', `/api/approvals?${query}`)
      return data['items'] as Record<string, unknown>[]
    }
    const [only, ...others] = await list('')
    expect(others).toEqual([])
    expect(approvalSchema.strict().parse(only)).toMatchObject({
      status: 'pending',
      agent: 'mine',
      role: 'worker',
      action: {
        type: 'tool-use',
        tool: 'Bash',
        input: { command: 'rm -rf leaves' },
        directory: '/trees/one',
      },
    })
    expect(await list(`status=all&job=${sampleId('job')}`)).toHaveLength(2)
    expect(await list(`status=all&session=${sampleId('session')}`)).toHaveLength(2)
  })

  it('are decided by digest, once', async () => {
    const approval = `/api/approvals/${sampleId('approval')}`
    const { digest } = sampleApproval()
    expect((await ask('POST', `${approval}/allow`)).data).toMatchObject({ status: 'allowed', by: 'person' })
    expect((await ask('POST', `${approval}/deny`, { reason: 'not here', digest })).data).toMatchObject({
      status: 'denied',
      reason: 'not here',
    })
    expect(await ask('POST', `${approval}/allow`, { digest: 'another' })).toMatchObject({
      status: 409,
      error: { type: 'digest-mismatch', next: `muster show ${sampleId('approval')}` },
    })
  })

  it('are allowed with a scope only for the action that was seen', async () => {
    const allow = `/api/approvals/${sampleId('approval')}/allow`
    const { digest } = sampleApproval()
    expect((await ask('POST', allow, { scope: 'job' })).status).toBe(400)
    expect((await ask('POST', allow, { scope: 'job', digest })).status).toBe(200)
    expect(served.acts.at(-1)).toBe(`decide allow ${digest} job`)
    expect((await ask('GET', '/api/approval-rules')).data).toEqual({ items: [] })
    const { status, error } = await ask('POST', '/api/approval-rules/nonsense/revoke')
    expect([status, error]).toMatchObject([404, { type: 'rule-not-found', next: 'muster approvals --rules' }])
  })

  it('are not found if they do not exist', async () => {
    for (const [method, rest] of [
      ['GET', ''],
      ['POST', '/allow'],
      ['POST', '/deny'],
    ] as const) {
      const { status, error } = await ask(method, `/api/approvals/nonsense${rest}`)
      expect(status).toBe(404)
      expect(error).toMatchObject({ type: 'approval-not-found', next: 'muster approvals --all' })
    }
    expect((await ask('GET', '/api/approvals?session=nonsense')).status).toBe(404)
  })
})

describe('providers', () => {
  it('list their abilities, and their models on request', async () => {
    const item = { id: 'command', resumes: false, asks: false, hasTerminal: true }
    expect((await ask('GET', '/api/providers')).data).toMatchObject({ items: [item] })
    const withModels = await ask('GET', '/api/providers?models=true')
    expect(withModels.data).toMatchObject({ items: [{ ...item, models: [{ id: 'one', name: 'One' }] }] })
  })
})
