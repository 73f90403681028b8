import type { Playbook, PlaybookInput } from '../playbook/playbook.ts'
import { routeOf } from '../playbook/route.ts'
import type { ChooseStage, Condition, GateStage, Stage } from '../playbook/stage.ts'
import { edgesOf, reachableFrom } from '../playbook/stage-graph.ts'
import type { RunInputs } from '../run/run.ts'

/** The playbook as far as a run with these inputs can follow it: without the ways that they rule out. */
export function withInputs(playbook: Playbook, given: RunInputs): Playbook {
  const inputs = Object.fromEntries(
    Object.entries(playbook.inputs).map(([name, input]) => [name, fixed(input, given[name])]),
  )
  const decided = Object.fromEntries(
    Object.entries(playbook.stages).map(([name, stage]) => [name, decide(stage, given)]),
  )
  const reached = reachableFrom(edgesOf({ stages: decided }), [playbook.start])
  const stages = Object.fromEntries(Object.entries(decided).filter(([name]) => reached.has(name)))
  return { ...playbook, inputs, stages }
}

/** The outcomes of a stage that these inputs leave; undefined if they leave all. */
export function outcomesLeft(stage: Stage, given: RunInputs): readonly string[] | undefined {
  if (stage.type === 'choose') return casesLeft(stage, given)
  if (stage.type !== 'gate' || stage.condition === undefined) return undefined
  const asks = truthOf(stage.condition, given)
  if (asks === undefined) return undefined
  return asks ? Object.keys(stage.on).filter((outcome) => outcome !== 'skipped') : ['skipped']
}

function fixed(input: PlaybookInput, value: RunInputs[string] | undefined): PlaybookInput {
  if (input.type !== 'number' || typeof value !== 'number') return input
  return { ...input, min: value, max: value }
}

function decide(stage: Stage, given: RunInputs): Stage {
  if (stage.type === 'choose') return decideCases(stage, given)
  return stage.type === 'gate' ? decideGate(stage, given) : stage
}

function decideCases(stage: ChooseStage, given: RunInputs): ChooseStage {
  const left = casesLeft(stage, given)
  const cases = stage.cases.filter((_, index) => left.includes(String(index)))
  if (left.includes('else')) return { ...stage, cases }
  const last = cases.at(-1)
  return { ...stage, cases: cases.slice(0, -1), otherwise: last?.to ?? stage.otherwise }
}

function decideGate(stage: GateStage, given: RunInputs): GateStage {
  const left = outcomesLeft(stage, given)
  if (left === undefined) return stage
  const on = left.flatMap((outcome) => {
    const route = routeOf(stage.on, outcome)
    return route === undefined ? [] : [[outcome, route] as const]
  })
  return { ...stage, on: Object.fromEntries(on) }
}

/** The cases that can be taken, up to the first that certainly holds. */
function casesLeft({ cases }: ChooseStage, given: RunInputs): readonly string[] {
  const values = cases.map(({ condition }) => truthOf(condition, given))
  const certain = values.indexOf(true)
  const open = values.flatMap((value, index) =>
    value === undefined && (certain < 0 || index < certain) ? [String(index)] : [],
  )
  return [...open, certain < 0 ? 'else' : String(certain)]
}

/** Whether a condition holds, as far as inputs alone decide it. */
function truthOf(condition: Condition, given: RunInputs): boolean | undefined {
  const parts = condition.map(({ field: { of, field = '' }, value }) =>
    of === 'inputs' ? given[field] === value : undefined,
  )
  if (parts.includes(false)) return false
  return parts.includes(undefined) ? undefined : true
}
