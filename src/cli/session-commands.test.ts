import { execFileSync } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import type { WireSession } from '../client/index.ts'
import type { Surroundings } from './surroundings.ts'
import { createCommandTrial } from './testing/command-trial.ts'
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
import { openStandInApi, type StandInOptions } from './testing/stand-in-api.ts'

const NOW = new Date('2026-01-02T03:14:05.000Z')
const introducer = String.fromCharCode(27)

const trial = createCommandTrial(temporaryDirectory)

beforeEach(() => {
  execFileSync('git', ['init', '--quiet', trial.path()])
})

function run(options: StandInOptions, words: readonly string[], overrides: Partial<Surroundings> = {}) {
  return trial.run(options, words, { now: () => NOW, ...overrides })
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
    if (path.startsWith('/api/approvals/')) return sampleApproval({ status: 'allowed', by: 'eve' })
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
  it('prints what a session outside any job thought, did, asked and said', async () => {
    const printed = await run({ answers: sessionAnswers() }, ['logs', SAMPLE_SESSION_ID])
    expect(printed.code).toBe(0)
    expect(printed.out.trimEnd().split('\n')).toEqual([
      '[ada] - conversation conversation-1, model large',
      '[ada] ~ where to begin',
      '[ada] * Bash  ls\\u001b[2J',
      '[ada] ! Bash failed: no such file',
      '[ada] ? asks to use Bash  rm x',
      '[ada] it is the cache',
      '[ada] - turn ended',
    ])
    expect(printed.requests).toEqual([`GET /api/sessions/${SAMPLE_SESSION_ID}/events`])
  })

  it('prints what the person said, with the time of each line and only since a moment if asked', async () => {
    const at = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString()
    const said = (text: string, minutes: number) =>
      sampleEvent('session_prompted', {
        seq: 100 - minutes,
        at: at(minutes),
        sessionId: SAMPLE_SESSION_ID,
        data: { role: 'worker', agent: 'ada', text },
      })
    const answers: StandInOptions['answers'] = (method, path) =>
      path.endsWith('/events')
        ? { items: [said('begin', 30), said('look\nagain', 5)] }
        : sessionAnswers()(method, path)
    const logs = async (...flags: readonly string[]) =>
      (await run({ answers }, ['logs', SAMPLE_SESSION_ID, ...flags])).out.trimEnd().split('\n')
    expect(await logs()).toEqual(['[ada] > begin', '[ada] > look', '[ada] > again'])
    expect(await logs('--since', '10m', '--timestamps')).toEqual([
      `${at(5)} [ada] > look`,
      `${at(5)} [ada] > again`,
    ])
    expect(await logs('--since', at(5), '-n', '1')).toEqual(['[ada] > again'])
  })

  it('follows a session until it ends', async () => {
    const answers: StandInOptions['answers'] = (method, path) =>
      path.endsWith('/events') ? { items: [] } : sessionAnswers()(method, path)
    const printed = await run({ answers, events: TRANSCRIPT, ends: true }, ['logs', SAMPLE_SESSION_ID, '-f'])
    expect(printed.code).toBe(0)
    expect(printed.out).toContain('[ada] it is the cache\n')
  })
})

