import { execFileSync } from 'node:child_process'
import { realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { homeDirectory } from '../home/home-directory.ts'
import { EXAMPLES } from './command-help.ts'
import { runCli } from './run-cli.ts'
import type { ServeOptions } from './surroundings.ts'
import { createCommandTrial } from './testing/command-trial.ts'
import {
  SAMPLE_JOB_ID,
  SAMPLE_TASK_ID,
  sampleEvent,
  sampleJob,
  sampleLanding,
  sampleTask,
} from './testing/sample-wire.ts'
import { openStandInApi, type StandInOptions } from './testing/stand-in-api.ts'
import { testSurroundings } from './testing/test-surroundings.ts'

const trial = createCommandTrial(temporaryDirectory)

const aboutTask = { cycle: 1, taskId: SAMPLE_TASK_ID }
const EVENTS = [
  sampleEvent('job_started', { seq: 1 }),
  sampleEvent('task_started', { seq: 2, ...aboutTask, data: { number: 1, description: 'Fix it' } }),
  sampleEvent('agent_message', { seq: 3, ...aboutTask, data: { type: 'text', text: 'working' } }),
  sampleEvent('task_completed', { seq: 4, ...aboutTask, data: { summary: 'fixed' } }),
]

function answers(job = sampleJob()): StandInOptions['answers'] {
  return (method, path) => {
    if (method === 'POST') return job
    if (path === '/api/orchestrator') return { items: [job] }
    if (path === `/api/orchestrator/${SAMPLE_JOB_ID}`) return job
    if (path.endsWith('/events')) return { items: EVENTS, lastSeq: 4 }
    return { items: path === '/api/tasks' ? [sampleTask()] : [] }
  }
}

const initRepository = () => execFileSync('git', ['init', '--quiet', trial.path()])

/** Runs a command in a repository. */
function runAgainst(options: StandInOptions, words: readonly string[]) {
  initRepository()
  return trial.run(options, words)
}

describe('the command line', () => {
  it.each([
    [['help', 'run'], 'Usage: muster run ', 0],
    [['help', 'session', 'start'], 'Usage: muster session start ', 0],
    [['help'], 'Usage: muster [options]', 0],
    [['help', '--all'], 'Usage: muster [options]', 0],
    [['--home', '/tmp/x', 'help', 'run'], 'Usage: muster run ', 0],
    [['--json', 'help'], 'Usage: muster [options]', 0],
  ] as const)('prints one page of help for %j', async (words, usage, code) => {
    const surroundings = testSurroundings()
    expect(await runCli(surroundings, [...words])).toBe(code)
    expect(surroundings.stdoutText().match(/^Usage: .*/gm)).toEqual([expect.stringContaining(usage)])
  })

  it('refuses help for a command that does not exist', async () => {
    const surroundings = testSurroundings()
    expect(await runCli(surroundings, ['help', 'nosuch'])).toBe(2)
    expect(surroundings.stderrText()).toContain('there is no command "nosuch"')
    expect(await runCli(testSurroundings(), ['help', 'session', 'nosuch'])).toBe(2)
  })

  it.each([
    [['--home', '/tmp/x', 'help', 'nosuch']],
    [['--home=/tmp/x', '--no-color', 'help', 'nosuch']],
    [['-q', '--server', 'http://127.0.0.1:1', 'help', 'session', 'nosuch']],
    [['help', '--home', '/tmp/x', 'nosuch']],
  ])('refuses it in %j too, whatever flags come with it', async (words) => {
    const surroundings = testSurroundings()
    expect(await runCli(surroundings, words)).toBe(2)
    expect(surroundings.stderrText()).toContain('nosuch"')
  })

  it('prints help without arguments', async () => {
    const surroundings = testSurroundings()
    expect(await runCli(surroundings, [])).toBe(0)
    expect(surroundings.stdoutText()).toContain('Start here:')
    expect(surroundings.stderrText()).toBe('')
  })

  it('names every command on one screen, and describes them all on request', async () => {
    const short = testSurroundings()
    await runCli(short, ['help'])
    const lines = short.stdoutText().trimEnd().split('\n')
    expect(lines.length).toBeLessThan(24)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    const narrow = Object.assign(new PassThrough(), { columns: 60 })
    await runCli(testSurroundings({ stdout: narrow }), ['help'])
    const shown = String(narrow.read()).split('\n')
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThanOrEqual(60)
    const full = testSurroundings()
    await runCli(full, ['help', '--all'])
    for (const name of Object.keys(EXAMPLES)) {
      expect(short.stdoutText()).toMatch(new RegExp(`^  [A-Z].* ${name}(?: |$)`, 'm'))
      expect(full.stdoutText()).toMatch(new RegExp(`^  ${name} .*\\w`, 'm'))
    }
    expect(full.stdoutText()).toContain('Exit codes: 0 done')
  })

  it('has examples in the help of every command', async () => {
    for (const [name, examples] of Object.entries(EXAMPLES)) {
      const surroundings = testSurroundings()
      expect(await runCli(surroundings, [name, '--help'])).toBe(0)
      expect(surroundings.stdoutText()).toContain(`$ ${examples[0]}`)
    }
  })

  it('suggests a similar command after a typing error', async () => {
    const surroundings = testSurroundings()
    expect(await runCli(surroundings, ['stauts'])).toBe(2)
    expect(surroundings.stderrText()).toBe('error: there is no command "stauts"\n  try: muster status\n')
    expect(surroundings.stdoutText()).toBe('')
  })

  it('also prints errors as JSON with --json', async () => {
    const surroundings = testSurroundings()
    expect(await runCli(surroundings, ['run', 'x', '--time-limit', 'soon', '--json'])).toBe(2)
    expect(JSON.parse(surroundings.stdoutText())).toMatchObject({
      success: false,
      error: { type: 'bad-arguments', next: 'muster run --help' },
    })
  })

  it('passes the flags of serve to the daemon, and its exit code to the shell', async () => {
    const given: ServeOptions[] = []
    const serve = async (options: ServeOptions) => {
      given.push(options)
      return 3
    }
    const surroundings = testSurroundings({ serve })
    expect(await runCli(surroundings, ['serve', '--port', '7420', '--home', '/srv/m'])).toBe(3)
    expect(given[0]).toMatchObject({ home: '/srv/m', port: 7420, background: false })
  })

  it('refuses an empty home', async () => {
    const surroundings = trial.surroundings()
    expect(await runCli(surroundings, ['status', '--home', ''])).toBe(2)
    expect(surroundings.stderrText()).toContain('It must not be empty')
  })

  it('exits with 5 if the home is not a directory', async () => {
    const surroundings = trial.surroundings()
    expect(await runCli(surroundings, ['status', '--home', 'token'])).toBe(5)
    expect(surroundings.stderrText()).toContain('cannot be used as the home')
  })

  it('finds the home from the flag, the environment or the platform default', () => {
    const needs = { cwd: '/w', userDirectory: '/home/p', isRoot: false, environment: {} }
    expect(homeDirectory(needs, 'mine')).toBe('/w/mine')
    expect(
      homeDirectory({ ...needs, environment: { MUSTER_HOME: '/m', XDG_DATA_HOME: '/d' } }, undefined),
    ).toBe('/m')
    expect(homeDirectory({ ...needs, environment: { XDG_DATA_HOME: '/d' } }, undefined)).toBe('/d/muster')
    expect(homeDirectory(needs, undefined)).toBe('/home/p/.local/share/muster')
    expect(homeDirectory({ ...needs, isRoot: true }, undefined)).toBe('/var/lib/muster')
  })
})

describe('muster list agents', () => {
  it('shows the agent programs, and other providers only if an agent uses them', async () => {
    const can = { resumes: true, asks: true, hasTerminal: true }
    const availability = { type: 'available', version: 'v24' }
    const items = ['claude-code', 'command', 'acp'].map((id) => ({ id, availability, ...can }))
    const mine = { name: 'mine', provider: 'command', roles: ['worker'], environmentNames: [] }
    const listed = { agents: [mine], roles: {}, checks: [] }
    const { out } = await runAgainst(
      { answers: (_, path) => (path === '/api/agents' ? listed : { items }) },
      ['list', 'agents'],
    )
    const providers = out.slice(out.indexOf('INSTALLED'))
    expect(providers).toMatch(/^claude-code +yes +v24$/m)
    expect(providers).toMatch(/^command +yes +v24$/m)
    expect(providers).not.toContain('acp')
  })
})

describe('muster run', () => {
  it('prints one line per event into a pipe, then the summary', async () => {
    const printed = await runAgainst({ answers: answers(), events: EVENTS, ends: true }, [
      'run',
      'make it work',
    ])
    expect(printed.code).toBe(0)
    expect(printed.out).toContain(SAMPLE_JOB_ID)
    expect(printed.out).toMatch(
      /t1-1 {3}started: Fix it\n.*t1-1 {3}\w+: working\n.*t1-1 {3}completed: fixed\n/,
    )
    expect(printed.out).toContain('completed: the goal is reached')
    expect(printed.out).not.toContain(String.fromCharCode(27))
  })

  it('prints one JSON value per line for programs', async () => {
    const printed = await runAgainst({ answers: answers(), events: EVENTS, ends: true }, [
      'run',
      'make it',
      '--json',
    ])
    const values = printed.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(values.slice(0, -1)).toEqual(EVENTS)
    expect(values.at(-1)).toMatchObject({ success: true, data: { job: { id: SAMPLE_JOB_ID } } })
  })

  it('fails if the job hit a limit', async () => {
    const job = sampleJob({ reason: 'max-cycles-reached' })
    const printed = await runAgainst({ answers: answers(job), events: EVENTS, ends: true }, [
      'run',
      'make it',
    ])
    expect(printed.code).toBe(1)
  })

  it('says in one line that uncommitted changes are not part of the job', async () => {
    writeFileSync(join(trial.path(), 'draft.txt'), 'not committed\n')
    writeFileSync(join(trial.path(), 'muster.yaml'), '')
    const printed = await runAgainst({ answers: answers() }, ['run', 'make it', '--detach'])
    expect(printed.err).toMatch(
      /^your uncommitted changes are not included; add --include-uncommitted: draft\.txt and 1 more$/m,
    )
  })

  it('names the uncommitted changes that the job starts from', async () => {
    const snapshot = { head: 'a'.repeat(40), fileCount: 3, files: ['draft.txt', 'b', 'c'] }
    const words = ['run', 'make it', '--detach', '--include-uncommitted']
    const printed = await runAgainst({ answers: () => sampleJob({ snapshot }) }, words)
    expect(printed.bodies).toMatchObject([{ includeUncommitted: true }])
    expect(printed.err).toContain('a snapshot of your uncommitted changes: draft.txt and 2 more\n')
  })

  it.each([
    ['auto', 'everything that merges cleanly will land'],
    ['review', 'everything that merges cleanly and passes the review will land'],
    ['approve', 'everything that merges cleanly will land once you approve it'],
  ] as const)('says what lands without checks in mode %s', async (mode, words) => {
    const job = sampleJob({ checks: [], mode })
    const printed = await runAgainst({ answers: () => job }, ['run', 'make it', '--detach'])
    expect(printed.err).toContain(`no checks are configured: ${words}\n`)
  })

  it('returns at once when detached', async () => {
    const printed = await runAgainst({ answers: answers() }, ['run', 'make it work', '--detach'])
    expect(printed.code).toBe(0)
    expect(printed.requests).toEqual(['POST /api/orchestrator'])
    expect(printed.err).toMatch(new RegExp(`muster --home \\S+ --server \\S+ watch ${SAMPLE_JOB_ID}`))
  })

  it('stops following at Ctrl-C in a pipe, prints how to return, and leaves the job running', async () => {
    await using api = await openStandInApi({ answers: answers(), events: EVENTS })
    initRepository()
    const surroundings = trial.surroundings()
    const running = trial.start(api, surroundings, ['run', 'make it'])
    await expect.poll(surroundings.stdoutText).toContain('completed: fixed')
    expect(surroundings.send('SIGINT')).toBe(true)
    expect(await running).toBe(130)
    expect(surroundings.stderrText()).toContain(` status ${SAMPLE_JOB_ID}`)
    expect(api.requests.filter((request) => request.includes('cancel'))).toEqual([])
  })

  it('stops following without a question when its terminal is closed, even if writes fail', async () => {
    await using api = await openStandInApi({ answers: answers(), events: EVENTS })
    initRepository()
    const surroundings = trial.surroundings()
    const running = trial.start(api, surroundings, ['run', 'make it'])
    await expect.poll(surroundings.stdoutText).toContain('completed: fixed')
    expect(surroundings.send('SIGHUP')).toBe(true)
    surroundings.stdout.emit('error', Object.assign(new Error('write EIO'), { code: 'EIO' }))
    surroundings.stderr.emit('error', Object.assign(new Error('write EIO'), { code: 'EIO' }))
    expect([0, 130]).toContain(await running)
    expect(api.requests.filter((request) => request.includes('cancel'))).toEqual([])
  })

  it('closes the question at Ctrl-C when the job ends, and prints the summary', async () => {
    await using api = await openStandInApi({ answers: answers(), events: EVENTS })
    initRepository()
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
    const shown: string[] = []
    const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 40 })
    stdout.setEncoding('utf8').on('data', (chunk: string) => shown.push(chunk))
    const surroundings = trial.surroundings({ stdin, stdout, environment: { TERM: 'xterm' } })
    const running = trial.start(api, surroundings, ['run', 'make it'])
    await expect.poll(() => shown.join(''), { timeout: 10_000 }).toContain('completed: fixed')
    expect(surroundings.send('SIGINT')).toBe(true)
    await expect.poll(() => shown.join(''), { timeout: 10_000 }).toContain('What now?')
    api.finish(sampleEvent('job_completed', { seq: 5, data: { reason: 'goal-reached' } }))
    expect(await running).toBe(0)
    const afterwards = shown.join('').split('What now?').at(-1) ?? ''
    expect(afterwards).toMatch(/completed: the goal is reached.* \(2 cycles/)
    expect(api.requests.filter((request) => request.includes('cancel'))).toEqual([])
  }, 20_000)

  it('keeps following after Esc at the question of Ctrl-C', async () => {
    await using api = await openStandInApi({ answers: answers(), events: EVENTS })
    initRepository()
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
    const shown: string[] = []
    const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 40 })
    stdout.setEncoding('utf8').on('data', (chunk: string) => shown.push(chunk))
    const surroundings = trial.surroundings({ stdin, stdout, environment: { TERM: 'xterm' } })
    const running = trial.start(api, surroundings, ['run', 'make it'])
    await expect.poll(() => shown.join(''), { timeout: 10_000 }).toContain('completed: fixed')
    expect(surroundings.send('SIGINT')).toBe(true)
    await expect.poll(() => shown.join(''), { timeout: 10_000 }).toContain('keep following')
    stdin.write('\u001b')
    const afterwards = () => shown.join('').split('What now?').at(-1) ?? ''
    await expect.poll(afterwards, { timeout: 10_000 }).toContain('Ctrl-C for options')
    expect(surroundings.stderrText()).toContain('Still following the job.\n')
    // The last two rows of the question, of which the first showed the highlighted option, are erased.
    const [question = '', ...rest] = afterwards().split('\u001b[2A\u001b[J')
    expect(question.split('\n').at(-3)).toContain('detach')
    expect(rest.join('')).toContain('Ctrl-C for options')
    expect(rest.join('')).not.toContain('detach')
    api.finish(sampleEvent('job_completed', { seq: 5, data: { reason: 'goal-reached' } }))
    expect(await running).toBe(0)
  }, 20_000)

  it('says which agent works, and which one was passed over', async () => {
    const passedOver = [{ agent: 'claude', reason: 'Claude Code is not logged in' }]
    const job = sampleJob({ worker: 'opencode', planner: 'opencode', passedOver })
    const start = ['run', 'make it', '--detach']
    const { err } = await runAgainst({ answers: answers(job) }, start)
    expect(err).toContain('using opencode: Claude Code is not logged in (muster ')
    expect((await runAgainst({ answers: answers() }, start)).err).toContain('agent: ada; planner: pia\n')
    const quiet = await runAgainst({ answers: answers(job) }, [...start, '--json'])
    expect(quiet.err).not.toContain('using opencode')
  })

  it('mentions a ready program that could review instead of the one that works', async () => {
    const agent = (name: string, provider: string) => ({ name, provider, roles: [], environmentNames: [] })
    const agents = [agent('claude', 'claude-code'), agent('codex', 'codex')]
    const noteFor = async (reviewer: string, readiness: string) => {
      const job = sampleJob({ agents, worker: 'claude', reviewer, mode: 'review' })
      const unready = { cause: 'login', reason: 'not logged in', remedy: 'log in' }
      const availability = { type: 'available', version: '1' }
      const can = { resumes: true, asks: true, hasTerminal: true }
      const items = [{ id: 'codex', availability, readiness: { type: readiness, ...unready }, ...can }]
      const printed = await runAgainst(
        { answers: (method, path) => (path === '/api/providers' ? { items } : answers(job)(method, path)) },
        ['run', 'make it', '--mode', 'review', '--detach'],
      )
      return printed.err
    }
    const note = await noteFor('claude', 'ready')
    expect(note).toContain('but codex is ready too')
    expect(note).toContain("and add codex under agents if it isn't there")
    expect(await noteFor('claude', 'unready')).not.toContain('codex')
    expect(await noteFor('codex', 'ready')).not.toContain('ready too')
  })

  it('prints only the summary with -q', async () => {
    const printed = await runAgainst({ answers: answers(), events: EVENTS, ends: true }, [
      'run',
      'make it',
      '-q',
    ])
    expect(printed.out).toMatch(/^\ncompleted: the goal is reached/)
    expect(printed.err).toBe('')
  })

  it('explains what is wrong with a goal', async () => {
    initRepository()
    const errorFor = async (goal: string) => {
      const surroundings = trial.surroundings()
      expect(await runCli(surroundings, ['run', goal])).toBe(2)
      return surroundings.stderrText()
    }
    expect(await errorFor('')).toContain('the goal is empty\n')
    expect(await errorFor('@absent.md')).toContain('the file does not exist')
  })

  it('needs a repository', async () => {
    const surroundings = trial.surroundings()
    expect(await runCli(surroundings, ['run', 'make it work'])).toBe(2)
    expect(surroundings.stderrText()).toContain('is not in a git repository')
  })

  it('asks for quotes around a goal of several words', async () => {
    const printed = await runAgainst({ answers: answers() }, ['run', 'two', 'words'])
    expect(printed).toMatchObject({ code: 2, requests: [] })
    expect(printed.err).toMatch(/needs quotes around it.*\n {2}try: muster .*run "/)
  })

  it('uses short names of tasks if its job is the newest, and prints what to do next', async () => {
    const tasks = [sampleTask({ commit: 'd'.repeat(40) }), sampleTask({ number: 2, status: 'failed' })]
    const all: StandInOptions['answers'] = (method, path) =>
      path === '/api/tasks' ? { items: tasks } : answers()(method, path)
    const printed = await runAgainst({ answers: all, events: EVENTS, ends: true }, ['run', 'make it'])
    expect(printed.out).toMatch(/more: muster .*show t1-2\n/)
    for (const command of ['report', 'diff', 'merge'])
      expect(printed.out).toMatch(new RegExp(`: +muster .*${command} ${SAMPLE_JOB_ID}\n`))
  })
})

