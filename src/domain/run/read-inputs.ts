import { closestWord } from '../closest-word.ts'
import type { Playbook, PlaybookInput } from '../playbook/playbook.ts'
import type { Scalar } from '../playbook/stage.ts'
import { failure, type Result, success } from '../result.ts'
import type { RunInputs } from './run.ts'

type Declared = Pick<Playbook, 'inputs' | 'stages'>

/** The inputs of a run: those that were given, and the defaults of the others. A failure is one sentence. */
export function readInputs(
  { inputs, stages }: Declared,
  given: Readonly<Record<string, Scalar>>,
): Result<RunInputs, string> {
  const unknown = Object.keys(given).find((name) => name === 'goal' || !Object.hasOwn(inputs, name))
  if (unknown !== undefined) return failure(unknownInput(unknown, Object.keys(inputs)))
  const read: Record<string, Scalar> = {}
  for (const [name, input] of Object.entries(inputs)) {
    const wanted = Object.hasOwn(given, name) ? given[name] : input.default
    if (name === 'goal' || (wanted === undefined && !input.isRequired)) continue
    if (wanted === undefined) return failure(`the input "${name}" is required`)
    const isWhole = countsBranches(stages, name)
    const value = readInput(input, wanted, isWhole)
    if (value === undefined) return failure(`the input "${name}" must be ${kindOf(input, isWhole)}`)
    read[name] = value
  }
  return success(read)
}

function unknownInput(name: string, known: readonly string[]): string {
  if (name === 'goal') return 'the goal is not an input; write it after the name of the playbook'
  const others = known.filter((one) => one !== 'goal')
  const meant = closestWord(name, others)
  if (meant !== undefined) return `there is no input "${name}"; did you mean "${meant}"?`
  return others.length === 0
    ? `there is no input "${name}": the playbook has none`
    : `there is no input "${name}"; there are: ${others.join(', ')}`
}

/** Whether it says how many branches a stage has. */
function countsBranches(stages: Playbook['stages'], name: string): boolean {
  return Object.values(stages).some((stage) => {
    const fanOut = stage.type === 'role' ? stage.fanOut : undefined
    const count = fanOut?.type === 'times' ? fanOut.count : undefined
    return typeof count === 'object' && count.of === 'inputs' && count.field === name
  })
}

/** Values come as text from a command line. */
function readInput(input: PlaybookInput, value: Scalar, isWhole: boolean): Scalar | undefined {
  switch (input.type) {
    case 'text':
      return String(value)
    case 'choice':
      return input.of.includes(String(value)) ? String(value) : undefined
    case 'number': {
      const number = typeof value === 'number' ? value : Number(String(value).trim() || Number.NaN)
      const isNumber = isWhole ? Number.isInteger(number) : Number.isFinite(number)
      return isNumber && number >= input.min && number <= input.max ? number : undefined
    }
  }
}

function kindOf(input: PlaybookInput, isWhole: boolean): string {
  if (input.type === 'choice') return `one of: ${input.of.join(', ')}`
  const number = isWhole ? 'a whole number' : 'a number'
  return input.type === 'number' ? `${number} from ${input.min} to ${input.max}` : 'text'
}