describe('muster list sessions', () => {
  it('prints the agent, role, state, cost and purpose of each session', async () => {
    const until = new Date(NOW.getTime() + 60_000)
    const clock = `${String(until.getHours()).padStart(2, '0')}:${String(until.getMinutes()).padStart(2, '0')}`
    const suspended = { why: 'limited', reason: 'weekly', hasExited: true, isResuming: false } as const
    const working = sampleSession({
      jobId: SAMPLE_JOB_ID,
      taskId: SAMPLE_TASK_ID,
      purpose: { type: 'attempt', attemptId: 'att_1' },
      status: 'suspended',
      suspended: { ...suspended, until: until.toISOString() },
      startedAt: new Date(NOW.getTime() - 65_000).toISOString(),
    })
    const waiting = sampleSession({ openTurns: 0, turn: { type: 'done', text: 'yes' } })
    const answers: StandInOptions['answers'] = (method, path) =>
      path === '/api/sessions' ? { items: [working, waiting] } : sessionAnswers()(method, path)
    const printed = await run({ answers }, ['list', 'sessions', '--resumable', '--role', 'worker'])
    expect(printed.code).toBe(0)
    const [head, first, second] = printed.out.split('\n')
    expect(head).toMatch(/^SESSION +AGENT +ROLE +STATE +TIME +TOKENS +COST +FOR$/)
    expect(first).toMatch(
      new RegExp(`ada +worker +waiting for quota until ${clock} +1m05s +12.3k/678 +\\$0.0500 +t1-1 of job_`),
    )
    expect(second).toMatch(/waiting for you .* muster\/mine$/)
  })

  it('counts the time that a program ran, and not the time before its start', async () => {
    const at = (secondsAgo: number) => new Date(NOW.getTime() - secondsAgo * 1000).toISOString()
    const ran = sampleSession({ status: 'terminated', startedAt: at(100), endedAt: at(80) })
    const unstarted = sampleSession({ status: 'waiting', createdAt: at(4000) })
    const answers: StandInOptions['answers'] = (method, path) =>
      path === '/api/sessions' ? { items: [ran, unstarted] } : sessionAnswers()(method, path)
    const [, first, second] = (await run({ answers }, ['list', 'sessions', '--all'])).out.split('\n')
    expect(first).toMatch(/ 20s +12.3k/)
    expect(second).toMatch(/ waiting +12.3k/)
  })

  const ended = (id: string, hoursAgo: number, rest: Partial<WireSession> = {}) =>
    sampleSession({
      id: `ses_${id}`,
      agent: id,
      status: 'terminated',
      endedAt: new Date(NOW.getTime() - hoursAgo * 3_600_000).toISOString(),
      ...rest,
    })
  const attempt = { jobId: SAMPLE_JOB_ID, purpose: { type: 'attempt', attemptId: 'att_1' } } as const
  const base = { type: 'baseline', baselineId: 'bas_1', index: 0 } as const
  const everything = [
    sampleSession({ id: 'ses_tests', agent: 'tests', purpose: base }),
    ended('planner', 1, attempt),
    ended('recent', 23),
    ended('old', 25),
    sampleSession({ id: 'ses_open', agent: 'open', status: 'suspended', ...attempt }),
  ]
  const listed = async (...flags: readonly string[]) => {
    const answers: StandInOptions['answers'] = (method, path) =>
      path === '/api/sessions' ? { items: everything } : sessionAnswers()(method, path)
    return run({ answers }, ['list', 'sessions', ...flags])
  }
  const agentsIn = (out: string) =>
    out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ +/)[1])

  it('lists what is open and what a person ended in the last day, and says how many it left out', async () => {
    const printed = await listed()
    expect(agentsIn(printed.out)).toEqual(['recent', 'open'])
    expect(printed.err.replaceAll(/\s+/g, ' ')).toMatch(
      /^3 sessions left out \(checks, and what has ended\); list all with: muster .*list sessions --all $/,
    )
  })

  it('lists every session with --all, to programs, and with a filter', async () => {
    const all = everything.map(({ agent }) => agent)
    const printed = await listed('--all')
    expect([agentsIn(printed.out), printed.err]).toEqual([all, ''])
    expect(agentsIn((await listed('--askable')).out)).toEqual(all)
    const { data } = JSON.parse((await listed('--json')).out)
    expect(data.items.map(({ agent }: WireSession) => agent)).toEqual(all)
  })
})

describe('muster show', () => {
  it('prints the details of a session and what to do next', async () => {
    const session = sampleSession({
      status: 'terminated',
      end: { type: 'finished', turn: { type: 'done', text: 'all grows' } },
      ending: 'done',
      turn: { type: 'done', text: `all ${introducer}[31mgrows` },
    })
    const printed = await run({ answers: sessionAnswers(session) }, ['show', SAMPLE_SESSION_ID])
    expect(printed.out).toContain(`${SAMPLE_SESSION_ID} ended normally\n`)
    expect(printed.out).toMatch(/agent +ada \(claude-code\)\n/)
    expect(printed.out).toMatch(/context +50.0k of 200.0k tokens, 25% full\n/)
    expect(printed.out).toMatch(/last answer:\n +all grows\n/)
    expect(printed.out).toMatch(new RegExp(`ask: +muster .*ask ${SAMPLE_SESSION_ID}`))
    expect(printed.out).not.toContain(introducer)
  })
})

it('calls a session that a person stopped by the word of the command', async () => {
  const end = { type: 'cancelled', reason: 'enough' } as const
  const session = sampleSession({ status: 'terminated', end, ending: 'cancelled' })
  const printed = await run({ answers: sessionAnswers(session) }, ['show', SAMPLE_SESSION_ID])
  expect(printed.out).toContain(`${SAMPLE_SESSION_ID} stopped: enough\n`)
})