describe('muster watch', () => {
  const inHere = () => sampleJob({ repositoryPath: realpathSync(trial.path()), status: 'running' })
  const at = sampleJob().createdAt
  const daemon = { pid: 1, version: '1', startedAt: at, uptimeMs: 1, home: '/m', containment: 'bubblewrap' }
  const elsewhere = sampleJob({ id: `${SAMPLE_JOB_ID.slice(0, -1)}0`, status: 'running' })

  it('follows the open job of this repository', async () => {
    const status = { daemon, jobs: [elsewhere, inHere()], sessions: [], waiting: [] }
    const all: StandInOptions['answers'] = (method, path) =>
      path === '/api/status' ? status : answers()(method, path)
    const printed = await runAgainst({ answers: all, events: EVENTS, ends: true }, ['watch'])
    expect(printed.code).toBe(0)
    expect(printed.out).toMatch(/t1-1 {3}completed: fixed\n/)
    expect(printed.out).toContain('completed: the goal is reached')
    expect(printed.requests).toContain(`GET /api/orchestrator/${SAMPLE_JOB_ID}/stream`)
  })

  it('fails if this repository has no open job', async () => {
    const status = { daemon, jobs: [elsewhere], sessions: [], waiting: [] }
    const printed = await runAgainst({ answers: () => status }, ['watch'])
    expect(printed).toMatchObject({
      code: 2,
      err: expect.stringContaining('this repository has no open job'),
    })
  })
})

