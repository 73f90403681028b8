import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TemporaryDirectory, temporaryDirectory } from '../../test/support/temporary-directory.ts'
import type { WireSession } from '../client/index.ts'
import { runCli } from './run-cli.ts'
import type { Surroundings } from './surroundings.ts'
import {
  SAMPLE_APPROVAL_ID,
  SAMPLE_JOB_ID,
  SAMPLE_SESSION_ID,
  SAMPLE_TASK_ID,
  sampleApproval,
  sampleEvent,
  sampleJob,
  sampleSession,
  sampleTask,
} from './testing/sample-wire.ts'
import { openStandInApi, type StandInApi, type StandInOptions } from './testing/stand-in-api.ts'
import { type TestSurroundings, testSurroundings } from './testing/test-surroundings.ts'

const NOW = new Date('2026-01-02T03:14:05.000Z')
const introducer = String.fromCharCode(27)

let directory: TemporaryDirectory

beforeEach(async () => {
  directory = await temporaryDirectory('muster-cli')
  writeFileSync(join(directory.path, 'token'), 'secret\n')
  execFileSync('git', ['init', '--quiet', directory.path])
})

afterEach(() => directory[Symbol.asyncDispose]())

function surroundingsOf(overrides: Partial<Surroundings> = {}): TestSurroundings {
  return testSurroundings({ cwd: directory.path, now: () => NOW, ...overrides })
}

function run(api: StandInApi, surroundings: TestSurroundings, words: readonly string[]) {
  return runCli(surroundings, [...words, '--server', api.url, '--home', directory.path])
}

/** Runs a command to its end against fixed answers. */
async function tell(
  options: StandInOptions,
  words: readonly string[],
  overrides: Partial<Surroundings> = {},
) {
  await using api = await openStandInApi(options)
  const surroundings = surroundingsOf(overrides)
  const code = await run(api, surroundings, words)
  const { requests, bodies } = api
  return { code, out: surroundings.stdoutText(), err: surroundings.stderrText(), requests, bodies }
}

function sessionAnswers(session: WireSession = sampleSession()): StandInOptions['answers'] {
  const lists: Readonly<Record<string, unknown>> = {
    '/api/approvals': { items: [sampleApproval()] },
    '/api/tasks': { items: [sampleTask()] },
    '/api/orchestrator': { items: [sampleJob()] },
    [`/api/sessions/${SAMPLE_SESSION_ID}/events`]: { items: TRANSCRIPT, lastSeq: TRANSCRIPT.length },
  }
  return (_method, path) => {
    if (lists[path] !== undefined) return lists[path]
    if (path.startsWith('/api/approvals/')) return sampleApproval({ status: 'allowed', by: 'person' })
    return path.startsWith('/api/orchestrator/') ? sampleJob({ status: 'cancelled' }) : session
  }
}

const spoken = [
  { type: 'session', providerSessionId: 'conversation-1', model: 'large' },
  { type: 'thought', text: 'where to begin' },
  { type: 'tool-call', name: 'Bash', input: { command: `ls${introducer}[2J` } },
  { type: 'tool-result', name: 'Bash', output: 'no such file', failed: true },
  { type: 'usage', inputTokens: 1, outputTokens: 2 },
  { type: 'permission-request', requestId: 'r', tool: 'Bash', input: { command: 'rm x' } },
  { type: 'text', text: 'it is the cache' },
  { type: 'turn-end', outcome: { type: 'done', text: 'it is the cache' } },
]
const TRANSCRIPT = spoken.map((data, index) => {
  const { jobId: _, ...event } = sampleEvent('agent_message', {
    seq: index + 1,
    sessionId: SAMPLE_SESSION_ID,
    data: { ...data, agent: 'ada' },
  })
  return event
})

