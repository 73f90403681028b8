import { expect } from 'vitest'
import type { WireJob, WireTaskDetail } from '../../src/client/index.ts'
import { auditLandings } from './audit-landings.ts'
import { commitFile, type ShellTask } from './command-agents.ts'
import { tasksOf } from './run-job.ts'
import { take } from './take.ts'
import type { TestDaemon } from './test-daemon.ts'
import type { TestRepository } from './test-repository.ts'

/** How many tasks the job has: eleven that are planned, and one that a conflict makes necessary. */
const LONG_JOB_TASKS = 12

/** Waits until the other task has started as well, so that both start from the same commit. */
function together(shared: string, own: string, other: string): string {
  return `touch ${shared}/${own}; i=0; while [ ! -e ${shared}/${other} ] && [ $i -lt 300 ]; do i=$((i+1)); sleep 0.1; done`
}

/** The tasks of each cycle, and how their agents behave. Agents leave marks in `shared`, outside their trees. */
function stepsOf(shared: string): readonly (readonly ShellTask[])[] {
  return [
    [
      {
        description: 'lay the ground',
        script: commitFile('ground.txt', 'ground'),
        extra: { priority: 'P0' },
      },
      { description: 'build the wall', script: commitFile('wall.txt', 'wall'), extra: { dependsOn: [1] } },
      {
        description: 'paint the door red',
        script: `${together(shared, 'red', 'blue')}; ${commitFile('door.txt', 'red')}`,
      },
      {
        description: 'paint the door blue',
        script: `${together(shared, 'blue', 'red')}; ${commitFile('door.txt', 'blue')}`,
      },
      {
        description: 'lie about the window',
        script: `if [ "$MUSTER_ATTEMPT" = 1 ]; then echo '{"type":"result","summary":"all is done"}'; exit 0; fi; ${commitFile('window.txt', 'window')}`,
      },
    ],
    [
      { description: 'hang up the bell', script: commitFile('bell.txt', 'bell') },
      {
        description: 'climb and fall twice',
        script: `if [ "$MUSTER_ATTEMPT" -lt 3 ]; then echo "falling" >&2; kill -9 $$; fi; ${commitFile('ladder.txt', 'ladder')}`,
      },
      { description: 'plant a bug', script: commitFile('bug.txt', 'bug'), extra: { dependsOn: [1] } },
    ],
    [
      { description: 'lay the floor', script: commitFile('floor.txt', 'floor') },
      { description: 'raise the roof', script: commitFile('roof.txt', 'roof'), extra: { dependsOn: [1] } },
      { description: 'hoist the flag', script: commitFile('flag.txt', 'flag'), extra: { dependsOn: [1, 2] } },
    ],
  ]
}

const RESOLVE = `tip=$(grep -oE 'git merge [0-9a-f]{40}' "$MUSTER_PROMPT_FILE" | head -1 | cut -d' ' -f3)
git merge -q "$tip" || true
printf 'red and blue\\n' > door.txt; git add door.txt; git commit -q -m 'Paint it red and blue'`

/** A project for a job of three cycles, with a conflict, a flaky check, a false claim, a crash and a bug. */
export function longJobProject(shared: string): Readonly<Record<string, string>> {
  const cycles = stepsOf(shared)
  const answers = cycles.map((steps, index) => {
    const tasks = steps.map(({ description, extra }) => ({ description, files: [], ...extra }))
    return `if [ "$MUSTER_CYCLE" = ${index + 1} ]; then cat <<'END'\n${JSON.stringify({ type: 'result', tasks, done: false })}\nEND\nexit 0\nfi`
  })
  const done = { type: 'result', tasks: [], done: true, evidence: ['the flag is on the roof'] }
  const worker = cycles.flat().map(({ description, script }) => branch(`^${description}`, script))
  // The worker looks for a merge first, because the prompt of a merge quotes the descriptions of other tasks.
  return {
    'README.md': '# A house\n',
    'tools/planner.sh': `#!/bin/sh\n${answers.join('\n')}\ncat <<'END'\n${JSON.stringify(done)}\nEND\n`,
    'tools/worker.sh': `#!/bin/sh\nset -e\n${branch('^Merge the work of task', RESOLVE)}\n${worker.join('\n')}\nexit 9\n`,
    'tools/check.sh': `#!/bin/sh
if [ -e bug.txt ]; then echo "the house has a bug"; exit 1; fi
if [ -e bell.txt ] && mkdir ${shared}/rung 2>/dev/null; then echo "the bell was too loud"; exit 1; fi
`,
    'muster.yaml': JSON.stringify({
      version: 1,
      checks: ['sh tools/check.sh'],
      limits: { parallel: 4, maxAttempts: 3 },
      agents: {
        planner: { provider: 'command', command: ['/bin/sh', 'tools/planner.sh'], roles: ['planner'] },
        worker: { provider: 'command', command: ['/bin/sh', 'tools/worker.sh'], roles: ['worker'] },
      },
    }),
  }
}

