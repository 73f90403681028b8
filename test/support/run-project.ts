import type { MusterClient, WireEvent } from '../../src/client/index.ts'
import { take } from './take.ts'

/** What the agent of each role does, as shell lines. */
export type RoleScripts = Readonly<Record<string, string>>

const AGENT = ['set -e', 'case "$MUSTER_ROLE" in']

/** A project whose one agent plays every role of a playbook by its script. `round` counts its visits of the role. */
export function runProject(scripts: RoleScripts, settings: Readonly<Record<string, unknown>> = {}) {
  const cases = Object.entries(scripts).flatMap(([role, script]) => [`${role})`, script, ';;'])
  const agent = [...AGENT, ...cases, '*) echo "no script for $MUSTER_ROLE" >&2; exit 1 ;;', 'esac', '']
  return {
    'base.txt': 'base\n',
    'tools/agent.sh': agent.join('\n'),
    'muster.yaml': JSON.stringify({
      agents: {
        one: { provider: 'command', command: ['/bin/sh', 'tools/agent.sh'], roles: ['worker', 'planner'] },
        two: { provider: 'command', command: ['/bin/sh', 'tools/agent.sh'], roles: ['reviewer'] },
      },
      checks: ['test -f base.txt'],
      taskList: 'none',
      ...settings,
    }),
  }
}

/** A line that answers with these fields. */
export function answering(fields: object): string {
  return `echo '${JSON.stringify({ type: 'result', ...fields })}'`
}

/** Adds a line to a file, and says so. */
export const WRITE = `echo line >> work.txt; ${answering({ summary: 'wrote a line' })}`

export const APPROVED = answering({ verdict: 'APPROVED', summary: 'good', issues: [] })

export const REVISION = answering({
  verdict: 'NEEDS_REVISION',
  summary: 'one more line',
  issues: [
    { severity: 'major', location: 'work.txt', issue: 'too short', suggestion: 'write one more line' },
  ],
})

/** Every stage that a job's run ended, with its outcome, in their order. */
export async function outcomesOf(client: MusterClient, jobId: string): Promise<readonly string[]> {
  const { items } = take(await client.listEvents(jobId, { limit: 500 }))
  return items.flatMap((event: WireEvent) =>
    event.type === 'stage_ended' ? [`${event.data.stage}: ${event.data.outcome}`] : [],
  )
}

/** How each run of a job ended. */
export async function endsOf(client: MusterClient, jobId: string): Promise<readonly string[]> {
  const { items } = take(await client.listEvents(jobId, { limit: 500 }))
  return items.flatMap((event: WireEvent) => (event.type === 'run_ended' ? [event.data.end] : []))
}
