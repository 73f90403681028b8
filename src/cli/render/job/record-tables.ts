import type {
  WireAgentList,
  WireJobSummary,
  WireProject,
  WireProvider,
  WireTask,
} from '../../../client/index.ts'
import { startWaitWords } from '../session/session-words.ts'
import { taskLabel } from '../task/task-label.ts'
import type { Look } from '../text/look.ts'
import type { Paint } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'
import { table } from '../text/table.ts'
import { TASK_TONES } from './job-summary.ts'
import { activeTime, jobStanding, jobTone } from './job-words.ts'

const TITLE_LIMIT = 60
const USER_LIMIT = 16

/** `isPart`: only some were asked for, so that none does not mean that there are none. */
export function jobTable(jobs: readonly WireJobSummary[], look: Look, isPart = false): readonly string[] {
  if (jobs.length === 0 && isPart) return ['no job matches']
  if (jobs.length === 0)
    return [`no jobs yet; start one with: ${look.hint('muster run "what you want done"')}`]
  return table(
    ['JOB', 'STATUS', 'CYCLE', 'TIME', 'USER', 'REPOSITORY', 'GOAL'],
    jobs.map((job) => [
      job.id,
      look.paint(jobTone(job), jobStanding(job)),
      String(job.currentCycle),
      activeTime(job),
      safeLine(job.userId, USER_LIMIT),
      safeLine(job.repositoryName),
      safeLine(job.title, TITLE_LIMIT),
    ]),
    { columns: look.columns, optional: ['USER', 'REPOSITORY', 'CYCLE', 'TIME'] },
  )
}

/** Tasks of `one` job, or of `all` of them, with a column that says of which. */
export function taskTable(
  tasks: readonly WireTask[],
  now: Date,
  look: Look,
  of: 'one' | 'all',
): readonly string[] {
  if (tasks.length === 0) return ['no tasks']
  return table(
    ['TASK', 'NAME', ...(of === 'all' ? ['JOB'] : []), 'STATUS', 'PRIORITY', 'DESCRIPTION'],
    tasks.map((task) => [
      task.id,
      taskLabel(task),
      ...(of === 'all' ? [task.jobId] : []),
      look.paint(TASK_TONES[task.status], task.status),
      task.priority,
      [
        safeLine(task.description, TITLE_LIMIT),
        ...(task.waiting === undefined ? [] : [startWaitWords(task.waiting, now)]),
      ].join(' | '),
    ]),
    { columns: look.columns, optional: ['PRIORITY', 'JOB'] },
  )
}

export function projectTable(projects: readonly WireProject[]): readonly string[] {
  if (projects.length === 0) return ['no projects yet']
  return table(
    ['PROJECT', 'NAME', 'PATH'],
    projects.map((project) => [project.id, safeLine(project.name), safeLine(project.path)]),
  )
}

export function agentTable(configured: WireAgentList): readonly string[] {
  if (configured.agents.length === 0)
    return [
      'no agents are configured: the first installed agent program is used',
      '  which are installed:  muster doctor',
      '  choose yourself:      muster init, which writes muster.yaml',
    ]
  return table(
    ['AGENT', 'PROVIDER', 'ROLES', 'PLANS'],
    configured.agents.map((agent) => [
      safeLine(agent.name),
      safeLine(agent.provider),
      safeLine(agent.roles.join(', ')),
      agent.name === configured.planner ? 'yes' : '',
    ]),
  )
}

export function providerTable(providers: readonly WireProvider[], paint: Paint): readonly string[] {
  return table(
    ['PROVIDER', 'HERE', ''],
    providers.map(({ id, availability }) =>
      availability.type === 'available'
        ? [id, paint('good', 'yes'), safeLine(availability.version)]
        : [id, paint('warn', 'no'), safeLine(availability.install)],
    ),
  )
}