describe('the work of a personal session', () => {
  const personal = sampleSession().purpose
  const shown = async (changes: object) => {
    const purpose = { ...personal, ...changes } as typeof personal
    const session = sampleSession({ status: 'terminated', purpose })
    return (await run({ answers: sessionAnswers(session) }, ['show', SAMPLE_SESSION_ID])).out
  }

  it('is promised to no branch when the session is stopped, because its delivery may fail', async () => {
    const session = sampleSession({ status: 'terminating' })
    const printed = await run({ answers: sessionAnswers(session) }, ['stop', SAMPLE_SESSION_ID])
    expect(printed.out).toContain('is stopping; its changes, if any, go to branch muster/mine\n')
    expect(printed.out).toMatch(
      new RegExp(`see whether they got there: muster .*show ${SAMPLE_SESSION_ID}\\n`),
    )
  })

  it('is shown with where it is, and with the command that gets it if it was not delivered', async () => {
    expect(await shown({})).not.toContain('delivery')
    expect(await shown({ tip: 'a'.repeat(40) })).toMatch(/delivery +it changed nothing\n/)
    const tip = 'b'.repeat(40)
    expect(await shown({ tip })).toMatch(/delivery +its changes were delivered to the branch\n/)
    const undelivered = { type: 'failed', reason: 'it is checked out' }
    const failed = await shown({ tip, undelivered })
    expect(failed).toMatch(/delivery +not delivered: it is checked out\n/)
    expect(failed).toMatch(new RegExp(`get its work: +muster .*recover ${SAMPLE_SESSION_ID}\\n`))
  })
})

describe('muster session start', () => {
  it('follows the session until it has answered, then prints what to do next', async () => {
    const session = sampleSession({ openTurns: 0, turn: { type: 'done', text: 'it is the cache' } })
    // The stream doesn't end, only the turn does.
    const printed = await run({ answers: sessionAnswers(session), events: TRANSCRIPT }, [
      'session',
      'start',
      'why is it slow?',
      '--agent',
      'ada',
    ])
    expect(printed.code).toBe(0)
    expect(printed.out).toContain('[ada] it is the cache\n')
    expect(printed.err).toContain('waiting for you')
    expect(printed.err).toMatch(new RegExp(`send text: +muster .*send ${SAMPLE_SESSION_ID}`))
    expect(printed.bodies).toEqual([
      { repositoryPath: trial.path(), prompt: 'why is it slow?', mode: 'headless', agent: 'ada' },
    ])
  })

  it('says which agent was passed over, and why', async () => {
    const passedOver = [{ agent: 'claude', reason: 'Claude Code is not logged in' }]
    const { purpose } = sampleSession()
    const session = sampleSession({ agent: 'codex', purpose: { ...purpose, passedOver } as typeof purpose })
    const start = ['session', 'start', 'x', '--detach']
    const { err } = await run({ answers: sessionAnswers(session) }, start)
    expect(err).toContain('using codex: Claude Code is not logged in (muster ')
    const quiet = await run({ answers: sessionAnswers(session) }, [...start, '--json'])
    expect(quiet.err).not.toContain('using codex')
    expect((await run({ answers: sessionAnswers() }, start)).err).not.toContain('using')
  })

  it('fails if the turn fails', async () => {
    const session = sampleSession({ openTurns: 0, turn: { type: 'failed', reason: 'no key' } })
    const printed = await run({ answers: sessionAnswers(session), events: TRANSCRIPT }, [
      'session',
      'start',
      'x',
    ])
    expect(printed.code).toBe(1)
  })

  it('prints until when a session waits for quota, and that it resumes automatically', async () => {
    const rest = { why: 'limited', reason: 'weekly', hasExited: true, isResuming: false } as const
    const suspended = { ...rest, until: NOW.toISOString() }
    const session = sampleSession({ status: 'suspended', openTurns: 0, suspended })
    const place = { sessionId: SAMPLE_SESSION_ID }
    const outcome = { type: 'limited', reason: 'weekly' }
    const events = [
      sampleEvent('agent_message', { ...place, data: { type: 'turn-end', outcome } }),
      sampleEvent('session_suspended', { ...place, seq: 2, data: { agent: 'ada', why: 'limited' } }),
    ]
    const printed = await run({ answers: sessionAnswers(session), events }, ['session', 'start', 'x'])
    expect(printed.out).toContain('ada is waiting for quota')
    expect(printed.err).toMatch(/ses_\w+: waiting for quota until \d\d:\d\d; resumes automatically\n/)
    expect(printed.err).toMatch(new RegExp(`resume now: +muster .*resume ${SAMPLE_SESSION_ID}`))
  })

  it('returns at once when detached, and prints the command to attach with if there is no terminal', async () => {
    const detached = await run({ answers: sessionAnswers() }, ['session', 'start', 'x', '--detach'])
    expect(detached).toMatchObject({ code: 0, requests: ['POST /api/sessions'] })
    expect(detached.err).toContain(`logs ${SAMPLE_SESSION_ID} -f`)
    const session = sampleSession({ mode: 'interactive', status: 'starting' })
    const interactive = await run({ answers: sessionAnswers(session) }, ['session', 'start', '--interactive'])
    expect(interactive).toMatchObject({ code: 0, requests: ['POST /api/sessions'] })
    expect(interactive.err).toMatch(new RegExp(`muster .*attach ${SAMPLE_SESSION_ID}`))
  })

  it('leaves the session running at Ctrl-C', async () => {
    await using api = await openStandInApi({ answers: sessionAnswers(), events: TRANSCRIPT.slice(0, 2) })
    const surroundings = trial.surroundings()
    const running = trial.start(api, surroundings, ['session', 'start', 'x'])
    await expect.poll(surroundings.stdoutText).toContain('where to begin')
    expect(surroundings.send('SIGINT')).toBe(true)
    expect(await running).toBe(130)
    expect(surroundings.stderrText()).toContain('continues in the background')
    expect(api.requests.filter((request) => request.includes('stop'))).toEqual([])
  })

  it('needs a prompt unless the session is interactive', async () => {
    const printed = await run({ answers: sessionAnswers() }, ['session', 'start'])
    expect(printed).toMatchObject({ code: 2, requests: [] })
    expect(printed.err).toContain('the session needs a prompt')
  })
})

