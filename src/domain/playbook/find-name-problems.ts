import { eachOf } from './each-of.ts'
import { hasFormat, hasUnknownFormat } from './has-format.ts'
import { outcomesOf } from './outcomes-of.ts'
import { OUTPUT_SCHEMAS } from './output-format.ts'
import type { Playbook } from './playbook.ts'
import { type PlaybookProblem, unknownName } from './playbook-problem.ts'
import { RUN_WORDS } from './reference.ts'
import type { RoleStage, Stage } from './stage.ts'
import { exitsOf } from './stage-graph.ts'

/** Names of roles, stages, outcomes and formats that don't exist, and outcomes that lead nowhere. */
export function findNameProblems(playbook: Playbook): readonly PlaybookProblem[] {
  const stages = Object.entries(playbook.stages)
  const names = stages.map(([name]) => name)
  return [
    ...(names.includes(playbook.start)
      ? []
      : [{ path: ['start'], problem: unknownName('stage', playbook.start, names) }]),
    ...Object.keys(playbook.roles).flatMap((role) => problemsOfRole(playbook, role)),
    ...stages.flatMap(([name, stage]) =>
      [
        ...problemsOfTargets(stage, names),
        ...problemsOfOutcomes(stage),
        ...(stage.type === 'role' ? problemsOfRoleStage(playbook, stage, names) : []),
        ...problemsOfEach(stage, playbook),
        ...problemsOfChild(stage, playbook),
        ...(isWord(name)
          ? [{ path: [], problem: `can't be the name of a stage: it has a meaning of its own` }]
          : []),
      ].map(({ path, problem }) => ({ path: ['stages', name, ...path], problem })),
    ),
  ]
}

function problemsOfRole({ roles }: Playbook, name: string): readonly PlaybookProblem[] {
  const unlike = roles[name]?.unlike
  if (unlike === undefined) return []
  const path = ['roles', name, 'unlike']
  if (unlike === name) return [{ path, problem: 'names its own role; a role can only differ from another' }]
  return Object.hasOwn(roles, unlike)
    ? []
    : [{ path, problem: unknownName('role', unlike, Object.keys(roles)) }]
}

function problemsOfTargets(stage: Stage, names: readonly string[]): readonly PlaybookProblem[] {
  return exitsOf(stage).flatMap(({ target, path }) =>
    target.type === 'end' || names.includes(target.stage)
      ? []
      : [{ path, problem: unknownName('stage', target.stage, names) }],
  )
}

/** Every outcome has a route and every route an outcome, as the cases of a switch do. */
function problemsOfOutcomes(stage: Stage): readonly PlaybookProblem[] {
  if (stage.type === 'choose') return []
  if (hasUnknownFormat(stage) && stage.type === 'role' && stage.fanOut === undefined) return []
  const outcomes: readonly string[] = outcomesOf(stage)
  const routed = Object.keys(stage.on)
  return [
    ...outcomes
      .filter((outcome) => !routed.includes(outcome))
      .map((outcome) => ({ path: ['on'], problem: `the outcome "${outcome}" has no route; add one` })),
    ...routed
      .filter((outcome) => !outcomes.includes(outcome))
      .map((outcome) => ({
        path: ['on', outcome],
        problem: unknownName('outcome', outcome, outcomes),
      })),
  ]
}

function problemsOfRoleStage(
  { roles }: Playbook,
  stage: RoleStage,
  names: readonly string[],
): readonly PlaybookProblem[] {
  const { role, output, keeps, from, fanOut } = stage
  const problems: PlaybookProblem[] = []
  const known = Object.keys(roles)
  if (!known.includes(role)) problems.push({ path: ['role'], problem: unknownName('role', role, known) })
  const isUnknown = hasUnknownFormat(stage)
  if (isUnknown && output.type === 'shipped') {
    const formats = Object.keys(OUTPUT_SCHEMAS)
    problems.push({ path: ['output'], problem: unknownName('format', output.format, formats) })
  }
  const mode = roles[role]?.mode
  const makesChange = hasFormat(output, 'change')
  if (!isUnknown && mode !== undefined && makesChange !== (mode === 'write')) {
    const problem = makesChange
      ? `the role "${role}" can't write, so it can't make a change`
      : `the role "${role}" writes, so its output must be "change" or "change?"`
    problems.push({ path: ['output'], problem })
  }
  if (output.type === 'shipped' && output.isOptional === true && fanOut !== undefined) {
    const problem = 'must be "change" in a stage with several visits at once, because each is a candidate'
    problems.push({ path: ['output'], problem })
  }
  const unknown = [keeps ?? []].flat().filter((kept) => !names.includes(kept))
  problems.push(...unknown.map((kept) => ({ path: ['keeps'], problem: unknownName('stage', kept, names) })))
  if (from.type === 'best' && !names.includes(from.stage)) {
    problems.push({ path: ['from'], problem: unknownName('stage', from.stage, names) })
  }
  return problems
}

/** A playbook that runs itself would start runs without end. */
function problemsOfChild(stage: Stage, { name }: Playbook): readonly PlaybookProblem[] {
  if (stage.type !== 'playbook' || stage.playbook !== name) return []
  return [{ path: ['playbook'], problem: "a playbook can't run itself; name another one" }]
}

function isWord(name: string): boolean {
  return RUN_WORDS.some((word) => word === name)
}

/** `each` takes up the work of a stage that made several pieces of it. */
function problemsOfEach(stage: Stage, { stages }: Playbook): readonly PlaybookProblem[] {
  const each = eachOf(stage)
  if (each === undefined) return []
  const source = stages[each]
  if (source === undefined || !Object.hasOwn(stages, each)) {
    return [{ path: ['each'], problem: unknownName('stage', each, Object.keys(stages)) }]
  }
  const isFanOut = source.type === 'role' && source.fanOut !== undefined
  return isFanOut ? [] : [{ path: ['each'], problem: `the stage "${each}" doesn't fan out` }]
}