describe('muster logs', () => {
  it('tells what a session outside of any job thought, did, asked and said', async () => {
    const told = await tell({ answers: sessionAnswers() }, ['logs', SAMPLE_SESSION_ID])
    expect(told.code).toBe(0)
    expect(told.out.trimEnd().split('\n')).toEqual([
      '[ada] - conversation conversation-1, model large',
      '[ada] ~ where to begin',
      '[ada] * Bash  ls\\u001b[2J',
      '[ada] ! Bash failed: no such file',
      '[ada] ? asks to use Bash  rm x',
      '[ada] it is the cache',
      '[ada] - turn over: done',
    ])
    expect(told.requests).toEqual([`GET /api/sessions/${SAMPLE_SESSION_ID}/events`])
  })

  it('follows a session until it is over', async () => {
    const answers: StandInOptions['answers'] = (method, path) =>
      path.endsWith('/events') ? { items: [] } : sessionAnswers()(method, path)
    const told = await tell({ answers, events: TRANSCRIPT, ends: true }, ['logs', SAMPLE_SESSION_ID, '-f'])
    expect(told.code).toBe(0)
    expect(told.out).toContain('[ada] it is the cache\n')
  })
})

describe('muster list sessions', () => {
  it('says who does what for what, how it stands and what it cost', async () => {
    const until = new Date(NOW.getTime() + 60_000)
    const clock = `${String(until.getHours()).padStart(2, '0')}:${String(until.getMinutes()).padStart(2, '0')}`
    const suspended = { why: 'limited', reason: 'weekly', isOver: true, isResuming: false } as const
    const working = sampleSession({
      jobId: SAMPLE_JOB_ID,
      taskId: SAMPLE_TASK_ID,
      purpose: { type: 'attempt', attemptId: 'att_1' },
      status: 'suspended',
      suspended: { ...suspended, until: until.toISOString() },
    })
    const waiting = sampleSession({ openTurns: 0, turn: { type: 'done', text: 'yes' } })
    const answers: StandInOptions['answers'] = (method, path) =>
      path === '/api/sessions' ? { items: [working, waiting] } : sessionAnswers()(method, path)
    const told = await tell({ answers }, ['list', 'sessions', '--resumable', '--role', 'worker'])
    expect(told.code).toBe(0)
    const [head, first, second] = told.out.split('\n')
    expect(head).toMatch(/^SESSION +AGENT +ROLE +STATE +AGE +TOKENS +COST +FOR$/)
    expect(first).toMatch(
      new RegExp(`ada +worker +waiting for quota until ${clock} +10m00s +12.3k/678 +\\$0.0500 +t1-1 of job_`),
    )
    expect(second).toMatch(/waiting for your word .* muster\/mine$/)
  })
})

describe('muster show', () => {
  it('shows a session whole, with what can be done with it', async () => {
    const session = sampleSession({
      status: 'terminated',
      end: { type: 'finished', turn: { type: 'done', text: 'all grows' } },
      ending: 'done',
      turn: { type: 'done', text: `all ${introducer}[31mgrows` },
    })
    const told = await tell({ answers: sessionAnswers(session) }, ['show', SAMPLE_SESSION_ID])
    expect(told.out).toContain(`${SAMPLE_SESSION_ID} done`)
    expect(told.out).toMatch(/agent +ada \(claude-code\)\n/)
    expect(told.out).toMatch(/context +50.0k of 200.0k tokens, 25 % full\n/)
    expect(told.out).toMatch(/said last:\n +all grows\n/)
    expect(told.out).toMatch(new RegExp(`ask it: +muster .*ask ${SAMPLE_SESSION_ID}`))
    expect(told.out).not.toContain(introducer)
  })
})

