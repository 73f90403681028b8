import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MusterClient } from '../../src/client/index.ts'
import { acpStage } from '../support/acp-agent/acp-stage.ts'
import { type Deed, deeds } from '../support/acp-agent/deed.ts'
import { quickHome } from '../support/quick-home.ts'
import { startJob } from '../support/run-job.ts'
import { APPROVED, answering, endsOf, outcomesOf, runProject, WRITE } from '../support/run-project.ts'
import { take } from '../support/take.ts'
import { type TestDaemon, until, waitForJob } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

// The daemon dies while a run starts, passes a result on, or is in trouble. Nothing is lost, and nothing happens twice.

const dead = ({ process: { signalCode } }: TestDaemon) => signalCode === 'SIGKILL'

async function runOf(client: MusterClient, jobId: string) {
  const [run, ...others] = take(await client.listRuns({ job: jobId })).items
  if (run === undefined || others.length > 0) throw new Error(`there are ${others.length + 1} runs`)
  return run
}

async function outputsOf(client: MusterClient, jobId: string): Promise<readonly string[]> {
  const { items } = take(await client.listMessages({ job: jobId, limit: 100 }))
  return items.flatMap(({ kind, subject }) => (kind === 'output' ? [subject] : [])).toReversed()
}

/** A playbook with one stage, as the files of a repository. */
function oneStage(stage: object, fields: object = {}) {
  const playbook = {
    version: 1,
    name: 'short',
    description: 'One stage.',
    roles: { developer: { mode: 'write', prompt: './developer.md', agents: ['worker'] } },
    limits: { minutes: 10, parallel: 1 },
    start: 'work',
    stages: {
      work: {
        role: 'developer',
        sees: ['goal'],
        output: 'change',
        on: { done: 'end.land', failed: 'end.failed' },
        ...stage,
      },
    },
    result: { partial: 'keep' },
    ...fields,
  }
  return {
    '.muster/playbooks/short/playbook.yaml': JSON.stringify(playbook),
    '.muster/playbooks/short/developer.md': 'You develop.',
  }
}

const SHORT = { playbook: { name: 'short', inputs: {} } }

describe('a run', () => {
  it.each([
    'job-start.before-commit:1',
    'job-advance.before-commit:1',
    'attempt-start.after-tree:1',
    'run.before-route:1',
    'run.before-route:3',
    'attempt-settle.before-commit:1',
  ])(
    'starts once and passes every result on once, if the daemon dies at %s',
    async (point) => {
      await using home = await quickHome()
      await using repository = await testRepository(runProject({ developer: WRITE, reviewer: APPROVED }))
      const dying = await home.start({ MUSTER_CRASH_AT: point })
      const goal = { repositoryPath: repository.path, requestDocument: 'Write a line.' }
      const request = { ...goal, playbook: { name: 'reviewed', inputs: {} } }
      const key = { idempotencyKey: 'the-start' }
      const first = dying.client.startJob(request, key).catch(() => undefined)
      await until(() => dead(dying))
      await first
      const { client } = await home.start()
      const { id } = take(await client.startJob(request, key))
      await waitForJob(client, id)
      expect(take(await client.listJobs()).items).toHaveLength(1)
      const run = await runOf(client, id)
      expect(run).toMatchObject({ end: 'land', recoveries: 0 })
      expect(run.visits.map(({ stage, tries }) => [stage, tries])).toEqual([
        ['implement', 1],
        ['check', 0],
        ['review', 1],
      ])
      // The goal, and then each result, is stored with the step that passes it on.
      expect(await outputsOf(client, id)).toEqual([
        'reviewed: implement',
        'implement: done',
        'check: pass',
        'review: APPROVED',
      ])
      expect(await outcomesOf(client, id)).toEqual(['implement: done', 'check: pass', 'review: APPROVED'])
    },
    120_000,
  )
})

