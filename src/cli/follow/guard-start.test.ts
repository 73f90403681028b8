import { execFileSync } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { failure } from '../../domain/result.ts'
import { createOutput } from '../output.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_JOB_ID, SAMPLE_SESSION_ID, sampleJob, sampleSession } from '../testing/sample-wire.ts'
import { openStandInApi } from '../testing/stand-in-api.ts'
import { testSurroundings } from '../testing/test-surroundings.ts'
import { guardStart } from './guard-start.ts'

const trial = createCommandTrial(temporaryDirectory)

/** Starts a command in a repository, whose request to start something is answered once the test says so. */
async function startHeld(words: readonly string[], given = trial.surroundings()) {
  execFileSync('git', ['init', '--quiet', trial.path()])
  let answer: (job: unknown) => void = () => {}
  const held = new Promise((resolve) => {
    answer = resolve
  })
  const api = await openStandInApi({
    answers: (method, path) => (method === 'POST' ? held : path === '/api/orchestrator' && { items: [] }),
  })
  const running = trial.start(api, given, words)
  await expect.poll(() => api.requests.some((request) => request.startsWith('POST'))).toBe(true)
  return { api, given, running, answer }
}

it.each([[['run', 'make it']], [['start', 'reviewed', 'make it']]])(
  'waits at Ctrl-C for the answer to %j, and names the job',
  async (words) => {
    const { api, given, running, answer } = await startHeld(words)
    await using _api = api
    expect(given.send('SIGINT')).toBe(true)
    expect(given.stderrText()).toContain('waiting for the daemon to answer')
    answer(sampleJob({ status: 'running' }))
    expect(await running).toBe(130)
    expect(given.stdoutText()).toContain(SAMPLE_JOB_ID)
    expect(given.stderrText()).toContain(`cancel ${SAMPLE_JOB_ID}`)
  },
)

it('asks in a terminal what to do with a job that was started meanwhile', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
  const shown: string[] = []
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 40 })
  stdout.setEncoding('utf8').on('data', (chunk: string) => shown.push(chunk))
  const surroundings = trial.surroundings({ stdin, stdout, environment: { TERM: 'xterm' } })
  const { api, given, running, answer } = await startHeld(['run', 'make it'], surroundings)
  await using _api = api
  given.send('SIGINT')
  answer(sampleJob({ status: 'running' }))
  await expect.poll(() => shown.join(''), { timeout: 10_000 }).toContain('What now?')
  stdin.write('\r')
  expect(await running).toBe(130)
}, 20_000)

it('leaves at a second Ctrl-C, and says that a job may have been started', async () => {
  const { api, given, running } = await startHeld(['run', 'make it'])
  await using _api = api
  given.send('SIGINT')
  given.send('SIGINT')
  expect(await running).toBe(130)
  expect(given.stderrText()).toMatch(/a job may have been started\n {2}try: muster .*list jobs\n/)
})

it('names the session that was started meanwhile', async () => {
  const { api, given, running, answer } = await startHeld(['session', 'start', 'look'])
  await using _api = api
  given.send('SIGINT')
  answer(sampleSession())
  expect(await running).toBe(130)
  expect(given.stderrText()).toContain(`logs ${SAMPLE_SESSION_ID} -f`)
})

it('gives up waiting after a time', async () => {
  const given = testSurroundings()
  const output = createOutput(given, { json: false, quiet: false, verbose: false, color: false })
  using guard = guardStart({ surroundings: given, output }, 'job', 20)
  const answered = guard.answer(new Promise(() => {}))
  given.send('SIGINT')
  expect(await answered).toEqual(failure(expect.objectContaining({ type: 'start-unanswered' })))
})
