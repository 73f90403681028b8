import type {
  WireAgentList,
  WireJobSummary,
  WireProject,
  WireProvider,
  WireTask,
} from '../../../client/index.ts'
import { taskName } from '../../../domain/task/task-name.ts'
import { AGENT_EXAMPLES } from '../../init/agent-examples.ts'
import { startWaitWords } from '../session/session-words.ts'
import type { Display } from '../text/display.ts'
import { elapsed } from '../text/elapsed.ts'
import { safeLine } from '../text/safe-text.ts'
import { table } from '../text/table.ts'
import { TASK_TONES } from './job-summary.ts'
import { jobStanding, jobTimeMs, jobTone } from './job-words.ts'

const TITLE_LIMIT = 100
const USER_LIMIT = 16

/** `isPart`: the list is filtered, so an empty list doesn't mean that there are no jobs. */
export function jobTable(
  jobs: readonly WireJobSummary[],
  now: Date,
  display: Display,
  isPart = false,
): readonly string[] {
  if (jobs.length === 0 && isPart) return ['no job matches']
  if (jobs.length === 0)
    return [`no jobs yet; start one with: ${display.hint('muster run "what you want done"')}`]
  return table(
    ['JOB', 'STATUS', 'CYCLE', 'TIME', 'USER', 'REPOSITORY', 'GOAL'],
    jobs.map((job) => [
      display.shortId(job.id),
      display.paint(jobTone(job), jobStanding(job)),
      String(job.currentCycle),
      elapsed(jobTimeMs(job, now)),
      safeLine(job.userId, USER_LIMIT),
      safeLine(job.repositoryName),
      safeLine(job.title, TITLE_LIMIT),
    ]),
    { columns: display.columns, optional: ['USER', 'REPOSITORY', 'CYCLE', 'TIME'] },
  )
}

/** Tasks of `one` job, or of `all` jobs, with a column for the job. */
export function taskTable(
  tasks: readonly WireTask[],
  now: Date,
  display: Display,
  of: 'one' | 'all',
): readonly string[] {
  if (tasks.length === 0) return ['no tasks']
  return table(
    ['TASK', 'NAME', ...(of === 'all' ? ['JOB'] : []), 'STATUS', 'PRIORITY', 'DESCRIPTION'],
    tasks.map((task) => [
      display.shortId(task.id),
      taskName(task),
      ...(of === 'all' ? [display.shortId(task.jobId)] : []),
      display.paint(TASK_TONES[task.status], task.status),
      task.priority,
      [
        safeLine(task.description, TITLE_LIMIT),
        ...(task.waiting === undefined ? [] : [startWaitWords(task.waiting, now)]),
      ].join(' | '),
    ]),
    { columns: display.columns, optional: ['PRIORITY', 'JOB'] },
  )
}

export function projectTable(projects: readonly WireProject[], display: Display): readonly string[] {
  if (projects.length === 0) return ['no projects yet']
  return table(
    ['PROJECT', 'NAME', 'PATH'],
    projects.map((project) => [display.shortId(project.id), safeLine(project.name), safeLine(project.path)]),
  )
}

export function agentTable(configured: WireAgentList): readonly string[] {
  if (configured.agents.length === 0)
    return [
      'no agents are configured: the first installed agent program is used',
      '  see what is installed:  muster doctor',
      '  configure agents:       muster init, which writes muster.yaml',
    ]
  return table(
    ['AGENT', 'PROVIDER', 'ROLES', 'PLANNER'],
    configured.agents.map((agent) => [
      safeLine(agent.name),
      safeLine(agent.provider),
      safeLine(agent.roles.join(', ')),
      agent.name === configured.roles['planner']?.[0] ? 'yes' : '',
    ]),
  )
}

/** The programs that can be agents. A provider that isn't one program is shown only if an agent uses it. */
export function providerTable(
  providers: readonly WireProvider[],
  { agents }: Pick<WireAgentList, 'agents'>,
  { paint, columns }: Pick<Display, 'paint' | 'columns'>,
): readonly string[] {
  const used = [...AGENT_EXAMPLES, ...agents].map(({ provider }) => provider)
  const shown = providers.filter(({ id }) => used.includes(id))
  return table(
    ['PROVIDER', 'INSTALLED', ''],
    shown.map(({ id, availability, readiness }) => {
      if (availability.type !== 'available') return [id, paint('warn', 'no'), safeLine(availability.install)]
      const problem = readiness?.type === 'unready' ? `: ${safeLine(readiness.reason)}` : ''
      return [
        id,
        paint(problem === '' ? 'good' : 'warn', 'yes'),
        `${safeLine(availability.version)}${problem}`,
      ]
    }),
    { columns },
  )
}
