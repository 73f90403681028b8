import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { acpStage } from '../support/acp-agent/acp-stage.ts'
import { type Deed, deeds } from '../support/acp-agent/deed.ts'
import { startJob } from '../support/run-job.ts'
import { endsOf, outcomesOf } from '../support/run-project.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { until, waitForJob } from '../support/test-daemon.ts'

// Agents that hold a conversation: it is kept from visit to visit, answers are asked for again in it, and agents are
// nudged in it.

const shared = shareDaemon({ MUSTER_NUDGE_GRACE_MS: '3000' })

const answer = (fields: object): Deed => ({ say: JSON.stringify({ type: 'result', ...fields }) })
const write = (text: string): Deed => ({ shell: `echo ${text} >> work.txt` })

type Stages = Readonly<Record<string, object>>

function playbook(stages: Stages, fields: object = {}): string {
  const roles = {
    developer: { mode: 'write', prompt: './developer.md', agents: ['acp'], session: 'keep' },
  }
  return JSON.stringify({
    version: 1,
    name: 'talks',
    description: 'A conversation.',
    roles,
    limits: { minutes: 10, parallel: 1 },
    start: Object.keys(stages)[0],
    stages,
    result: { partial: 'keep' },
    ...fields,
  })
}

const stage = (list: readonly Deed[], fields: object = {}) => ({
  role: 'developer',
  from: 'head',
  asks: deeds(...list),
  sees: ['goal'],
  output: 'change',
  minutes: 5,
  on: { done: 'end.land', failed: 'end.failed' },
  ...fields,
})

async function start(stages: Stages, fields: object = {}, agents = {}) {
  const files = {
    '.muster/playbooks/talks/playbook.yaml': playbook(stages, fields),
    '.muster/playbooks/talks/developer.md': 'You are the developer.',
  }
  const scene = await acpStage([], { home: shared.home, files, agents })
  const jobId = await startJob(shared.client, scene.repository, { playbook: { name: 'talks', inputs: {} } })
  /** The prompts of each conversation. */
  const conversations = async () => {
    const names = (await readdir(scene.memory)).filter((name) => name.endsWith('.jsonl')).toSorted()
    const texts = await Promise.all(names.map((name) => readFile(join(scene.memory, name), 'utf8')))
    return texts.map((text) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as string),
    )
  }
  return { ...scene, jobId, conversations }
}

const runOf = async (jobId: string) => {
  const [run] = take(await shared.client.listRuns({ job: jobId })).items
  if (run === undefined) throw new Error('there is no run')
  return run
}

const pendingOf = async (jobId: string) =>
  take(await shared.client.listApprovals({ job: jobId, status: 'pending' })).items

const LATER = { from: 'work', on: { done: 'end.land', failed: 'end.partial' } }

describe('a role that keeps its session', () => {
  it('continues its conversation in the next visit, with only what is new, and in the newest work', async () => {
    await using scene = await start({
      first: stage([write('one'), answer({ summary: 'first' })], {
        on: { done: 'next', failed: 'end.failed' },
      }),
      next: stage([write('two'), answer({ summary: 'told %told% times' })], LATER),
    })
    const job = await waitForJob(shared.client, scene.jobId)
    expect(await endsOf(shared.client, job.id)).toEqual(['land'])
    expect(await scene.repository.git('show', `${job.workingBranch}:work.txt`)).toBe('one\ntwo')
    const [prompts = [], ...others] = await scene.conversations()
    expect(others).toEqual([])
    expect(prompts).toHaveLength(2)
    expect(prompts[0]).toContain('You are the developer.')
    expect(prompts[0]).toContain('## The goal')
    expect(prompts[1]).toContain('We continue our conversation')
    expect(prompts[1]).not.toContain('You are the developer.')
    expect(prompts[1]).not.toContain('## The goal')
    expect((await runOf(job.id)).visits.at(-1)?.answer).toMatchObject({ summary: 'told 2 times' })
  })

  it('begins a new conversation with the whole prompt if the old one is gone, and that costs no try', async () => {
    await using scene = await start({
      first: stage([write('one'), answer({ summary: 'first' })], {
        on: { done: 'wait', failed: 'end.failed' },
      }),
      wait: {
        gate: { ask: 'Go on?', shows: [], hours: 1 },
        on: { allowed: 'next', denied: 'end.failed', expired: 'end.failed' },
      },
      next: stage([write('two'), answer({ summary: 'told %told% times' })], LATER),
    })
    await until(async () => (await pendingOf(scene.jobId)).length > 0)
    for (const name of await readdir(scene.memory)) await rm(join(scene.memory, name))
    const [gate] = await pendingOf(scene.jobId)
    take(await shared.client.allowApproval(gate?.id ?? '', {}))
    const job = await waitForJob(shared.client, scene.jobId)
    const run = await runOf(job.id)
    expect(run).toMatchObject({ end: 'land', recoveries: 0 })
    expect(run.visits.at(-1)).toMatchObject({ tries: 2, answer: { summary: 'told 1 times' } })
    expect(await scene.repository.git('show', `${job.workingBranch}:work.txt`)).toBe('one\ntwo')
    expect((await scene.conversations()).at(-1)?.[0]).toContain('## The goal')
  })
})