describe('controlling a session', () => {
  it('sends text, or standard input', async () => {
    const printed = await run({ answers: sessionAnswers() }, ['send', SAMPLE_SESSION_ID, 'now the tests'])
    expect(printed.code).toBe(0)
    expect(printed.out).toContain('gets the text after its current turn')
    const stdin = Object.assign(new PassThrough(), { isTTY: false })
    stdin.end('from a pipe')
    const piped = await run({ answers: sessionAnswers() }, ['send', SAMPLE_SESSION_ID, '-'], { stdin })
    expect([...printed.bodies, ...piped.bodies]).toEqual([{ text: 'now the tests' }, { text: 'from a pipe' }])
  })

  it.each([
    [['interrupt'], 'interrupt', []],
    [['suspend', '--reason', 'lunch'], 'suspend', [{ reason: 'lunch' }]],
    [['resume', '--message', 'go on'], 'resume', [{ prompt: 'go on' }]],
    [['stop', '--reason', 'enough'], 'stop', [{ reason: 'enough', force: false }]],
    [['kill'], 'stop', [{ force: true }]],
  ])('makes one request for %o', async ([command = '', ...flags], verb, bodies) => {
    const printed = await run({ answers: sessionAnswers() }, [command, SAMPLE_SESSION_ID, ...flags])
    expect(printed).toMatchObject({ code: 0, bodies })
    expect(printed.requests).toEqual([`POST /api/sessions/${SAMPLE_SESSION_ID}/${verb}`])
    expect(printed.out).toContain(SAMPLE_SESSION_ID)
  })

  it('reports that a session is not in a turn', async () => {
    const idle = sampleSession({ openTurns: 0, turn: { type: 'done', text: 'yes' } })
    const printed = await run({ answers: sessionAnswers(idle) }, ['interrupt', SAMPLE_SESSION_ID])
    expect(printed).toMatchObject({ code: 3, out: '' })
    expect(printed.err).toContain(`${SAMPLE_SESSION_ID} is not in a turn; it is waiting for you`)
  })

  it('stops a job by cancelling it, and resumes a job only without a message', async () => {
    const stopped = await run({ answers: sessionAnswers() }, ['stop', SAMPLE_JOB_ID])
    expect(stopped.requests[0]).toBe(`POST /api/orchestrator/${SAMPLE_JOB_ID}/cancel`)
    const resumed = await run({ answers: sessionAnswers() }, ['resume', SAMPLE_JOB_ID, '--message', 'x'])
    expect(resumed).toMatchObject({ code: 2, requests: [] })
  })
})