describe('a visit in trouble', () => {
  it('asks a person once, and is tried again once, if the daemon dies before the question is stored', async () => {
    const developer = `if [ "$MUSTER_ATTEMPT" = 1 ]; then exit 1; fi; ${WRITE}`
    await using home = await quickHome()
    await using repository = await testRepository({
      ...runProject({ developer }),
      ...oneStage({}, { recover: { crashed: ['escalate'] } }),
    })
    const dying = await home.start({ MUSTER_CRASH_AT: 'run.before-escalation:1' })
    const jobId = await startJob(dying.client, repository, SHORT)
    await until(() => dead(dying))
    const { client } = await home.start()
    const asked = async () => take(await client.listApprovals({ job: jobId, status: 'all' })).items
    await until(async () => (await asked()).length > 0)
    take(await client.allowApproval((await asked())[0]?.id ?? ''))
    const job = await waitForJob(client, jobId)
    expect(await asked()).toHaveLength(1)
    const run = await runOf(client, jobId)
    expect(run).toMatchObject({ end: 'land', recoveries: 1, visits: [{ tries: 2 }] })
    expect(run.errors.map(({ action }) => action)).toEqual(['escalate'])
    expect(await repository.git('show', `${job.workingBranch}:work.txt`)).toBe('line')
  }, 120_000)

  const roles = (agents: readonly string[]) => ({
    roles: { developer: { mode: 'write', prompt: './developer.md', agents } },
  })
  const say = (fields: object): Deed => ({ say: JSON.stringify({ type: 'result', ...fields }) })
  const write: Deed = { shell: 'echo late >> work.txt' }

  it('is nudged once, if the daemon dies before the nudge is stored', async () => {
    const later: Deed = { later: [write, say({ summary: 'done' })] }
    const files = oneStage({ asks: deeds(later, { hang: true }), minutes: 0.05 }, roles(['acp']))
    await using it = await acpStage([], { files })
    const environment = { MUSTER_NUDGE_GRACE_MS: '20000' }
    const dying = await it.home.start({ ...environment, MUSTER_CRASH_AT: 'run.after-nudge:1' })
    const jobId = await startJob(dying.client, it.repository, SHORT)
    await until(() => dead(dying))
    const { client } = await it.home.start(environment)
    const job = await waitForJob(client, jobId)
    const run = await runOf(client, jobId)
    expect(run).toMatchObject({ end: 'land', recoveries: 1, visits: [{ tries: 1 }] })
    expect(await it.repository.git('show', `${job.workingBranch}:work.txt`)).toBe('late')
    const [name = ''] = (await readdir(it.memory)).filter((each) => each.endsWith('.jsonl'))
    const prompts = (await readFile(join(it.memory, name), 'utf8')).trimEnd().split('\n')
    expect(prompts.filter((prompt) => prompt.includes('Your time is over'))).toHaveLength(1)
  }, 120_000)

  it('goes to another agent once, if the daemon dies before the one without quota is stopped', async () => {
    const script = `echo other >> work.txt; ${answering({ summary: 'did it' })}`
    const other = { provider: 'command', command: ['/bin/sh', '-c', script] }
    const limited = deeds({ limitMs: 600_000, times: 9 }, say({ summary: 'never' }))
    const recover = { quota: ['substitute'] }
    const files = oneStage({ asks: limited }, { ...roles(['acp', 'other']), recover })
    await using it = await acpStage([], { files, agents: { other } })
    const dying = await it.home.start({ MUSTER_CRASH_AT: 'run.after-quota-stop:1' })
    const jobId = await startJob(dying.client, it.repository, SHORT)
    await until(() => dead(dying))
    const { client } = await it.home.start()
    const job = await waitForJob(client, jobId)
    const run = await runOf(client, jobId)
    expect(run).toMatchObject({ end: 'land', recoveries: 1, visits: [{ tries: 2 }] })
    expect(run.errors.map(({ code, action }) => [code, action])).toEqual([['RATE_LIMITED', 'substitute']])
    expect(await it.repository.git('show', `${job.workingBranch}:work.txt`)).toBe('other')
  }, 120_000)
})

it('tells the sender of a message once that nobody replied, if the deadline passes while no daemon runs', async () => {
  await using home = await quickHome()
  const gate = join(home.home, 'gate')
  const message = { type: 'send', to: 'person', body: 'which?', requiresResponse: true, deadline: '5s' }
  const developer = [
    `printf '%s' '${JSON.stringify(message)}' > "$MUSTER_OUTBOX/.new"`,
    'mv "$MUSTER_OUTBOX/.new" "$MUSTER_OUTBOX/1.json"',
    `until [ -e '${gate}' ]; do sleep 0.1; done`,
    WRITE,
  ].join('\n')
  await using repository = await testRepository({ ...runProject({ developer }), ...oneStage({}) })
  const dying = await home.start()
  const jobId = await startJob(dying.client, repository, SHORT)
  const sentIn = async (client: MusterClient) =>
    take(await client.listMessages({ job: jobId, limit: 100 })).items.filter(({ kind }) => kind === 'text')
  await until(async () => (await sentIn(dying.client)).length > 0)
  const [sent] = await sentIn(dying.client)
  await dying.kill()
  await until(() => Date.now() > Date.parse(sent?.deadline ?? ''))
  const second = await home.start()
  const isOverdue = async (client: MusterClient) =>
    (await sentIn(client)).some(({ id, overdueAt }) => id === sent?.id && overdueAt !== undefined)
  await until(() => isOverdue(second.client))
  await second.kill()
  const { client } = await home.start()
  await writeFile(gate, '')
  await waitForJob(client, jobId)
  expect(await endsOf(client, jobId)).toEqual(['land'])
  const notices = (await sentIn(client)).filter(({ inReplyTo }) => inReplyTo === sent?.id)
  expect(notices).toMatchObject([{ from: 'engine', subject: expect.stringContaining('No reply') }])
  const { items } = take(await client.listEvents(jobId, { limit: 500 }))
  expect(items.filter(({ type }) => type === 'message_overdue')).toHaveLength(1)
}, 120_000)
