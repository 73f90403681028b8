import { resolve } from 'node:path'
import { type Deed, deeds } from '../support/acp-agent/deed.ts'
import { commit } from '../support/acp-project.ts'
import { APPROVE } from '../support/reviewed-project.ts'

const ACP_AGENT = resolve(import.meta.dirname, '../support/acp-agent/acp-agent.ts')

/** Leaves the address, token and outbox of its session for the test, and then waits. */
const leaveKey = (name: string): readonly Deed[] => [
  { shell: `printf '%s\\n' "$MUSTER_URL" "$MUSTER_TOKEN" "$MUSTER_OUTBOX" > "$ACP_MEMORY/${name}.key"` },
  { hang: true },
]

/** The tasks of the scripted ACP agent, by the word after `plan:` in the goal. */
const PLANS: Readonly<Record<string, readonly (readonly Deed[])[]>> = {
  'one-request': [[{ ask: 'true' }, commit('one.txt')]],
  'four-requests': ['one', 'two', 'three', 'four'].map((name) => [{ ask: `echo ${name}` }, commit(name)]),
  'two-agents': [leaveKey('first'), leaveKey('second')],
}

/** A goal whose planner takes longer than the test. */
export const SLOW_GOAL = 'plan:slow'

const PLANNER = [
  `plan=$(sed -n 's/.*plan:\\([a-z-]*\\).*/\\1/p' "$MUSTER_PROMPT_FILE" | head -n 1)`,
  'if [ "$plan" = slow ]; then echo thinking; exec sleep 600; fi',
  'if [ "$MUSTER_CYCLE" != 1 ]; then plan=done; fi',
  'cat "plans/$plan.json" || cat plans/two-files.json',
].join('\n')

/** Does the tasks of goals that name no plan. */
const BUILDER = [
  `name=$(sed -n 's/^.*Write \\([a-z]*.txt\\).*/\\1/p' "$MUSTER_PROMPT_FILE" | head -n 1)`,
  'echo "writing $name"; echo "$name" > "$name"; git add "$name"; git commit -q -m "Add $name"',
].join('\n')

const SCREEN = `printf 'welcome to the screen'; while IFS= read -r line; do echo "$line"; done`

/** The files of a repository in which commands run. `claude` is the scripted ACP agent, `builder` a shell script. */
export function exampleProject(
  memory: string,
  worker: 'builder' | 'claude',
): Readonly<Record<string, string>> {
  const configuration = {
    version: 1,
    checks: ['test -f README.md'],
    agents: {
      claude: {
        provider: 'acp',
        command: [process.execPath, ACP_AGENT],
        permissions: 'ask',
        env: { ACP_MEMORY: memory },
      },
      builder: { provider: 'command', command: ['sh', 'tools/builder.sh'], roles: ['worker'] },
      scheduler: { provider: 'command', command: ['sh', 'tools/planner.sh'], roles: ['planner'] },
      critic: { provider: 'command', command: ['sh', 'tools/reviewer.sh'], roles: ['reviewer'] },
      screen: { provider: 'command', command: ['sh', 'tools/screen.sh'], roles: ['worker'] },
    },
    planner: { agent: 'scheduler' },
    roles: { worker: { agent: worker }, reviewer: { agent: 'critic' } },
  }
  const done = { type: 'result', tasks: [], done: true, evidence: ['the files are there'] }
  const plans = Object.entries(PLANS).map(([name, tasks]) => [
    `plans/${name}.json`,
    planOf(tasks.map((list, index) => `Task ${index + 1}. ${deeds(...list)}`)),
  ])
  return {
    'README.md': '# Example\n',
    'GOAL.md': 'Have two files.\n',
    'notes.md': 'Please look at the parser.\n',
    'tools/planner.sh': PLANNER,
    'tools/builder.sh': BUILDER,
    'tools/reviewer.sh': APPROVE,
    'tools/screen.sh': SCREEN,
    'plans/done.json': JSON.stringify(done),
    'plans/two-files.json': planOf(['Write one.txt', 'Write two.txt']),
    ...Object.fromEntries(plans),
    'muster.yaml': JSON.stringify(configuration),
  }
}

function planOf(descriptions: readonly string[]): string {
  const tasks = descriptions.map((description) => ({
    description,
    files: [],
    parallel: true,
    priority: 'P1',
  }))
  return JSON.stringify({ type: 'result', tasks, reasoning: 'needed', blockers: [], done: false })
}

/** The deed of a session's prompt that keeps its turn open until it is interrupted. */
export const HANG = deeds({ say: 'on it' }, { hang: true })

/** A goal whose planner is the scripted ACP agent and ends the job at once. */
export const DONE_AT_ONCE = deeds({
  say: JSON.stringify({ type: 'result', tasks: [], done: true, evidence: ['it is'] }),
})
