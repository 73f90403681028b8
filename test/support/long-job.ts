import type { WireJob, WireTaskDetail } from '../../src/client/index.ts'
import { commitFile } from './command-agents.ts'

/** How many tasks the job has in all: eleven that are planned, and one that a conflict makes necessary. */
export const LONG_JOB_TASKS = 12

/** Waits until the other one has begun as well, so that both work on the same commit. */
function together(shared: string, own: string, other: string): string {
  return `touch ${shared}/${own}; i=0; while [ ! -e ${shared}/${other} ] && [ $i -lt 300 ]; do i=$((i+1)); sleep 0.1; done`
}

type Step = { readonly description: string; readonly script: string; readonly extra?: object }

/** What is planned in each cycle, and how the agents behave. `shared` is where they leave marks outside of trees. */
function stepsOf(shared: string): readonly (readonly Step[])[] {
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

/** A repository for a job of three cycles with a conflict, a flaky check, a liar, one that dies, and a bug. */
export function longJobProject(shared: string): Readonly<Record<string, string>> {
  const cycles = stepsOf(shared)
  const answers = cycles.map((steps, index) => {
    const tasks = steps.map(({ description, extra }) => ({ description, files: [], ...extra }))
    return `if [ "$MUSTER_CYCLE" = ${index + 1} ]; then cat <<'END'\n${JSON.stringify({ type: 'result', tasks, done: false })}\nEND\nexit 0\nfi`
  })
  const done = { type: 'result', tasks: [], done: true, evidence: ['the flag is on the roof'] }
  const worker = [
    ...cycles.flat(),
    // After those above: its prompt tells of what it merges, hence of their descriptions.
  ].map(({ description, script }) => branch(`^${description}`, script))
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

/** What every row must say when the job is over, in words. Gives what is not so. */
export function longJobFaults(job: WireJob, tasks: readonly WireTaskDetail[]): readonly string[] {
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
    blocked?.reason === 'conflicts with what landed before it in door.txt',
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
    liar?.attempts[0]?.reason === 'the agent said it was done and changed nothing',
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
