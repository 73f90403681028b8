import type { WireJob } from '../../../client/index.ts'
import type { Hint } from '../../hint.ts'
import { safeLine } from '../text/safe-text.ts'

type Cast = Pick<
  WireJob,
  'worker' | 'workers' | 'planner' | 'reviewer' | 'playbook' | 'taskPlaybook' | 'passedOver'
>

/** Who works on a job, and which agents didn't get the work because they weren't ready. */
export function agentLine(job: Cast, hint: Hint): string {
  const { worker, workers = [worker], planner, reviewer, playbook, taskPlaybook, passedOver = [] } = job
  if (playbook !== undefined) return `${castLine(playbook)}${skippedWords(passedOver, hint)}`
  const roles = [
    ...(planner === undefined || planner === worker ? [] : [`planner: ${safeLine(planner)}`]),
    ...(reviewer === undefined || reviewer === worker ? [] : [`reviewer: ${safeLine(reviewer)}`]),
    ...(taskPlaybook === undefined ? [] : [`playbook of each task: ${playbookName(taskPlaybook)}`]),
  ]
  const names = safeLine(workers.join(', '))
  if (passedOver.length === 0) {
    return [`${workers.length === 1 ? 'agent' : 'agents'}: ${names}`, ...roles].join('; ')
  }
  const others = roles.length === 0 ? '' : ` (${roles.join('; ')})`
  const also = reviewer === worker ? ', also as the reviewer' : ''
  return `using ${names}${others}${also}: ${reasonWords(passedOver)} (${hint('muster doctor')})`
}

/** "reviewed: developer claude, reviewer codex", and what to know about that. */
function castLine({ cast, notes = [], ...playbook }: NonNullable<WireJob['playbook']>): string {
  const roles = Object.entries(cast).map(([role, [first = '']]) => `${role} ${first}`)
  return `${playbookName(playbook)}: ${safeLine([roles.join(', '), ...notes].join('; '))}`
}

/** Why an agent that the person may expect takes no role. */
function skippedWords(passedOver: NonNullable<Cast['passedOver']>, hint: Hint): string {
  return passedOver.length === 0 ? '' : `; not used: ${reasonWords(passedOver)} (${hint('muster doctor')})`
}

function playbookName({ name, from }: Pick<NonNullable<WireJob['playbook']>, 'name' | 'from'>): string {
  const origin = {
    repository: " (this repository's own)",
    person: ' (your own)',
    request: ' (sent with the goal)',
  }
  return safeLine(`${name}${from === undefined ? '' : origin[from]}`)
}

const WITHOUT_LOGIN = ' is not logged in'

/** Most reasons are missing logins, which are shorter in one sentence: "Claude Code and Codex are not logged in". */
function reasonWords(passedOver: NonNullable<Cast['passedOver']>): string {
  const reasons = passedOver.map(({ reason }) => safeLine(reason))
  const titles = reasons
    .filter((reason) => reason.endsWith(WITHOUT_LOGIN))
    .map((reason) => reason.slice(0, -WITHOUT_LOGIN.length))
  if (titles.length < 2) return reasons.join('; ')
  const login = `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)} are not logged in`
  return [login, ...reasons.filter((reason) => !reason.endsWith(WITHOUT_LOGIN))].join('; ')
}
