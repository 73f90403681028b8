import { describe, expect, it } from 'vitest'
import { acpStage, workersOf } from '../support/acp-agent/acp-stage.ts'
import { type Deed, deeds } from '../support/acp-agent/deed.ts'
import { attemptsOf, handOver } from '../support/handoff.ts'
import { tasksOf } from '../support/run-job.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { waitForJob } from '../support/test-daemon.ts'

const shared = shareDaemon()

/** A repository for the shared daemon whose tasks are lists of deeds. */
const stage: typeof acpStage = (tasks, options) => acpStage(tasks, { ...options, home: shared.home })

describe('a handoff', () => {
  it('passes a task to a new session of the same agent and then to another agent, in one tree', async () => {
    const finisher = [
      'grep -q "What is done: the second third" "$MUSTER_PROMPT_FILE" || exit 3',
      'grep -q "Next steps: the last third" "$MUSTER_PROMPT_FILE" || exit 4',
      'git branch --show-current > branch-3.txt',
      'git add -A && git commit -qm "Add all thirds"',
      `echo '{"type":"result","summary":"all thirds are done"}'`,
    ].join('\n')
    const first: readonly Deed[] = [
      { shell: 'echo one > one.txt; git branch --show-current > branch-1.txt' },
      // A successor that starts while this runs sees the file grow.
      { shell: 'setsid sh -c "while :; do echo >> alive.log; sleep 0.02; done" > /dev/null 2>&1 &' },
      handOver('note-1', '--reason "it is too much for one"'),
    ]
    await using it = await stage([first], {
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
    const { client } = shared
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
    for (const [left, successor] of [
      [one, two],
      [two, three],
    ]) {
      expect(Date.parse(successor?.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(left?.endedAt ?? ''))
    }
    expect(one?.end).toEqual({ type: 'handed-over', to: 'acp', reason: 'it is too much for one' })
    expect(await it.promptsOf(two)).toContain('Handed over to you')

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
    const [task] = await tasksOf(client, jobId)
    expect(task).toMatchObject({ status: 'completed', retryCount: 0, resultSummary: 'all thirds are done' })
  })

  it("is requested in the middle of a turn if the agent's context is nearly full", async () => {
    await using it = await stage([
      [{ later: [handOver('note')] }, { shell: 'echo half > half.txt' }, { context: 90 }, { hang: true }],
    ])
    await it.note('note', deeds({ shell: 'git add -A && git commit -qm "Add half"' }, { say: 'done' }))
    const { client } = shared
    const jobId = await it.startJob(client)
    const job = await waitForJob(client, jobId)
    expect(job.status).toBe('completed')
    const [full, successor] = await workersOf(client, jobId)
    expect(full).toMatchObject({ ending: 'handed-over', contextTokens: 90, contextWindow: 100 })
    expect(successor).toMatchObject({ ending: 'done' })
    expect(await it.promptsOf(full)).toContain('Your context is nearly full')
    expect(await it.repository.git('show', `${job.workingBranch}:half.txt`)).toBe('half')
  })

  it('happens if the agent leaves it in the outbox just before its turn ends', async () => {
    await using it = await stage([
      [
        { shell: 'echo half > half.txt; cp "$ACP_MEMORY/message" "$MUSTER_OUTBOX/.message"' },
        { shell: 'mv "$MUSTER_OUTBOX/.message" "$MUSTER_OUTBOX/message.json"' },
      ],
    ])
    const summary = deeds({ shell: 'git add -A && git commit -qm "Add half"' }, { say: 'done' })
    await it.note('message', JSON.stringify({ type: 'handoff', summary, nextSteps: ['commit', 'rest'] }))
    const { client } = shared
    const jobId = await it.startJob(client)
    expect((await waitForJob(client, jobId)).status).toBe('completed')
    const [left, successor] = await workersOf(client, jobId)
    expect([left?.ending, successor?.ending]).toEqual(['handed-over', 'done'])
  })

  it('is refused if the named agent does not exist, and the session continues', async () => {
    await using it = await stage([
      [
        { shell: 'muster agent handoff rest --to nobody 2> "$ACP_MEMORY/error" || echo $? > code.txt' },
        { shell: 'git add -A && git commit -qm "Add code"' },
        { say: 'done' },
      ],
    ])
    const { client } = shared
    const jobId = await it.startJob(client)
    const job = await waitForJob(client, jobId)
    expect(job.status).toBe('completed')
    expect(await workersOf(client, jobId)).toHaveLength(1)
    expect(await it.left('error')).toContain('nobody')
    expect(await it.repository.git('show', `${job.workingBranch}:code.txt`)).toBe('2')
  })
})