function branch(pattern: string, script: string): string {
  return `if grep -q '${pattern}' "$MUSTER_PROMPT_FILE"; then\n${script}\nexit 0\nfi`
}

/** Expects every task, attempt and landing of the long job to have the right status and reason, and its files. */
export async function expectLongJobRight(
  daemon: TestDaemon,
  repository: TestRepository,
  job: WireJob,
): Promise<void> {
  const { client } = daemon
  const tasks = await tasksOf(client, job.id)
  const details = await Promise.all(tasks.map(async ({ id }) => take(await client.getTask(id))))
  expect(longJobFaults(job, details)).toEqual([])
  await auditLandings(client, repository, job)
  for (const file of ['ground', 'wall', 'window', 'bell', 'ladder', 'floor', 'roof', 'flag']) {
    expect(await repository.git('show', `${job.workingBranch}:${file}.txt`)).toBe(file)
  }
  expect(await repository.git('show', `${job.workingBranch}:door.txt`)).toBe('red and blue')
  expect(await repository.git('fsck', '--strict')).toBe('')
}

/** What is wrong with the ended job, in words. */
function longJobFaults(job: WireJob, tasks: readonly WireTaskDetail[]): readonly string[] {
  const faults: string[] = []
  const expectThat = (holds: boolean, what: string) => {
    if (!holds) faults.push(what)
  }
  const byName = (name: string) => tasks.find(({ description }) => description.includes(name))
  const outcomes = (task: WireTaskDetail | undefined) =>
    task?.attempts.map(({ outcome }) => outcome).join(' ')
  expectThat(job.status === 'completed', `the job is ${job.status}`)
  expectThat(job.reason === 'goal-reached', `the job ended because of ${job.reason}`)
  expectThat(tasks.length === LONG_JOB_TASKS, `there are ${tasks.length} tasks`)

  const doors = [byName('door red'), byName('door blue')]
  const blocked = doors.find((task) => task?.status === 'blocked')
  expectThat(
    doors.some((task) => task?.status === 'completed'),
    'neither door landed',
  )
  expectThat(
    blocked?.reason === 'conflicts in door.txt with work that landed earlier',
    `the other door: ${blocked?.reason}`,
  )
  expectThat((blocked?.suggestion ?? '') !== '', 'the conflict has no suggestion')
  const merged = tasks.find(({ origin }) => origin.type === 'conflict')
  expectThat(merged?.status === 'completed', `the conflict is ${merged?.status}`)
  expectThat(merged?.cycleNumber === 2, `the conflict was resolved in cycle ${merged?.cycleNumber}`)

  const liar = byName('lie about')
  expectThat(liar?.status === 'completed', `the liar's task is ${liar?.status}`)
  expectThat(outcomes(liar) === 'rejected accepted', `the liar's attempts: ${outcomes(liar)}`)
  expectThat(
    liar?.attempts[0]?.reason === 'the agent said it was done but changed nothing',
    `the lie: ${liar?.attempts[0]?.reason}`,
  )

  const climber = byName('climb and fall')
  expectThat(
    outcomes(climber) === 'rejected rejected accepted',
    `the climber's attempts: ${outcomes(climber)}`,
  )
  expectThat(climber?.retryCount === 2, `the climber's retries: ${climber?.retryCount}`)
  expectThat(
    climber?.attempts.slice(0, 2).every(({ reason }) => reason?.includes('signal') === true) === true,
    `the falls: ${climber?.attempts.map(({ reason }) => reason).join('; ')}`,
  )

  const bell = byName('hang up the bell')
  expectThat(
    tasks
      .flatMap(({ landings }) => landings)
      .some(({ status, checks }) => status === 'landed' && checks.some(({ isFlaky }) => isFlaky === true)),
    'no landing is marked as flaky',
  )
  expectThat(bell?.status === 'completed', `the bell is ${bell?.status}`)

  const bug = byName('plant a bug')
  expectThat(bug?.status === 'failed', `the bug is ${bug?.status}`)
  expectThat(
    bug?.reason?.startsWith('check "sh tools/check.sh"') === true,
    `the bug was refused because: ${bug?.reason}`,
  )
  for (const name of ['ground', 'wall', 'floor', 'roof', 'flag']) {
    const task = byName(`the ${name}`)
    expectThat(task?.status === 'completed', `the ${name} is ${task?.status}: ${task?.reason}`)
  }
  return faults
}
