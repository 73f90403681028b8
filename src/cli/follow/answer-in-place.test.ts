import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import type { WireBase, WireDiff } from '../../client/index.ts'
import { createOutput } from '../output.ts'
import {
  SAMPLE_APPROVAL_ID,
  SAMPLE_JOB_ID,
  sampleApproval,
  sampleJob,
  sampleNames,
} from '../testing/sample-wire.ts'
import { openStandInApi } from '../testing/stand-in-api.ts'
import { testSurroundings } from '../testing/test-surroundings.ts'
import { answerInPlace } from './answer-in-place.ts'

const base: WireBase = {
  jobId: SAMPLE_JOB_ID,
  branch: 'main',
  commit: 'a'.repeat(40),
  status: 'asking',
  results: [{ command: 'npm ci', isSetup: true, passed: false, detail: 'exited with code 1' }],
  choices: ['fix', 'stop'],
}

const options = { json: false, quiet: false, verbose: false, color: false }

async function press(key: string, isSetup: boolean) {
  await using api = await openStandInApi({ answers: () => base })
  const surroundings = testSurroundings()
  const output = createOutput(surroundings, options)
  output.ids.learn(sampleNames().lengths)
  const wait = { type: 'base', id: SAMPLE_JOB_ID, isSetup, words: '' } as const
  const lines: string[] = []
  const needs = { surroundings, output, options, home: '/home' }
  await answerInPlace(needs, api.client, wait, key, (line) => lines.push(line))
  return { text: lines.join('\n'), requests: api.requests }
}

it('shows the commands that decide about a base with short IDs', async () => {
  const { text } = await press('v', true)
  expect(text).toMatch(/muster base job_\w{4} fix/)
  expect(text).not.toContain(SAMPLE_JOB_ID)
})

it('continues only on a base whose setup works', async () => {
  expect((await press('c', true)).requests).toEqual([])
  expect((await press('c', false)).requests).toEqual([`POST /api/orchestrator/${SAMPLE_JOB_ID}/base`])
})

it('lets a program that was not logged in try again', async () => {
  await using api = await openStandInApi({ answers: () => sampleJob() })
  const surroundings = testSurroundings()
  const needs = { surroundings, output: createOutput(surroundings, options), options, home: '/home' }
  const wait = { type: 'unready', id: SAMPLE_JOB_ID, sessions: ['ses_1'], words: 'Log in.' } as const
  const lines: string[] = []
  for (const key of ['x', 'r', 'v', 't'])
    expect(await answerInPlace(needs, api.client, wait, key, (line) => lines.push(line))).toBeUndefined()
  expect(api.requests).toEqual([`POST /api/orchestrator/${SAMPLE_JOB_ID}/resume`])
  expect(lines).toEqual(['Log in.', 'trying again'])
})

it('says who reads the reason of a denial', async () => {
  await using api = await openStandInApi({ answers: () => ({}) })
  const promptFor = async (asks: 'tool-use' | 'landing') => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
    const surroundings = testSurroundings({ stdin })
    const needs = { surroundings, output: createOutput(surroundings, options), options, home: '/home' }
    const wait = { type: 'approval', id: 'apr_1', digest: 'd', asks, words: '' } as const
    const closing = new AbortController()
    const aside = await answerInPlace(needs, api.client, wait, 'r', () => {})
    const asking = aside?.(closing.signal)
    await expect.poll(surroundings.stdoutText).toContain('read this:')
    closing.abort()
    await asking
    return surroundings.stdoutText()
  }
  expect(await promptFor('tool-use')).toContain('Why not? The agent will read this:')
  const landing = await promptFor('landing')
  expect(landing).toContain('The task ends without landing. The next planner will read')
  expect(landing).not.toContain('agent')
})

/** Presses `key` at the request of an agent, and answers the question with `answer`. */
async function pressScope(key: string, answer: string, asks: 'tool-use' | 'landing' | 'gate' = 'tool-use') {
  await using api = await openStandInApi({ answers: () => sampleApproval() })
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
  const shown: string[] = []
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 200 })
  stdout.setEncoding('utf8').on('data', (chunk: string) => shown.push(chunk))
  const surroundings = testSurroundings({ stdin, stdout })
  const needs = { surroundings, output: createOutput(surroundings, options), options, home: '/home' }
  const wait = {
    type: 'approval',
    id: SAMPLE_APPROVAL_ID,
    digest: 'd'.repeat(64),
    asks,
    words: '',
  } as const
  const aside = await answerInPlace(needs, api.client, wait, key, () => {})
  const asking = aside?.(new AbortController().signal)
  if (aside !== undefined) await expect.poll(() => shown.join('')).toContain('Allow this?')
  stdin.write(answer)
  await asking
  return { shown: shown.join(''), bodies: api.bodies }
}

it('allows with a scope after the person has confirmed what it allows', async () => {
  const digest = 'd'.repeat(64)
  const job = await pressScope('j', 'y')
  expect(job.shown).toContain('every agent may always run: rm -rf build, in this job')
  expect(job.bodies).toEqual([{ digest, scope: 'job' }])
  const session = await pressScope('s', 'y')
  expect(session.shown).toContain('ada may run any command with Bash without asking')
  expect(session.bodies).toEqual([{ digest, scope: 'session' }])
  expect((await pressScope('s', 'n')).bodies).toEqual([])
  for (const asks of ['landing', 'gate'] as const)
    expect(await pressScope('j', '', asks)).toEqual({ shown: '', bodies: [] })
})

/** Presses `v` at a landing whose patch has this many lines, in a terminal with 24 rows. */
async function viewLanding(lines: number, pager: string) {
  const diff: WireDiff = {
    subject: 'apr_1',
    files: [{ path: 'a', added: lines, removed: 0, isBinary: false, status: 'added' }],
    patch: Array.from({ length: lines }, (_, index) => `+line ${index}\n`).join(''),
    from: 'a'.repeat(40),
    to: 'b'.repeat(40),
    omittedFiles: 0,
    isCut: false,
    gitDirectory: '/x',
  }
  await using api = await openStandInApi({ answers: () => diff })
  const shown: string[] = []
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
  stdout.setEncoding('utf8').on('data', (chunk: string) => shown.push(chunk))
  const environment = { PATH: process.env['PATH'], MUSTER_PAGER: pager }
  const surroundings = testSurroundings({ stdout, environment })
  const output = createOutput(surroundings, options)
  const needs = { surroundings, output, options: { ...options, pager: true }, home: '/home' }
  const wait = { type: 'approval', id: 'apr_1', digest: 'd', asks: 'landing', words: '' } as const
  const printed: string[] = []
  const aside = await answerInPlace(needs, api.client, wait, 'v', (line) => printed.push(line))
  const above = printed.join('\n')
  await aside?.(AbortSignal.abort())
  return { above, afterwards: shown.join('') }
}

it('shows a landing that is longer than the screen in the pager, not above the live view', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'paged')
  expect((await viewLanding(5, `tee ${file}`)).above).toContain('+line 4')
  const { above } = await viewLanding(100, `tee ${file}`)
  expect(above).toBe('')
  expect(await readFile(file, 'utf8')).toMatch(/^FILE .*\+line 99\n$/s)
})

it('lists the files of a long landing and names the command for the rest if there is no pager', async () => {
  const { above, afterwards } = await viewLanding(100, 'no-such-program')
  expect(above).toBe('')
  expect(afterwards).toContain('1 file, 100 lines added')
  expect(afterwards).toContain('full diff: muster diff apr_1')
  expect(afterwards).not.toContain('+line')
})