describe('muster list', () => {
  it('names what it can list', async () => {
    const printed = await runAgainst({ answers: answers() }, ['list', 'foo'])
    expect(printed.code).toBe(2)
    expect(printed.err).toContain(
      `error: "foo" can't be listed; use jobs, tasks, landings, sessions, agents, projects, runs or playbooks`,
    )
  })

  const none: StandInOptions['answers'] = () => ({ items: [] })

  it('distinguishes an empty list from one without matches', async () => {
    expect((await runAgainst({ answers: none }, ['list', 'jobs', '--user', 'no'])).out).toBe(
      'no job matches\n',
    )
    expect((await runAgainst({ answers: none }, ['list', 'jobs'])).out).toContain('no jobs yet')
    expect((await runAgainst({ answers: none }, ['list', 'sessions', '--role', 'x'])).out).toBe(
      'no session matches\n',
    )
  })

  it('refuses a filter or a status that the list does not support', async () => {
    const tasks = await runAgainst({ answers: none }, ['list', 'tasks', '--user', 'ada'])
    expect(tasks).toMatchObject({ code: 2, requests: [] })
    expect(tasks.err).toContain('the list of tasks cannot be filtered by --user; use --job')
    const landings = await runAgainst({ answers: none }, ['list', 'landings', '--status', 'running'])
    expect(landings).toMatchObject({ code: 2, err: expect.stringContaining('queued, checking, landed') })
  })

  it('filters the landings of the newest job of this repository by status', async () => {
    const other = sampleJob({ id: `${SAMPLE_JOB_ID.slice(0, -1)}0` })
    const own = sampleJob({ repositoryPath: realpathSync(trial.path()) })
    const landings = [sampleLanding(), sampleLanding({ id: 'lnd_other', status: 'rejected' })]
    const all: StandInOptions['answers'] = (method, path) => {
      if (path === '/api/orchestrator') return { items: [other, own] }
      return path.includes('landings') ? { items: landings } : answers()(method, path)
    }
    const printed = await runAgainst({ answers: all }, ['list', 'landings', '--status', 'landed'])
    expect(printed).toMatchObject({ code: 0, err: '' })
    expect(printed.out).toMatch(/landed +t1-1 /)
    expect(printed.out).not.toContain('lnd_other')
  })
})