describe('muster session start', () => {
  it('stays until the session has answered, and says what can be done then', async () => {
    const session = sampleSession({ openTurns: 0, turn: { type: 'done', text: 'it is the cache' } })
    // The stream does not end: it is the turn that does.
    const told = await tell({ answers: sessionAnswers(session), events: TRANSCRIPT }, [
      'session',
      'start',
      'why is it slow?',
      '--agent',
      'ada',
    ])
    expect(told.code).toBe(0)
    expect(told.out).toContain('[ada] it is the cache\n')
    expect(told.err).toContain('waiting for your word')
    expect(told.err).toMatch(new RegExp(`speak to it: +muster .*send ${SAMPLE_SESSION_ID}`))
    expect(told.bodies).toEqual([
      { repositoryPath: directory.path, prompt: 'why is it slow?', mode: 'headless', agent: 'ada' },
    ])
  })

  it('is a failure when the turn failed', async () => {
    const session = sampleSession({ openTurns: 0, turn: { type: 'failed', reason: 'no key' } })
    const told = await tell({ answers: sessionAnswers(session), events: TRANSCRIPT }, [
      'session',
      'start',
      'x',
    ])
    expect(told.code).toBe(1)
  })

  it('says until when a session without quota rests, and that it goes on by itself', async () => {
    const rest = { why: 'limited', reason: 'weekly', isOver: true, isResuming: false } as const
    const suspended = { ...rest, until: NOW.toISOString() }
    const session = sampleSession({ status: 'suspended', openTurns: 0, suspended })
    const place = { sessionId: SAMPLE_SESSION_ID }
    const outcome = { type: 'limited', reason: 'weekly' }
    const events = [
      sampleEvent('agent_message', { ...place, data: { type: 'turn-end', outcome } }),
      sampleEvent('session_suspended', { ...place, seq: 2, data: { agent: 'ada', why: 'limited' } }),
    ]
    const told = await tell({ answers: sessionAnswers(session), events }, ['session', 'start', 'x'])
    expect(told.out).toContain('ada waits for quota')
    expect(told.err).toMatch(/ses_\w+: waiting for quota until \d\d:\d\d; goes on by itself\n/)
    expect(told.err).toMatch(new RegExp(`sooner: +muster .*resume ${SAMPLE_SESSION_ID}`))
  })

  it('leaves at once when detached, and names the command to sit down with where it cannot do so itself', async () => {
    const detached = await tell({ answers: sessionAnswers() }, ['session', 'start', 'x', '--detach'])
    expect(detached).toMatchObject({ code: 0, requests: ['POST /api/sessions'] })
    expect(detached.err).toContain(`logs ${SAMPLE_SESSION_ID} -f`)
    const session = sampleSession({ mode: 'interactive', status: 'starting' })
    const interactive = await tell({ answers: sessionAnswers(session) }, [
      'session',
      'start',
      '--interactive',
    ])
    expect(interactive).toMatchObject({ code: 0, requests: ['POST /api/sessions'] })
    expect(interactive.err).toMatch(new RegExp(`muster .*attach ${SAMPLE_SESSION_ID}`))
  })

  it('leaves the session alone at Ctrl-C', async () => {
    await using api = await openStandInApi({ answers: sessionAnswers(), events: TRANSCRIPT.slice(0, 2) })
    const surroundings = surroundingsOf()
    const running = run(api, surroundings, ['session', 'start', 'x'])
    await expect.poll(surroundings.stdoutText).toContain('where to begin')
    expect(surroundings.send('SIGINT')).toBe(true)
    expect(await running).toBe(130)
    expect(surroundings.stderrText()).toContain('goes on without you')
    expect(api.requests.filter((request) => request.includes('stop'))).toEqual([])
  })

  it('needs something to do unless a person sits at it', async () => {
    const told = await tell({ answers: sessionAnswers() }, ['session', 'start'])
    expect(told).toMatchObject({ code: 2, requests: [] })
    expect(told.err).toContain('say what the session is to do')
  })
})