describe('an agent in a conversation', () => {
  it('is asked again in it, and goes on with its work', async () => {
    const restore = { shell: 'echo kept > kept.txt' }
    const later: Deed = { later: [restore, answer({ summary: 'told %told% times' })] }
    const spoil = { shell: 'echo spoilt > kept.txt' }
    await using scene = await start({
      first: stage([restore, answer({ summary: 'first' })], { on: { done: 'next', failed: 'end.failed' } }),
      next: stage([later, spoil, write('two'), answer({ summary: 'no' })], { ...LATER, keeps: 'first' }),
    })
    const job = await waitForJob(shared.client, scene.jobId)
    expect(await outcomesOf(shared.client, job.id)).toEqual(['first: done', 'next: done'])
    expect(await scene.repository.git('show', `${job.workingBranch}:work.txt`)).toBe('two')
    expect(await scene.repository.git('show', `${job.workingBranch}:kept.txt`)).toBe('kept')
    const [prompts = []] = await scene.conversations()
    expect(prompts[2]).toContain('## Your last try was not accepted')
    expect(prompts[2]).not.toContain('## Your next stage')
    const run = await runOf(job.id)
    expect(run.visits[1]).toMatchObject({ tries: 2, answer: { summary: 'told 3 times' } })
  })

  it('is nudged when its time is over, and can finish', async () => {
    const later: Deed = { later: [write('late'), answer({ summary: 'told %told% times' })] }
    await using scene = await start({ first: stage([later, { hang: true }], { minutes: 0.05 }) })
    const job = await waitForJob(shared.client, scene.jobId)
    expect(await endsOf(shared.client, job.id)).toEqual(['land'])
    const [prompts = []] = await scene.conversations()
    expect(prompts[1]).toContain('Your time is over')
    const run = await runOf(job.id)
    expect(run.visits[0]).toMatchObject({ tries: 1, outcome: 'done' })
    expect(run).toMatchObject({ recoveries: 1 })
  })

  it('is in trouble again if the nudge did not help, until its tries are used up', async () => {
    const first = stage([{ later: [{ hang: true }] }, { hang: true }], { minutes: 0.05 })
    const recover = { perVisit: 2, timeout: ['nudge', 'escalate'] }
    await using scene = await start({ first }, { recover })
    await until(async () => (await pendingOf(scene.jobId)).length > 0, 60_000)
    const [question] = await pendingOf(scene.jobId)
    expect(question).toMatchObject({
      action: {
        type: 'gate',
        stage: 'first',
        isTrouble: true,
        ask: expect.stringContaining('AGENT_TIMEOUT'),
      },
    })
    take(await shared.client.denyApproval(question?.id ?? '', { abort: true, reason: 'no use' }))
    const job = await waitForJob(shared.client, scene.jobId)
    expect(await runOf(job.id)).toMatchObject({
      end: 'failed',
      reason: 'a person ended it: no use',
    })
  })

  it('is parked until it has quota, which costs no try', async () => {
    const list = [{ limitMs: 1_500 }, write('one'), answer({ summary: 'told %told% times' })]
    await using scene = await start({ first: stage(list) })
    const job = await waitForJob(shared.client, scene.jobId)
    const run = await runOf(job.id)
    expect(run).toMatchObject({ end: 'land', recoveries: 0 })
    expect(run.visits[0]).toMatchObject({ tries: 1 })
  })

  it('without quota gives its visit to another agent, if the playbook says so', async () => {
    const other = {
      provider: 'command',
      command: [
        '/bin/sh',
        '-c',
        `echo other > work.txt; echo '${JSON.stringify({ type: 'result', summary: 'did it' })}'`,
      ],
    }
    const roles = { developer: { mode: 'write', prompt: './developer.md', agents: ['acp', 'other'] } }
    const recover = { quota: ['substitute'] }
    const list = [{ limitMs: 600_000, times: 9 }, answer({ summary: 'never' })]
    await using scene = await start({ first: stage(list) }, { roles, recover }, { other })
    const job = await waitForJob(shared.client, scene.jobId)
    expect(await runOf(job.id)).toMatchObject({ end: 'land', recoveries: 1 })
    expect(await scene.repository.git('show', `${job.workingBranch}:work.txt`)).toBe('other')
  })
})
