import { failure, type Result, success } from '../result.ts'
import type { Playbook } from './playbook.ts'
import { unknownName } from './playbook-problem.ts'
import { describeTarget, routeOf, type Target } from './route.ts'
import type { Stage } from './stage.ts'

/** What a fork changes about the playbook of the run that it continues. */
export type PlaybookEdit = {
  /** The texts of prompts, by the stages that use them instead of their role's. */
  readonly prompts: Readonly<Record<string, string>>
  /** The names of agents, by the roles that they alone take. */
  readonly agents: Readonly<Record<string, string>>
  /** The stages to leave out. */
  readonly skip: readonly string[]
}

type Files = Readonly<Record<string, string>>

export type EditedPlaybook = { readonly playbook: Playbook; readonly files: Files }

/** Changes a playbook as a person asks for, or says in a sentence why that makes no sense. */
export function editPlaybook(
  { playbook, files }: EditedPlaybook,
  { prompts, agents, skip }: PlaybookEdit,
): Result<EditedPlaybook, string> {
  const problems = [
    ...Object.keys(prompts).map((stage) => promptProblem(playbook, stage)),
    ...Object.keys(agents).map((role) => problemOfName('role', role, playbook.roles)),
    ...skip.map((stage) => skipProblem(playbook, stage)),
  ]
  const problem = problems.find((one) => one !== undefined)
  if (problem !== undefined) return failure(problem)
  return success({
    playbook: {
      ...playbook,
      roles: mapValues(playbook.roles, (role, name) =>
        agents[name] === undefined ? role : { ...role, agents: [agents[name]] },
      ),
      stages: mapValues(playbook.stages, (stage, name) =>
        prompts[name] === undefined ? stage : { ...stage, prompt: promptFile(name) },
      ),
      ...(skip.length === 0 ? {} : { skipped: [...new Set([...(playbook.skipped ?? []), ...skip])] }),
    },
    files: {
      ...files,
      ...Object.fromEntries(Object.entries(prompts).map(([stage, text]) => [promptFile(stage), text])),
    },
  })
}

/** No file of a playbook's folder has such a name. */
function promptFile(stage: string): string {
  return `fork:${stage}`
}

function problemOfName(what: 'role' | 'stage', name: string, known: object): string | undefined {
  return Object.hasOwn(known, name) ? undefined : unknownName(what, name, Object.keys(known))
}

function promptProblem({ stages }: Playbook, name: string): string | undefined {
  const unknown = problemOfName('stage', name, stages)
  if (unknown !== undefined) return unknown
  return stages[name]?.type === 'role'
    ? undefined
    : `no agent works in the stage ${name}, so it has no prompt`
}

/** A stage can be left out if its routes lead on, or to an end with work, when it fails. */
function skipProblem({ stages }: Playbook, name: string): string | undefined {
  const unknown = problemOfName('stage', name, stages)
  const stage = stages[name]
  if (unknown !== undefined || stage === undefined) return unknown
  const cannot = `the stage ${name} can't be left out`
  if (stage.type === 'choose') return `${cannot}: it only decides where the run goes`
  if (stage.type === 'checks') return `${cannot}: work must be checked before it lands`
  const target = targetOf(stage)
  if (target === undefined)
    return `${cannot}: a person decides there, and the playbook has no route for \`skipped\``
  const isLost = target.type === 'end' && target.end === 'failed'
  return isLost ? `${cannot}: without its result, the playbook leads to ${describeTarget(target)}` : undefined
}

function targetOf(stage: Exclude<Stage, { type: 'choose' | 'checks' }>): Target | undefined {
  if (stage.type === 'gate') return routeOf(stage.on, 'skipped')?.to
  const outcome = stage.type === 'role' && stage.fanOut !== undefined ? 'none' : 'failed'
  return routeOf(stage.on, outcome)?.to
}

function mapValues<Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}
