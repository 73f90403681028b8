import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TemporaryDirectory, temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { EXAMPLES } from './command-help.ts'
import { homeDirectory } from './home-directory.ts'
import { runCli } from './run-cli.ts'
import type { ServeOptions } from './surroundings.ts'
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

let directory: TemporaryDirectory

beforeEach(async () => {
  directory = await temporaryDirectory('muster-cli')
  writeFileSync(join(directory.path, 'token'), 'secret\n')
})

afterEach(() => directory[Symbol.asyncDispose]())

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

/** Runs a command against a stand-in of the daemon, from inside a repository. */
async function runAgainst(options: StandInOptions, words: readonly string[]) {
  await using api = await openStandInApi(options)
  execFileSync('git', ['init', '--quiet', directory.path])
  const surroundings = testSurroundings({ cwd: directory.path })
  const code = await runCli(surroundings, [...words, '--server', api.url, '--home', directory.path])
  return { code, out: surroundings.stdoutText(), err: surroundings.stderrText(), requests: [...api.requests] }
}

describe('the command line', () => {
  it('prints help when it is given nothing', async () => {
    const surroundings = testSurroundings()
    expect(await runCli(surroundings, [])).toBe(0)
    expect(surroundings.stdoutText()).toContain('Start here:')
    expect(surroundings.stderrText()).toBe('')
  })

  it('has examples in the help of every command', async () => {
    for (const [name, examples] of Object.entries(EXAMPLES)) {
      const surroundings = testSurroundings()
      expect(await runCli(surroundings, [name, '--help'])).toBe(0)
      expect(surroundings.stdoutText()).toContain(`$ ${examples[0]}`)
    }
  })

  it('suggests the command that was meant', async () => {
    const surroundings = testSurroundings()
    expect(await runCli(surroundings, ['stauts'])).toBe(2)
    expect(surroundings.stderrText()).toContain('Did you mean status?')
    expect(surroundings.stdoutText()).toBe('')
  })

  it('says a mistake also as JSON where JSON was asked for', async () => {
    const surroundings = testSurroundings()
    expect(await runCli(surroundings, ['run', 'x', '--time-limit', 'soon', '--json'])).toBe(2)
    expect(JSON.parse(surroundings.stdoutText())).toMatchObject({
      success: false,
      error: { type: 'bad-arguments', next: 'muster run --help' },
    })
  })

  it('hands the flags of serve to the daemon and its exit code to the shell', async () => {
    const given: ServeOptions[] = []
    const serve = async (options: ServeOptions) => {
      given.push(options)
      return 3
    }
    const surroundings = testSurroundings({ serve })
    expect(await runCli(surroundings, ['serve', '--port', '7420', '--home', '/srv/m'])).toBe(3)
    expect(given[0]).toMatchObject({ home: '/srv/m', port: 7420, background: false })
  })

  it('does not take an empty home for the current directory', async () => {
    const surroundings = testSurroundings({ cwd: directory.path })
    expect(await runCli(surroundings, ['status', '--home', ''])).toBe(2)
    expect(surroundings.stderrText()).toContain('It must not be empty')
  })

  it('says in words that a home is no directory, with an exit code of its own', async () => {
    const surroundings = testSurroundings({ cwd: directory.path })
    expect(await runCli(surroundings, ['status', '--home', 'token'])).toBe(5)
    expect(surroundings.stderrText()).toContain('cannot be used as the home')
  })

  it('keeps the home where the flag, the environment or the custom of the system says', () => {
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

describe('muster init', () => {
  it('writes muster.yaml once and refuses to overwrite it', async () => {
    execFileSync('git', ['init', '--quiet', directory.path])
    writeFileSync(join(directory.path, 'go.mod'), 'module x\n')
    const first = testSurroundings({ cwd: directory.path })
    expect(await runCli(first, ['init'])).toBe(0)
    expect(readFileSync(join(directory.path, 'muster.yaml'), 'utf8')).toContain('go test ./...')

    const second = testSurroundings({ cwd: directory.path })
    expect(await runCli(second, ['init'])).toBe(3)
    expect(second.stderrText()).toContain('muster init --force')
    expect(await runCli(testSurroundings({ cwd: directory.path }), ['init', '--force'])).toBe(0)
  })
})

describe('muster run', () => {
  it('follows the job into a pipe with one plain line an event, and ends with the summary', async () => {
    const told = await runAgainst({ answers: answers(), events: EVENTS, ends: true }, ['run', 'make it work'])
    expect(told.code).toBe(0)
    expect(told.out).toContain(SAMPLE_JOB_ID)
    expect(told.out).toMatch(/t1-1 {3}started: Fix it\n.*t1-1 {3}working\n.*t1-1 {3}completed: fixed\n/)
    expect(told.out).toContain('completed: the goal is reached')
    expect(told.out).not.toContain(String.fromCharCode(27))
  })

  it('gives programs one JSON value a line', async () => {
    const told = await runAgainst({ answers: answers(), events: EVENTS, ends: true }, [
      'run',
      'make it',
      '--json',
    ])
    const values = told.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(values.slice(0, -1)).toEqual(EVENTS)
    expect(values.at(-1)).toMatchObject({ success: true, data: { job: { id: SAMPLE_JOB_ID } } })
  })

  it('is a failure when the job ran out of something', async () => {
    const job = sampleJob({ reason: 'max-cycles-reached' })
    const told = await runAgainst({ answers: answers(job), events: EVENTS, ends: true }, ['run', 'make it'])
    expect(told.code).toBe(1)
  })

  it('leaves at once when detached', async () => {
    const told = await runAgainst({ answers: answers() }, ['run', 'make it work', '--detach'])
    expect(told.code).toBe(0)
    expect(told.requests).toEqual(['POST /api/orchestrator'])
    expect(told.err).toMatch(new RegExp(`muster --home \\S+ --server \\S+ watch ${SAMPLE_JOB_ID}`))
  })

  it('stops following at Ctrl-C in a pipe, says how to come back, and leaves the job alone', async () => {
    await using api = await openStandInApi({ answers: answers(), events: EVENTS })
    execFileSync('git', ['init', '--quiet', directory.path])
    const surroundings = testSurroundings({ cwd: directory.path })
    const words = ['run', 'make it', '--server', api.url, '--home', directory.path]
    const running = runCli(surroundings, words)
    await expect.poll(surroundings.stdoutText).toContain('completed: fixed')
    expect(surroundings.send('SIGINT')).toBe(true)
    expect(await running).toBe(130)
    expect(surroundings.stderrText()).toContain(` status ${SAMPLE_JOB_ID}`)
    expect(api.requests.filter((request) => request.includes('cancel'))).toEqual([])
  })

  it('stops following without a question when its terminal is closed, and does not fall over its writes', async () => {
    await using api = await openStandInApi({ answers: answers(), events: EVENTS })
    execFileSync('git', ['init', '--quiet', directory.path])
    const surroundings = testSurroundings({ cwd: directory.path })
    const words = ['run', 'make it', '--server', api.url, '--home', directory.path]
    const running = runCli(surroundings, words)
    await expect.poll(surroundings.stdoutText).toContain('completed: fixed')
    expect(surroundings.send('SIGHUP')).toBe(true)
    surroundings.stdout.emit('error', Object.assign(new Error('write EIO'), { code: 'EIO' }))
    surroundings.stderr.emit('error', Object.assign(new Error('write EIO'), { code: 'EIO' }))
    expect([0, 130]).toContain(await running)
    expect(api.requests.filter((request) => request.includes('cancel'))).toEqual([])
  })

  it('closes the question at Ctrl-C by itself when the job ends, and shows how it ended', async () => {
    await using api = await openStandInApi({ answers: answers(), events: EVENTS })
    execFileSync('git', ['init', '--quiet', directory.path])
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
    const shown: string[] = []
    const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 40 })
    stdout.setEncoding('utf8').on('data', (chunk: string) => shown.push(chunk))
    const surroundings = testSurroundings({
      cwd: directory.path,
      stdin,
      stdout,
      environment: { TERM: 'xterm' },
    })
    const running = runCli(surroundings, ['run', 'make it', '--server', api.url, '--home', directory.path])
    await expect.poll(() => shown.join(''), { timeout: 10_000 }).toContain('completed: fixed')
    expect(surroundings.send('SIGINT')).toBe(true)
    await expect.poll(() => shown.join(''), { timeout: 10_000 }).toContain('What now?')
    api.finish(sampleEvent('job_completed', { seq: 5, data: { reason: 'goal-reached' } }))
    expect(await running).toBe(0)
    const afterwards = shown.join('').split('What now?').at(-1) ?? ''
    expect(afterwards).toMatch(/completed: the goal is reached.* \(2 cycles/)
    expect(api.requests.filter((request) => request.includes('cancel'))).toEqual([])
  }, 20_000)

  it('prints only the summary when it is asked to be quiet', async () => {
    const told = await runAgainst({ answers: answers(), events: EVENTS, ends: true }, [
      'run',
      'make it',
      '-q',
    ])
    expect(told.out).toMatch(/^\ncompleted: the goal is reached/)
    expect(told.err).toBe('')
  })

  it('says in words what is wrong with a goal', async () => {
    execFileSync('git', ['init', '--quiet', directory.path])
    const tell = async (goal: string) => {
      const surroundings = testSurroundings({ cwd: directory.path })
      expect(await runCli(surroundings, ['run', goal])).toBe(2)
      return surroundings.stderrText()
    }
    expect(await tell('')).toContain('the goal is empty\n')
    expect(await tell('@absent.md')).toContain('there is no such file')
  })

  it('needs a repository', async () => {
    const surroundings = testSurroundings({ cwd: directory.path })
    expect(await runCli(surroundings, ['run', 'make it work'])).toBe(2)
    expect(surroundings.stderrText()).toContain('is not in a git repository')
  })

  it('says that a goal of several words needs quotes', async () => {
    const told = await runAgainst({ answers: answers() }, ['run', 'two', 'words'])
    expect(told).toMatchObject({ code: 2, requests: [] })
    expect(told.err).toMatch(/quotes around it\n {2}try: muster .*run "/)
  })

  it('names tasks by their short names, and what leads on, when its job is the newest', async () => {
    const tasks = [sampleTask({ commit: 'd'.repeat(40) }), sampleTask({ number: 2, status: 'failed' })]
    const all: StandInOptions['answers'] = (method, path) =>
      path === '/api/tasks' ? { items: tasks } : answers()(method, path)
    const told = await runAgainst({ answers: all, events: EVENTS, ends: true }, ['run', 'make it'])
    expect(told.out).toMatch(/more: muster .*show t1-2\n/)
    for (const command of ['report', 'diff', 'merge'])
      expect(told.out).toMatch(new RegExp(`: +muster .*${command} ${SAMPLE_JOB_ID}\n`))
  })
})

describe('muster watch', () => {
  const inHere = () => sampleJob({ repositoryPath: realpathSync(directory.path), status: 'running' })
  const at = sampleJob().createdAt
  const daemon = { pid: 1, version: '1', startedAt: at, uptimeMs: 1, home: '/m', containment: 'bubblewrap' }
  const elsewhere = sampleJob({ id: `${SAMPLE_JOB_ID.slice(0, -1)}0`, status: 'running' })

  it('follows the open job of this repository as the command that started it does', async () => {
    const status = { daemon, jobs: [elsewhere, inHere()], sessions: [], waiting: [] }
    const all: StandInOptions['answers'] = (method, path) =>
      path === '/api/status' ? status : answers()(method, path)
    const told = await runAgainst({ answers: all, events: EVENTS, ends: true }, ['watch'])
    expect(told.code).toBe(0)
    expect(told.out).toMatch(/t1-1 {3}completed: fixed\n/)
    expect(told.out).toContain('completed: the goal is reached')
    expect(told.requests).toContain(`GET /api/orchestrator/${SAMPLE_JOB_ID}/stream`)
  })

  it('says so when none is open here', async () => {
    const status = { daemon, jobs: [elsewhere], sessions: [], waiting: [] }
    const told = await runAgainst({ answers: () => status }, ['watch'])
    expect(told).toMatchObject({ code: 2, err: expect.stringContaining('no job of this repository is open') })
  })
})

describe('muster list', () => {
  const none: StandInOptions['answers'] = () => ({ items: [] })

  it('does not take nothing that matches for nothing at all', async () => {
    expect((await runAgainst({ answers: none }, ['list', 'jobs', '--user', 'no'])).out).toBe(
      'no job matches\n',
    )
    expect((await runAgainst({ answers: none }, ['list', 'jobs'])).out).toContain('no jobs yet')
    expect((await runAgainst({ answers: none }, ['list', 'sessions', '--role', 'x'])).out).toBe(
      'no session matches\n',
    )
  })

  it('refuses a flag or a status that does not belong to the table', async () => {
    const tasks = await runAgainst({ answers: none }, ['list', 'tasks', '--user', 'ada'])
    expect(tasks).toMatchObject({ code: 2, requests: [] })
    expect(tasks.err).toContain('the list of tasks cannot be narrowed by --user; it takes --job')
    const landings = await runAgainst({ answers: none }, ['list', 'landings', '--status', 'running'])
    expect(landings).toMatchObject({ code: 2, err: expect.stringContaining('queued, checking, landed') })
  })

  it('shows the landings in one state, of the newest job of this repository', async () => {
    const other = sampleJob({ id: `${SAMPLE_JOB_ID.slice(0, -1)}0` })
    const own = sampleJob({ repositoryPath: realpathSync(directory.path) })
    const landings = [sampleLanding(), sampleLanding({ id: 'lnd_other', status: 'rejected' })]
    const all: StandInOptions['answers'] = (method, path) => {
      if (path === '/api/orchestrator') return { items: [other, own] }
      return path.includes('landings') ? { items: landings } : answers()(method, path)
    }
    const told = await runAgainst({ answers: all }, ['list', 'landings', '--status', 'landed'])
    expect(told).toMatchObject({ code: 0, err: '' })
    expect(told.out).toMatch(/landed +t1-1 /)
    expect(told.out).not.toContain('lnd_other')
  })
})

describe('muster cancel', () => {
  it('names the branch only when something landed', async () => {
    const landed = await runAgainst({ answers: answers() }, ['cancel', SAMPLE_JOB_ID])
    expect(landed.out).toContain('what landed before is on branch muster/job')
    const none: StandInOptions['answers'] = (method, path) =>
      path === '/api/tasks' ? { items: [sampleTask({ status: 'skipped' })] } : answers()(method, path)
    const told = await runAgainst({ answers: none }, ['cancel', SAMPLE_JOB_ID])
    expect(told.out).toContain('nothing had landed before')
    expect(told.out).not.toContain('branch')
  })
})

describe('commands that take an id', () => {
  it('take the short name of a task of the newest job', async () => {
    const told = await runAgainst({ answers: answers() }, ['logs', 't1-1'])
    expect(told.requests).toContain(`GET /api/tasks/${SAMPLE_TASK_ID}`)
    const absent = await runAgainst({ answers: answers() }, ['show', 't9-9'])
    expect(absent).toMatchObject({ code: 2, err: expect.stringContaining('there is no task t9-9') })
  })

  it('take the newest job of the repository one is in, and say which they take where there is none', async () => {
    const own = sampleJob({ id: 'job_own', repositoryPath: realpathSync(directory.path) })
    const jobs = (items: readonly unknown[]): StandInOptions['answers'] => {
      return (method, path) => (path === '/api/orchestrator' ? { items } : answers()(method, path))
    }
    const here = await runAgainst({ answers: jobs([sampleJob(), own]) }, ['show', '9.9'])
    expect(here.err).toContain('the newest job is job_own')
    const away = await runAgainst({ answers: jobs([sampleJob()]) }, ['logs', '1.1'])
    expect(away.err).toContain(`the newest of all is ${SAMPLE_JOB_ID}, of /srv/project`)
  })

  it('name the list of what the id says that it is', async () => {
    const told = await runAgainst({ answers: () => ({ items: [] }) }, ['diff', 'apr_zzz'])
    expect(told.err).toMatch(/try: muster .*approvals/)
  })

  it('say so when they are given a task instead of a job', async () => {
    for (const text of [SAMPLE_TASK_ID, 't1-1']) {
      const told = await runAgainst({ answers: answers() }, ['cancel', text])
      expect(told.code).toBe(2)
      expect(told.err).toContain(`${text} is a task`)
      expect(told.err).toMatch(new RegExp(`try: muster .*show ${text}`))
      expect(told.requests).toEqual([])
    }
  })

  it('take the beginning of one', async () => {
    const told = await runAgainst({ answers: answers() }, ['pause', SAMPLE_JOB_ID.slice(0, 8)])
    expect(told.code).toBe(0)
    expect(told.requests.at(-1)).toBe(`POST /api/orchestrator/${SAMPLE_JOB_ID}/pause`)
  })

  it('say which ids a beginning could mean', async () => {
    const other = sampleJob({ id: `${SAMPLE_JOB_ID.slice(0, -1)}0` })
    const both: StandInOptions['answers'] = () => ({ items: [sampleJob(), other] })
    const told = await runAgainst({ answers: both }, ['cancel', 'job_0'])
    expect(told.code).toBe(2)
    expect(told.err).toContain(SAMPLE_JOB_ID)
    expect(told.err).toContain(other.id)
  })

  it('say so when there is no such thing', async () => {
    const told = await runAgainst({ answers: answers() }, ['show', 'zzz'])
    expect(told.code).toBe(2)
    expect(told.err).toContain('there is no job or task or session or landing')
  })
})

describe('muster logs', () => {
  it('is a transcript with the name of the task before every line', async () => {
    const told = await runAgainst({ answers: answers() }, ['logs', SAMPLE_JOB_ID])
    expect(told).toMatchObject({ code: 0, out: '[t1-1] working\n' })
  })
})

describe('a daemon that is named and does not answer', () => {
  it('is not started, and the exit code is 5', async () => {
    const surroundings = testSurroundings()
    const words = ['status', '--server', 'http://127.0.0.1:9', '--home', directory.path]
    expect(await runCli(surroundings, words)).toBe(5)
    expect(surroundings.stderrText()).toContain('try:')
  })
})