describe('muster cancel', () => {
  it('prints the branch only if something landed', async () => {
    const landed = await runAgainst({ answers: answers() }, ['cancel', SAMPLE_JOB_ID])
    expect(landed.out).toContain('the work that landed is on branch muster/job')
    const none: StandInOptions['answers'] = (method, path) =>
      path === '/api/tasks' ? { items: [sampleTask({ status: 'skipped' })] } : answers()(method, path)
    const printed = await runAgainst({ answers: none }, ['cancel', SAMPLE_JOB_ID])
    expect(printed.out).toContain('nothing had landed')
    expect(printed.out).not.toContain('branch')
  })
})

describe('commands that take an id', () => {
  it('accept the short name of a task of the newest job', async () => {
    const printed = await runAgainst({ answers: answers() }, ['logs', 't1-1'])
    expect(printed.requests).toContain(`GET /api/tasks/${SAMPLE_TASK_ID}`)
    const absent = await runAgainst({ answers: answers() }, ['show', 't9-9'])
    expect(absent).toMatchObject({ code: 2, err: expect.stringContaining('there is no task t9-9') })
  })

  it('are about the newest job if they name none, and print which one that is', async () => {
    const named = await runAgainst({ answers: answers() }, ['show'])
    expect(named).toMatchObject({ code: 0, err: expect.stringContaining(`${SAMPLE_JOB_ID}: `) })
    const empty = await runAgainst({ answers: () => ({ items: [] }) }, ['merge'])
    expect(empty.code).toBe(2)
    expect(empty.err).toContain('error: there is no job yet')
  })

  it('name the tasks of the newest job, and of no other, by their short names', async () => {
    const shown = (newest: string) =>
      runAgainst(
        {
          answers: (method, path) => {
            if (path === '/api/orchestrator') return { items: [sampleJob({ id: newest })] }
            return path === '/api/tasks'
              ? { items: [sampleTask({ status: 'failed' })] }
              : answers()(method, path)
          },
        },
        ['show', SAMPLE_JOB_ID],
      )
    expect((await shown(SAMPLE_JOB_ID)).out).toMatch(/more: muster .*show t1-1\n/)
    expect((await shown('job_newer')).out).toMatch(/more: muster .*show tsk_\w+\n/)
  })

  it('use the newest job of the current repository, or report which other job they use', async () => {
    const own = sampleJob({ id: 'job_own', repositoryPath: realpathSync(trial.path()) })
    const jobs = (items: readonly unknown[]): StandInOptions['answers'] => {
      return (method, path) => (path === '/api/orchestrator' ? { items } : answers()(method, path))
    }
    const here = await runAgainst({ answers: jobs([sampleJob(), own]) }, ['show', '9.9'])
    expect(here.err).toContain('the newest job is job_own')
    const away = await runAgainst({ answers: jobs([sampleJob()]) }, ['logs', '1.1'])
    expect(away.err).toContain(`the newest of all jobs: ${SAMPLE_JOB_ID} in /srv/project`)
  })

  it('change no job of another repository unless it is named', async () => {
    const changes = [
      ['merge'],
      ['pr'],
      ['pause'],
      ['resume'],
      ['base', 'fix'],
      ['edit', '--goal', 'g'],
      ['cancel'],
      ['delete'],
    ]
    for (const words of [...changes, ['recover', 't1-1']]) {
      const printed = await runAgainst({ answers: answers() }, words)
      expect(printed).toMatchObject({ code: 2, out: '' })
      expect(printed.err).toContain('error: this directory has no job, so name the job\n')
      expect(printed.err).toMatch(/^ +why: job_\w+ .* in \/srv\/project$/m)
      expect(printed.requests.filter((request) => !request.startsWith('GET'))).toEqual([])
    }
  })

  it('say which job they would be about, if they cannot be undone', async () => {
    const own = sampleJob({ repositoryPath: realpathSync(trial.path()), status: 'running' })
    initRepository()
    for (const command of ['cancel', 'delete']) {
      const printed = await runAgainst({ answers: () => ({ items: [own] }) }, [command])
      expect(printed.code).toBe(2)
      expect(printed.err).toContain(`error: name the job to ${command}; `)
      expect(printed.err).toMatch(new RegExp(`try: muster .*${command} job_`))
      expect(printed.requests.filter((request) => !request.startsWith('GET'))).toEqual([])
    }
  })

  it('refuse a task instead of a job', async () => {
    for (const text of [SAMPLE_TASK_ID, 't1-1']) {
      const printed = await runAgainst({ answers: answers() }, ['cancel', text])
      expect(printed.code).toBe(2)
      expect(printed.err).toContain(`${text} is a task`)
      expect(printed.err).toMatch(new RegExp(`try: muster .*show ${text}`))
      expect(printed.requests).toEqual([])
    }
  })

  it('name the kinds that the command takes', async () => {
    const printed = await runAgainst({ answers: answers() }, ['diff', 'run_0'])
    expect(printed.err).toContain(
      'run_0 is a run; this command takes a task, a session, an approval or a job',
    )
  })
})

describe('muster logs', () => {
  it('prints a transcript with the name of the task before every line', async () => {
    const printed = await runAgainst({ answers: answers() }, ['logs', SAMPLE_JOB_ID])
    expect(printed).toMatchObject({ code: 0, out: '[t1-1] working\n' })
  })
})

describe('a daemon named with --server', () => {
  it('is never started, and the exit code is 5 if it does not answer', async () => {
    const surroundings = testSurroundings()
    const words = ['status', '--server', 'http://127.0.0.1:9', '--home', trial.path()]
    expect(await runCli(surroundings, words)).toBe(5)
    expect(surroundings.stderrText()).toContain('try:')
  })
})
