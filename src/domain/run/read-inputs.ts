import { closestWord } from '../closest-word.ts'
import type { Playbook, PlaybookInput } from '../playbook/playbook.ts'
import type { Scalar } from '../playbook/stage.ts'
import { failure, type Result, success } from '../result.ts'
import type { RunInputs } from './run.ts'

/** The inputs of a run: those that were given, and the defaults of the others. A failure is one sentence. */
export function readInputs(
  { inputs }: Pick<Playbook, 'inputs'>,
  given: Readonly<Record<string, Scalar>>,
): Result<RunInputs, string> {
  const unknown = Object.keys(given).find((name) => name === 'goal' || !Object.hasOwn(inputs, name))
  if (unknown !== undefined) return failure(unknownInput(unknown, Object.keys(inputs)))
  const read: Record<string, Scalar> = {}
  for (const [name, input] of Object.entries(inputs)) {
    const wanted = Object.hasOwn(given, name) ? given[name] : input.default
    if (name === 'goal' || (wanted === undefined && !input.isRequired)) continue
    if (wanted === undefined) return failure(`the input "${name}" is required`)
    const value = readInput(input, wanted)
    if (value === undefined) return failure(`the input "${name}" must be ${kindOf(input)}`)
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

/** Values come as text from a command line. */
function readInput(input: PlaybookInput, value: Scalar): Scalar | undefined {
  switch (input.type) {
    case 'text':
      return String(value)
    case 'choice':
      return input.of.includes(String(value)) ? String(value) : undefined
    case 'number': {
      const number = typeof value === 'number' ? value : Number(String(value).trim() || Number.NaN)
      return Number.isFinite(number) && number >= input.min && number <= input.max ? number : undefined
    }
  }
}

function kindOf(input: PlaybookInput): string {
  if (input.type === 'choice') return `one of: ${input.of.join(', ')}`
  return input.type === 'number' ? `a number from ${input.min} to ${input.max}` : 'text'
}
