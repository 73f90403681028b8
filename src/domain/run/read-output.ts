import { hasFormat } from '../playbook/has-format.ts'
import type { Outcome } from '../playbook/outcome.ts'
import { OUTPUT_SCHEMAS, shippedSchema } from '../playbook/output-format.ts'
import type { RoleStage } from '../playbook/stage.ts'
import { failure, type Result, success } from '../result.ts'
import { readReview } from '../review/read-verdict.ts'
import { ANSWER, readObject, readUsableFields } from './read-value.ts'

/** What an answer is checked against, besides the format of its stage. */
export type OutputFacts = {
  /** How many candidates a judge was shown. */
  readonly candidates: number
  /** How many numbered criteria the visit was shown; a review may name them. */
  readonly criteria: number
  /** Checks an answer against the playbook's own schema, or says in one sentence what is wrong with it. */
  readonly checkOwn: (answer: object) => Result<object, string>
}

export type ReadOutput = {
  /** `done`, the verdict of a review, or `failed` if a judge takes none of the candidates. */
  readonly outcome: Outcome
  readonly answer: object
}

/**
 * Reads the answer that an agent gave in a stage. A failure is one sentence that can be sent to the agent, so that it
 * can answer again. The answer of a `change` is never wrong, because its commit counts.
 */
export function readOutput(
  { output }: Pick<RoleStage, 'output'>,
  answer: unknown,
  facts: OutputFacts,
): Result<ReadOutput, string> {
  if (hasFormat(output, 'change')) {
    return success({ outcome: 'done', answer: readUsableFields(OUTPUT_SCHEMAS.change, answer) })
  }
  if (answer === undefined || answer === null) {
    return failure('there is no answer: end with the JSON object that is described below')
  }
  if (output.type === 'schema') return readOwn(answer, facts)
  if (output.format === 'review') return readReviewOutput(answer, facts)
  if (output.format === 'choice') return readChoice(answer, facts)
  const schema = shippedSchema(output.format)
  if (schema === undefined) return failure(`there is no format "${output.format}"`)
  const read = readObject(schema, answer, ANSWER)
  return read.ok ? success({ outcome: 'done', answer: read.value }) : read
}

function readOwn(answer: unknown, { checkOwn }: OutputFacts): Result<ReadOutput, string> {
  if (typeof answer !== 'object' || answer === null) return failure('the answer must be one JSON object')
  const checked = checkOwn(answer)
  return checked.ok ? success({ outcome: 'done', answer: checked.value }) : checked
}

/** An answer that contradicts itself decides nothing. */
function readReviewOutput(answer: unknown, { criteria }: OutputFacts): Result<ReadOutput, string> {
  const read = readReview(answer, criteria)
  return read.ok ? success({ outcome: read.value.verdict, answer: read.value }) : read
}

function readChoice(answer: unknown, { candidates }: OutputFacts): Result<ReadOutput, string> {
  const read = readObject(OUTPUT_SCHEMAS.choice, answer, ANSWER)
  if (!read.ok) return read
  const choice = Number(read.value['choice'])
  if (choice > candidates) {
    return failure(`\`choice\` is ${choice}, but the candidates have the numbers 1 to ${candidates}`)
  }
  // With nothing chosen there is no work to continue, so the stage has not done what it is for.
  return success({ outcome: choice === 0 ? 'failed' : 'done', answer: read.value })
}
