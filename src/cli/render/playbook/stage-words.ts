import type { WirePlaybook } from '../../../client/index.ts'
import { describeReference } from '../../../domain/playbook/reference.ts'
import { describeTarget } from '../../../domain/playbook/route.ts'
import { counted } from '../text/counted.ts'
import { safeLine } from '../text/safe-text.ts'

export type WireStage = WirePlaybook['stages'][string]
type RoleStage = Extract<WireStage, { type: 'role' }>
type Condition = NonNullable<Extract<WireStage, { type: 'gate' }>['condition']>
export type WireTarget = Extract<WireStage, { type: 'choose' }>['otherwise']

/** What a stage does, on one line. */
export function stageWords(stage: WireStage): string {
  switch (stage.type) {
    case 'role':
      return roleWords(stage)
    case 'checks':
      return `CHECKS of the project${stage.each === undefined ? '' : `, on each of "${stage.each}"`}`
    case 'gate': {
      const only = stage.condition === undefined ? '' : `, only if ${conditionWords(stage.condition)}`
      return `GATE: a person answers "${safeLine(stage.ask)}" within ${stage.hours} hours${only}`
    }
    case 'choose':
      return 'CHOICE by typed fields, without an agent'
    case 'playbook':
      return `PLAYBOOK ${stage.playbook}, as a run of its own`
  }
}

function roleWords({ role, output, minutes, fanOut }: RoleStage): string {
  return `${role}, output ${outputWord(output)}, ${minutes} min${fanOut === undefined ? '' : `, ${fanOutWords(fanOut)}`}`
}

/** As the playbook's file spells it. */
function outputWord(output: RoleStage['output']): string {
  if (output.type === 'schema') return safeLine(output.file)
  return output.isOptional === true ? `${output.format}?` : output.format
}

function fanOutWords(fanOut: NonNullable<RoleStage['fanOut']>): string {
  if (fanOut.type === 'each') return `once for each of "${fanOut.stage}"`
  if (fanOut.type === 'over')
    return `once for each of ${describeReference(fanOut.list)}, at most ${fanOut.max} times`
  const { count } = fanOut
  return typeof count === 'number' ? `${counted(count, 'time')} at once` : `${describeReference(count)} times`
}

export function conditionWords(condition: Condition): string {
  return condition
    .map(({ field, value }) => `${describeReference(field)} is ${safeLine(String(value))}`)
    .join(' and ')
}

export type StageExit = {
  /** The outcome; for a choice, its condition. */
  readonly outcome: string
  readonly to: WireTarget
  /** How often a run may leave this way, and where it leads from then on. */
  readonly limit?: { readonly max: number; readonly beyond: WireTarget }
}

export function stageExits(stage: WireStage): readonly StageExit[] {
  if (stage.type === 'choose') {
    const cases = stage.cases.map(({ condition, to }) => ({
      outcome: `if ${conditionWords(condition)}`,
      to,
    }))
    return [...cases, { outcome: 'otherwise', to: stage.otherwise }]
  }
  return Object.entries(stage.on).map(([outcome, route]) =>
    route.type === 'always'
      ? { outcome, to: route.to }
      : { outcome, to: route.to, limit: { max: route.max, beyond: route.beyond } },
  )
}

export function limitWords({ max, beyond }: NonNullable<StageExit['limit']>): string {
  return `up to ${counted(max, 'time')}, then ${describeTarget(beyond)}`
}
