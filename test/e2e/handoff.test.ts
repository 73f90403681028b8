import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MusterClient } from '../../src/client/index.ts'
import { type AcpStage, acpStage, take, workersOf, workerWhen } from '../support/acp-agent/acp-stage.ts'
import { type Deed, deeds } from '../support/acp-agent/deed.ts'
import { commit } from '../support/acp-project.ts'
import { until, waitForJob } from '../support/test-daemon.ts'

/** Hands over with the text of a file, which may tell the heir what to do. */
function handOver(note: string, more = ''): Deed {
  return { shell: `muster agent handoff - ${more} < "$ACP_MEMORY/${note}"` }
}

async function promptsOf(stage: AcpStage, providerSessionId: string | undefined): Promise<string> {
  return await readFile(join(stage.memory, `${providerSessionId}.jsonl`), 'utf8')
}

async function attemptsOf(client: MusterClient, jobId: string) {
  const [task] = take(await client.listTasks({ job: jobId })).items
  return take(await client.getTask(task?.id ?? '')).attempts
}

describe('a handoff', () => {
  it('passes a task on to a fresh self and to another agent, in one tree and on one branch', async () => {
    const finisher = [
      'grep -q "What is done: the second third" "$MUSTER_PROMPT_FILE" || exit 3',
      'grep -q "Next steps: the last third" "$MUSTER_PROMPT_FILE" || exit 4',
      'git branch --show-current > branch-3.txt',
      'git add -A && git commit -qm "Add all thirds"',
      `echo '{"type":"result","summary":"all thirds are done"}'`,
    ].join('\n')
    const first: readonly Deed[] = [
      { shell: 'echo one > one.txt; git branch --show-current > branch-1.txt' },
      // Whoever starts while this is alive sees it write.
      { shell: 'setsid sh -c "while :; do echo >> alive.log; sleep 0.02; done" > /dev/null 2>&1 &' },
      handOver('note-1', '--reason "it is too much for one"'),
    ]
    await using it = await acpStage([first], {
      agents: { finisher: { provider: 'command', command: ['sh', './finisher.sh'], roles: [] } },
      files: { 'finisher.sh': finisher },
    })
    const second: readonly Deed[] = [
      { shell: 'wc -l < alive.log > count-1.txt; sleep 0.5; wc -l < alive.log > count-2.txt' },
      { shell: 'rm alive.log; cp one.txt two.txt' },
      handOver('note-2', '--next "the last third" --to finisher'),
    ]
    await it.note('note-1', `The first third. ${deeds(...second)}`)
    await it.note('note-2', 'the second third')
    const { client } = await it.home.start()
    const jobId = await it.startJob(client)
    const job = await waitForJob(client, jobId)
    expect(job.status).toBe('completed')

    const workers = await workersOf(client, jobId)
    expect(workers.map(({ agent, ending }) => [agent, ending])).toEqual([
      ['acp', 'handed-over'],
      ['acp', 'handed-over'],
      ['finisher', 'done'],
    ])
    const [one, two, three] = workers
    for (const [left, heir] of [
      [one, two],
      [two, three],
    ]) {
      expect(Date.parse(heir?.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(left?.endedAt ?? ''))
    }
    expect(one?.end).toEqual({ type: 'handed-over', to: 'acp', reason: 'it is too much for one' })
    expect(await promptsOf(it, two?.providerSessionId)).toContain('Handed over to you')

    const attempts = await attemptsOf(client, jobId)
    expect(attempts).toHaveLength(1)
    expect(attempts[0]).toMatchObject({ outcome: 'accepted', agent: 'finisher', sessionId: three?.id })
    expect(attempts[0]?.handoffs).toMatchObject([
      { from: one?.id, fromAgent: 'acp', to: 'acp', reason: 'it is too much for one' },
      { from: two?.id, fromAgent: 'acp', to: 'finisher', nextSteps: 'the last third' },
    ])

    const show = (file: string) => it.repository.git('show', `${job.workingBranch}:${file}`)
    expect([await show('one.txt'), await show('two.txt')]).toEqual(['one', 'one'])
    expect(await show('branch-3.txt')).toBe(await show('branch-1.txt'))
    expect(Number(await show('count-1.txt'))).toBeGreaterThan(0)
    expect(await show('count-2.txt')).toBe(await show('count-1.txt'))
    const [task] = take(await client.listTasks({ job: jobId })).items
    expect(task).toMatchObject({ status: 'completed', retryCount: 0, resultSummary: 'all thirds are done' })
  })

  it('is asked of an agent whose context is nearly full, in the middle of its turn', async () => {
    await using it = await acpStage([
      [{ later: [handOver('note')] }, { shell: 'echo half > half.txt' }, { context: 90 }, { hang: true }],
    ])
    await it.note('note', deeds({ shell: 'git add -A && git commit -qm "Add half"' }, { say: 'done' }))
    const { client } = await it.home.start()
    const jobId = await it.startJob(client)
    const job = await waitForJob(client, jobId)
    expect(job.status).toBe('completed')
    const [full, heir] = await workersOf(client, jobId)
    expect(full).toMatchObject({ ending: 'handed-over', contextTokens: 90, contextWindow: 100 })
    expect(heir).toMatchObject({ ending: 'done' })
    expect(await promptsOf(it, full?.providerSessionId)).toContain('Your context is nearly full')
    expect(await it.repository.git('show', `${job.workingBranch}:half.txt`)).toBe('half')
  })

  it('left in the outbox as the last act of a turn counts before the end of that turn', async () => {
    await using it = await acpStage([
      [
        { shell: 'echo half > half.txt; cp "$ACP_MEMORY/letter" "$MUSTER_OUTBOX/.letter"' },
        { shell: 'mv "$MUSTER_OUTBOX/.letter" "$MUSTER_OUTBOX/letter.json"' },
      ],
    ])
    const summary = deeds({ shell: 'git add -A && git commit -qm "Add half"' }, { say: 'done' })
    await it.note('letter', JSON.stringify({ type: 'handoff', summary, nextSteps: ['commit', 'rest'] }))
    const { client } = await it.home.start()
    const jobId = await it.startJob(client)
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    const [left, heir] = await workersOf(client, jobId)
    expect([left?.ending, heir?.ending]).toEqual(['handed-over', 'done'])
  })

  it('to nobody there is refused, and the agent goes on itself', async () => {
    await using it = await acpStage([
      [
        { shell: 'muster agent handoff rest --to nobody 2> "$ACP_MEMORY/told" || echo $? > code.txt' },
        { shell: 'git add -A && git commit -qm "Add code"' },
        { say: 'done' },
      ],
    ])
    const { client } = await it.home.start()
    const jobId = await it.startJob(client)
    const job = await waitForJob(client, jobId)
    expect(job.status).toBe('completed')
    expect(await workersOf(client, jobId)).toHaveLength(1)
    expect(await it.left('told')).toContain('nobody')
    expect(await it.repository.git('show', `${job.workingBranch}:code.txt`)).toBe('2')
  })

  it('goes on when the daemon is killed as it is asked for, before the heir starts, and as it starts', async () => {
    const slow = [{ shell: 'echo half > half.txt' }, handOver('note'), { shell: 'sleep 1.5' }]
    await using it = await acpStage([slow])
    await it.note('note', deeds({ shell: 'git add -A' }, commit('rest.txt'), { say: 'done' }))
    // The planner's session is the first of each count, the one that hands over the second.
    const moments = [
      undefined,
      'talk.before-heir',
      'session-end.before-commit:2',
      'attempt-start.after-spawn:3',
    ]
    for (const moment of moments) {
      const dying = await it.home.start(moment === undefined ? {} : { MUSTER_CRASH_AT: moment })
      const jobId = await it.startJob(dying.client)
      if (moment === undefined) {
        await workerWhen(dying.client, jobId, 1, (session) => session.status === 'terminating')
        await dying.kill()
      } else {
        await once(dying.process, 'exit')
      }
      await using daemon = await it.home.start()
      const { client } = daemon
      const job = await waitForJob(client, jobId)
      expect(job.status).toBe('completed')
      const workers = await workersOf(client, jobId)
      expect(workers.map(({ ending, life }) => [ending, life])).toEqual([
        ['handed-over', 1],
        ['done', 1],
      ])
      expect(await promptsOf(it, workers[1]?.providerSessionId)).toContain('Handed over to you')
      const [attempt] = await attemptsOf(client, jobId)
      expect(attempt?.handoffs).toHaveLength(1)
      expect(await it.repository.git('show', `${job.workingBranch}:half.txt`)).toBe('half')
      await until(async () => take(await client.listSessions({ status: 'live' })).items.length === 0)
    }
  }, 180_000)
})