describe('speaking to a session', () => {
  it('sends words, or what comes from standard input', async () => {
    const told = await tell({ answers: sessionAnswers() }, ['send', SAMPLE_SESSION_ID, 'now the tests'])
    expect(told.code).toBe(0)
    expect(told.out).toContain('will hear it after the turn it is in')
    const stdin = Object.assign(new PassThrough(), { isTTY: false })
    stdin.end('from a pipe')
    const piped = await tell({ answers: sessionAnswers() }, ['send', SAMPLE_SESSION_ID, '-'], { stdin })
    expect([...told.bodies, ...piped.bodies]).toEqual([{ text: 'now the tests' }, { text: 'from a pipe' }])
  })

  it.each([
    [['interrupt'], 'interrupt', []],
    [['suspend', '--reason', 'lunch'], 'suspend', [{ reason: 'lunch' }]],
    [['resume', '--message', 'go on'], 'resume', [{ prompt: 'go on' }]],
    [['stop', '--reason', 'enough'], 'stop', [{ reason: 'enough', force: false }]],
    [['kill'], 'stop', [{ force: true }]],
  ])('%o is one request', async ([command = '', ...flags], verb, bodies) => {
    const told = await tell({ answers: sessionAnswers() }, [command, SAMPLE_SESSION_ID, ...flags])
    expect(told).toMatchObject({ code: 0, bodies })
    expect(told.requests).toEqual([`POST /api/sessions/${SAMPLE_SESSION_ID}/${verb}`])
    expect(told.out).toContain(SAMPLE_SESSION_ID)
  })

  it('says that a session in no turn has nothing to be broken off', async () => {
    const idle = sampleSession({ openTurns: 0, turn: { type: 'done', text: 'yes' } })
    const told = await tell({ answers: sessionAnswers(idle) }, ['interrupt', SAMPLE_SESSION_ID])
    expect(told).toMatchObject({ code: 3, out: '' })
    expect(told.err).toContain(`${SAMPLE_SESSION_ID} is in no turn; it waits for your word`)
  })

  it('stops a job by cancelling it, and resumes one without words', async () => {
    const stopped = await tell({ answers: sessionAnswers() }, ['stop', SAMPLE_JOB_ID])
    expect(stopped.requests[0]).toBe(`POST /api/orchestrator/${SAMPLE_JOB_ID}/cancel`)
    const resumed = await tell({ answers: sessionAnswers() }, ['resume', SAMPLE_JOB_ID, '--message', 'x'])
    expect(resumed).toMatchObject({ code: 2, requests: [] })
  })
})

describe('muster ask', () => {
  const asking = (fields: Partial<WireSession>) =>
    sampleSession({ purpose: { type: 'query', of: 'ses_earlier', question: 'why?' }, ...fields })

  it('waits for the answer and prints it, made harmless', async () => {
    const turn = { type: 'done', text: `because ${introducer}[2Jof the cache\n` } as const
    const session = asking({ status: 'terminated', end: { type: 'finished', turn }, turn })
    const told = await tell({ answers: sessionAnswers(session), ends: true }, [
      'ask',
      SAMPLE_SESSION_ID,
      'why?',
      '--timeout',
      '30',
    ])
    expect(told).toMatchObject({ code: 0, out: 'because of the cache\n' })
    expect(told.bodies).toEqual([{ sessionId: SAMPLE_SESSION_ID, question: 'why?', timeoutSeconds: 30 }])
  })

  it('asks a role, or an agent, of a job', async () => {
    const session = asking({ turn: { type: 'done', text: 'yes' } })
    const options = { answers: sessionAnswers(session), ends: true }
    const role = await tell(options, ['ask', 'planner', 'why?', '--job', SAMPLE_JOB_ID])
    const agent = await tell(options, ['ask', 'agent:ada', 'why?'])
    expect([...role.bodies, ...agent.bodies]).toEqual([
      { role: 'planner', job: SAMPLE_JOB_ID, question: 'why?' },
      { agent: 'ada', question: 'why?' },
    ])
  })

  it('says why there is no answer', async () => {
    const session = asking({ status: 'terminated', end: { type: 'timed-out', afterMs: 60_000 } })
    const told = await tell({ answers: sessionAnswers(session), ends: true }, ['ask', 'planner', 'why?'])
    expect(told.code).toBe(1)
    expect(told.err).toContain('why: out of time after 1m00s')
  })

  it('stops the question at Ctrl-C', async () => {
    await using api = await openStandInApi({ answers: sessionAnswers(asking({})) })
    const surroundings = surroundingsOf()
    const running = run(api, surroundings, ['ask', 'planner', 'why?'])
    await expect.poll(() => api.requests.at(-1)).toContain('/stream')
    expect(surroundings.send('SIGINT')).toBe(true)
    expect(await running).toBe(130)
    expect(api.requests.at(-1)).toBe(`POST /api/sessions/${SAMPLE_SESSION_ID}/stop`)
  })
})

