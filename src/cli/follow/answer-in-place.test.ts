import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import type { WireBase } from '../../client/index.ts'
import { createOutput } from '../output.ts'
import { SAMPLE_JOB_ID, sampleNames } from '../testing/sample-wire.ts'
import { openStandInApi } from '../testing/stand-in-api.ts'
import { testSurroundings } from '../testing/test-surroundings.ts'
import { answerInPlace, writeReply } from './answer-in-place.ts'

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

it('says who reads the reason of a denial', async () => {
  await using api = await openStandInApi({ answers: () => ({}) })
  const promptFor = async (isLanding: boolean) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
    const surroundings = testSurroundings({ stdin })
    const needs = { surroundings, output: createOutput(surroundings, options), options, home: '/home' }
    const wait = { type: 'approval', id: 'apr_1', digest: 'd', isLanding, words: '' } as const
    const closing = new AbortController()
    const asking = writeReply(needs, api.client, wait, closing.signal)
    await expect.poll(surroundings.stdoutText).toContain('read this:')
    closing.abort()
    await asking
    return surroundings.stdoutText()
  }
  expect(await promptFor(false)).toContain('Why not? The agent will read this:')
  const landing = await promptFor(true)
  expect(landing).toContain('The task ends without landing. The next planner will read')
  expect(landing).not.toContain('agent')
})
