import type { Playbook, PlaybookInput } from './playbook.ts'
import type { PlaybookProblem } from './playbook-problem.ts'

/** Inputs whose default could never be given, or that contradict themselves. */
export function findInputProblems({ inputs }: Pick<Playbook, 'inputs'>): readonly PlaybookProblem[] {
  return Object.entries(inputs).flatMap(([name, input]) =>
    [...problemsOfGoal(name, input), ...problemsOfInput(input)].map(({ path, problem }) => ({
      path: ['inputs', name, ...path],
      problem,
    })),
  )
}

/** Every run has a goal, so nothing else can be declared about it. */
function problemsOfGoal(name: string, { type, isRequired }: PlaybookInput): readonly PlaybookProblem[] {
  if (name !== 'goal' || (type === 'text' && isRequired)) return []
  return [{ path: [], problem: 'every run has a goal; write { type: text, required: true } or leave it out' }]
}

function problemsOfInput(input: PlaybookInput): readonly PlaybookProblem[] {
  if (input.type === 'number' && input.min > input.max) {
    return [{ path: ['min'], problem: `must not be more than ${input.max}, the largest value` }]
  }
  if (input.default === undefined) return []
  if (input.isRequired) {
    return [
      { path: ['default'], problem: 'is never used, because the input is required; leave one of them out' },
    ]
  }
  const problem = whyNoValue(input)
  return problem === undefined ? [] : [{ path: ['default'], problem }]
}

function whyNoValue(input: PlaybookInput): string | undefined {
  if (input.default === undefined || input.type === 'text') return undefined
  if (input.type === 'choice') {
    return input.of.includes(input.default) ? undefined : `must be one of: ${input.of.join(', ')}`
  }
  const { min, max } = input
  return input.default >= min && input.default <= max ? undefined : `must be from ${min} to ${max}`
}