describe('approvals', () => {
  it('are shown with who, what exactly, where, since when and until when', async () => {
    const told = await tell({ answers: sessionAnswers() }, ['approvals'])
    expect(told.code).toBe(0)
    expect(told.out).toContain(`${SAMPLE_APPROVAL_ID} waiting for 10m00s, expires in 50m00s\n`)
    expect(told.out).toMatch(
      /who +ada \(worker\)\n +what +Bash\n +command: rm -rf build\n +where +\/trees\/one\n/,
    )
    expect(told.out).toMatch(new RegExp(`muster .*approve ${SAMPLE_APPROVAL_ID}`))
  })

  it('are decided on by the digest of what was shown', async () => {
    const approved = await tell({ answers: sessionAnswers() }, ['approve', SAMPLE_APPROVAL_ID])
    expect(approved).toMatchObject({ code: 0, bodies: [{ digest: 'd'.repeat(64) }] })
    expect(approved.out).toBe(`${SAMPLE_APPROVAL_ID} allowed; ada (worker) may use Bash\n`)
    const denied = await tell({ answers: sessionAnswers() }, [
      'deny',
      SAMPLE_APPROVAL_ID.slice(0, 9),
      '--reason',
      'not here',
      '--json',
    ])
    expect(denied.requests.at(-1)).toBe(`POST /api/approvals/${SAMPLE_APPROVAL_ID}/deny`)
    expect(denied.bodies).toEqual([{ digest: 'd'.repeat(64), reason: 'not here' }])
    expect(JSON.parse(denied.out)).toMatchObject({ success: true, data: { id: SAMPLE_APPROVAL_ID } })
  })

  it('are taken by their ids only', async () => {
    const told = await tell({ answers: sessionAnswers() }, ['approve', SAMPLE_SESSION_ID])
    expect(told).toMatchObject({ code: 2, requests: [] })
    expect(told.err).toContain('is a session; this command takes an approval')
  })
})

describe('muster status', () => {
  it('says in one line each what waits for the person', async () => {
    const status = {
      daemon: {
        pid: 1,
        version: '1.0.0',
        startedAt: NOW.toISOString(),
        uptimeMs: 1,
        home: '/m',
        containment: 'bubblewrap',
      },
      jobs: [],
      sessions: [sampleSession(), sampleSession({ openTurns: 0, turn: { type: 'interrupted' } })],
      waiting: [
        {
          id: SAMPLE_APPROVAL_ID,
          why: `ada asks to use Bash: ${introducer}[2Jrm`,
          next: `muster approve ${SAMPLE_APPROVAL_ID}`,
        },
        {
          id: SAMPLE_SESSION_ID,
          waitsFor: 'quota',
          why: 'ada is out of quota',
          until: NOW.toISOString(),
          next: 'muster resume x',
        },
      ],
    }
    const told = await tell({ answers: () => status }, ['status'])
    expect(told.out).toContain('1 session is at work\n')
    expect(told.out).toContain(`waits for you ${SAMPLE_APPROVAL_ID}: ada asks to use Bash: rm\n`)
    expect(told.out).toMatch(
      /\nrests until \d\d:\d\d: ada is out of quota \(ses_\w+\)\n {2}sooner: muster .*resume x\n/,
    )
  })
})