describe('muster ask', () => {
  const asking = (fields: Partial<WireSession>) =>
    sampleSession({ purpose: { type: 'query', of: 'ses_earlier', question: 'why?' }, ...fields })

  it('waits for the answer and prints it without escape sequences', async () => {
    const turn = { type: 'done', text: `because ${introducer}[2Jof the cache\n` } as const
    const session = asking({ status: 'terminated', end: { type: 'finished', turn }, turn })
    const printed = await run({ answers: sessionAnswers(session), ends: true }, [
      'ask',
      SAMPLE_SESSION_ID,
      'why?',
      '--timeout',
      '30',
    ])
    expect(printed).toMatchObject({ code: 0, out: 'because of the cache\n' })
    expect(printed.bodies).toEqual([{ sessionId: SAMPLE_SESSION_ID, question: 'why?', timeoutSeconds: 30 }])
  })

  it('asks a role or an agent of a job', async () => {
    const session = asking({ turn: { type: 'done', text: 'yes' } })
    const options = { answers: sessionAnswers(session), ends: true }
    const role = await run(options, ['ask', 'planner', 'why?', '--job', SAMPLE_JOB_ID])
    const agent = await run(options, ['ask', 'agent:ada', 'why?'])
    expect([...role.bodies, ...agent.bodies]).toEqual([
      { role: 'planner', job: SAMPLE_JOB_ID, question: 'why?' },
      { agent: 'ada', question: 'why?' },
    ])
  })

  it('reports why there is no answer', async () => {
    const session = asking({ status: 'terminated', end: { type: 'timed-out', afterMs: 60_000 } })
    const printed = await run({ answers: sessionAnswers(session), ends: true }, ['ask', 'planner', 'why?'])
    expect(printed.code).toBe(1)
    expect(printed.err).toContain('why: timed out after 1m00s')
  })

  it('stops the question at Ctrl-C', async () => {
    await using api = await openStandInApi({ answers: sessionAnswers(asking({})) })
    const surroundings = trial.surroundings()
    const running = trial.start(api, surroundings, ['ask', 'planner', 'why?'])
    await expect.poll(() => api.requests.at(-1)).toContain('/stream')
    expect(surroundings.send('SIGINT')).toBe(true)
    expect(await running).toBe(130)
    expect(api.requests.at(-1)).toBe(`POST /api/sessions/${SAMPLE_SESSION_ID}/stop`)
  })
})

