import type { Playbook } from '../playbook/playbook.ts'
import type { ChildStage, Scalar } from '../playbook/stage.ts'
import { type Result, success } from '../result.ts'
import { readInputs } from './read-inputs.ts'
import type { RunInputs } from './run.ts'
import { findValue, type RunFacts } from './run-values.ts'

export type ChildInputs = { readonly goal: string; readonly inputs: RunInputs }

/**
 * What a child run is given: the values that its stage refers to. Answers are given as text. Whatever has no value, such
 * as an optional reference to a stage that has not run, is left to the other playbook's default.
 */
export function readChildInputs(
  playbook: Pick<Playbook, 'inputs' | 'stages'>,
  stage: Pick<ChildStage, 'inputs'>,
  facts: RunFacts,
  asText: (value: unknown) => string,
): Result<ChildInputs, string> {
  const given: Record<string, Scalar> = {}
  for (const [name, reference] of Object.entries(stage.inputs)) {
    const value = findValue(facts, reference)
    if (value !== undefined && value !== null) given[name] = isScalar(value) ? value : asText(value)
  }
  const { goal = facts.goal, ...others } = given
  const inputs = readInputs(playbook, others)
  return inputs.ok ? success({ goal: String(goal), inputs: inputs.value }) : inputs
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