describe('approvals', () => {
  it('are listed with who, exactly what, where, since when and until when', async () => {
    const printed = await run({ answers: sessionAnswers() }, ['approvals'])
    expect(printed.code).toBe(0)
    expect(printed.out).toContain(`${SAMPLE_APPROVAL_ID} waiting for 10m00s, expires in 50m00s\n`)
    expect(printed.out).toMatch(
      /t1-1 wants to run: rm -rf build\n +unusual: deletes recursively\n +who +ada \(worker\)\n +where +\/trees\/one\n/,
    )
    expect(printed.out).toMatch(new RegExp(`muster .*approve ${SAMPLE_APPROVAL_ID}`))
  })

  it('are decided with the digest of the action that was read', async () => {
    const approved = await run({ answers: sessionAnswers() }, ['approve', SAMPLE_APPROVAL_ID])
    expect(approved).toMatchObject({ code: 0, bodies: [{ digest: 'd'.repeat(64) }] })
    expect(approved.out).toBe('approved; t1-1 may run: rm -rf build\n  unusual: deletes recursively\n')
    const denied = await run({ answers: sessionAnswers() }, [
      'deny',
      SAMPLE_APPROVAL_ID,
      '--reason',
      'not here',
      '--json',
    ])
    expect(denied.requests.at(-1)).toBe(`POST /api/approvals/${SAMPLE_APPROVAL_ID}/deny`)
    expect(denied.bodies).toEqual([{ digest: 'd'.repeat(64), reason: 'not here' }])
    expect(JSON.parse(denied.out)).toMatchObject({ success: true, data: { id: SAMPLE_APPROVAL_ID } })
  })

  it('are named by an ID or a task, never by a session', async () => {
    const printed = await run({ answers: sessionAnswers() }, ['approve', SAMPLE_SESSION_ID])
    expect(printed).toMatchObject({ code: 2, requests: [] })
    expect(printed.err).toContain('is a session; this command takes an approval or a task')
  })

  it('need no name if only one is pending', async () => {
    const approved = await run({ answers: sessionAnswers() }, ['approve'])
    expect(approved).toMatchObject({ code: 0, bodies: [{ digest: 'd'.repeat(64) }] })
    expect(approved.out).toBe('approved; t1-1 may run: rm -rf build\n  unusual: deletes recursively\n')
  })

  it('are listed with the commands to type if several are pending', async () => {
    const second = sampleApproval({ id: `apr_${'b'.repeat(20)}`, summary: 't1-2 wants to run: ls' })
    const answers = () => ({ items: [second, sampleApproval()] })
    const printed = await run({ answers }, ['deny'])
    expect(printed).toMatchObject({ code: 2, bodies: [] })
    expect(printed.err).toContain('2 requests are waiting for you; name one')
    expect(printed.err).toContain(`deny ${SAMPLE_APPROVAL_ID}  t1-1 wants to run: rm -rf build`)
    expect(printed.err).toContain(`deny ${second.id}  t1-2 wants to run: ls`)
  })

  it('are allowed with a scope only after it was shown and confirmed', async () => {
    const args = ['approve', SAMPLE_APPROVAL_ID, '--scope', 'session']
    const refused = await run({ answers: sessionAnswers() }, args)
    expect(refused).toMatchObject({ code: 3, bodies: [] })
    expect(refused.err).toContain('ada may run any command with Bash without asking, until its session ends')
    const forJob = await run({ answers: sessionAnswers() }, ['approve', SAMPLE_APPROVAL_ID, '--scope', 'job'])
    expect(forJob.err).toContain('every agent may always run: rm -rf build, in this job')
    const approved = await run({ answers: sessionAnswers() }, [...args, '--yes'])
    expect(approved.bodies).toEqual([{ digest: 'd'.repeat(64), scope: 'session' }])
  })

  it('leave rules behind that can be listed and revoked', async () => {
    const rule = {
      ...{ id: `rul_${'a'.repeat(20)}`, approvalId: SAMPLE_APPROVAL_ID, scope: 'session', agent: 'ada' },
      ...{ sessionId: SAMPLE_SESSION_ID, allows: 'may run any command', status: 'active', by: 'eve' },
      createdAt: NOW.toISOString(),
    }
    const answers = (method: string) =>
      method === 'GET' ? { items: [rule] } : { ...rule, status: 'revoked' }
    const listed = await run({ answers }, ['approvals', '--rules'])
    expect(listed.out).toContain(
      `${rule.id} ada may run any command\n  allowed by eve for ${SAMPLE_SESSION_ID}\n`,
    )
    const revoked = await run({ answers }, ['approvals', '--revoke', rule.id])
    expect(revoked.out).toBe(`${rule.id} is revoked; the next such request waits for you\n`)
  })
})

describe('muster status', () => {
  const daemon = {
    pid: 1,
    version: '1.0.0',
    startedAt: NOW.toISOString(),
    uptimeMs: 1,
    home: '/m',
    containment: 'bubblewrap',
  }

  it('names the repositories of jobs if there are several, and counts checks apart from sessions', async () => {
    const check = sampleSession({ purpose: { type: 'baseline', baselineId: 'bas_1', index: 0 } })
    const job = sampleJob({ status: 'running' })
    const other = sampleJob({ ...job, repositoryPath: '/srv/other', repositoryName: 'other' })
    const shown = async (jobs: readonly object[], sessions: readonly WireSession[]) =>
      (await run({ answers: () => ({ daemon, jobs, sessions, waiting: [] }) }, ['status'])).out
    const two = await shown([job, other], [check, check])
    expect(two).toMatch(/Make it work {2}\(project\)\n.*Make it work {2}\(other\)\n2 checks are running\n/)
    const one = await shown([job, job], [check, sampleSession()])
    expect(one).toMatch(/Make it work\n.*Make it work\n1 session and 1 check are running\n/)
  })

  it('prints what is waiting, with a command for each', async () => {
    const status = {
      daemon,
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
    const printed = await run({ answers: () => status }, ['status'])
    expect(printed.out).toContain('1 session is running\n')
    expect(printed.out).toContain(`waiting for you: ada asks to use Bash: rm (${SAMPLE_APPROVAL_ID})\n`)
    expect(printed.out).toMatch(
      /\nwaiting until \d\d:\d\d: ada is out of quota \(ses_\w+\)\n {2}resume now: muster .*resume x\n/,
    )
  })
})
